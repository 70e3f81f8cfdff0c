import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyNth, hasAllCases } from '#tests/support/test-run.ts'
import { useTestApp } from '#tests/support/app.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { aGameTable, type GameRow } from '#tests/support/game-table.ts'
import { canHaveMysql, startMysql, type TestMysql } from '#tests/support/mysql.ts'
import { anAddress } from '#tests/support/players.ts'
import { readCsv } from '#tests/support/read-csv.ts'
import { runCommand } from '#tests/support/processes.ts'

const isThere = await canHaveMysql()
const START_MS_MAX = 120_000
/** One portion of 250 at least is there before the import is over. Each row is a hash of a password. */
const ROWS = hasAllCases ? 600 : 350
async function inPortions<Item, Answer>(items: readonly Item[], work: (item: Item) => Promise<Answer>) {
  const answers: Answer[] = []
  for (let at = 0; at < items.length; at += 8)
    answers.push(...(await Promise.all(items.slice(at, at + 8).map(work))))
  return answers
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

describe.skipIf(!isThere)('import-accounts (skipped without MySQL)', { timeout: 120_000 }, () => {
  const portal = useTestApp()
  let mysql: TestMysql
  let folder: string
  beforeAll(async () => {
    mysql = await startMysql()
    folder = await mkdtemp(join(tmpdir(), 'import-'))
  }, START_MS_MAX)
  afterAll(async () => {
    await mysql?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const aGame = (table: string, key: string, rows: readonly GameRow[]) =>
    aGameTable({ mysql, folder }, { table, key, rows })

  const login = (username: string, password: string) =>
    portal.call('POST', '/api/auth/login', { body: { username, password }, from: anAddress() })

  const accountsMade = async () =>
    Number(
      (
        await portal.db
          .selectFrom('users')
          .select(({ fn }) => fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    )

  const run = (...words: string[]) => runCommand(portal, ['import-accounts', ...words])

  const PEOPLE: GameRow[] = [
    [3, 'KiemKhach', 'matkhau9', 1, 0, 12_345],
    [2_147_483_648, 'daosi', md5('matkhau8'), 0, 0, 0],
    [7, 'DoiTen', 'matkhau7', 1, 0, 0],
    [9, 'doiten', 'matkhau7', 1, 0, 0],
    [10, '=SUM(A1)', 'matkhau7', 1, 0, 0],
    [11, 'bonk', 'matkhau7', 1, 0, 0],
    [12, 'bikhoa', 'matkhau7', 1, 1, 0],
    [13, 'khongcomk', null, 1, 0, 0],
  ]

  test('a dry run lists what cannot come over and changes nothing; the run does the rest, and a second one nothing', async () => {
    const file = await aGame('player', 'BIGINT', PEOPLE)
    const report = join(folder, 'report.csv')
    const before = await accountsMade()
    const dry = await run(file, '--dry-run', '--report', report)
    expect(dry).toMatchObject({ code: 0, errors: '' })
    expect(dry.output.split('\n')).toEqual([
      '3 accounts can come over, with 1,234 TCoin',
      '  of them 2 activated, 1 banned',
      '0 came over before',
      '5 stay behind',
      '          2  another account has the name in other capitals',
      '          1  the name has other characters than letters and digits',
      '          1  the name has fewer than 5 or more than 20 characters',
      '          1  there is no password',
      'nothing was changed (--dry-run)',
      '',
    ])
    const text = await readFile(report, 'utf8')
    const lines = readCsv(text.replace('\ufeff', ''))
    expect(lines[0]).toEqual(['key', 'name', 'reason', 'meaning', 'next', 'new_name'])
    expect(lines.slice(1).map(([key, name, reason, , , newName]) => [key, name, reason, newName])).toEqual([
      ['7', 'DoiTen', 'doubled-name', 'DoiTen1'],
      ['9', 'doiten', 'doubled-name', 'doiten2'],
      ['10', "'=SUM(A1)", 'name-characters', 'SUMA1'],
      ['11', 'bonk', 'name-length', 'bonk0'],
      ['13', 'khongcomk', 'empty-password', ''],
    ])
    expect(lines.slice(1).every(([, , , meaning = '', next = '']) => meaning !== '' && next !== '')).toBe(
      true,
    )
    expect(text).not.toContain('matkhau')
    expect((await stat(report)).mode & 0o777).toBe(0o600)
    expect(await accountsMade()).toBe(before)

    const done = await run(file)
    expect([done.code, done.output]).toEqual([0, expect.stringContaining('3 accounts came over')])
    expect(await accountsMade()).toBe(before + 3)
    expect((await login('kiemkhach', 'matkhau9')).status).toBe(200)
    expect((await login('daosi', 'matkhau8')).status).toBe(200)
    expect((await login('bikhoa', 'matkhau7')).body.code).toBe('BANNED')
    const activated = await portal.db
      .selectFrom('activation')
      .innerJoin('users', 'users.id', 'user_id')
      .select(['username', 'fee'])
      .orderBy('users.id')
      .execute()
    expect(activated).toEqual([
      { username: 'KiemKhach', fee: '0' },
      { username: 'bikhoa', fee: '0' },
    ])
    const again = await run(file)
    expect([again.code, again.output]).toEqual([
      0,
      expect.stringMatching(/^0 accounts can come over, with 0 TCoin\n3 came over before\n/),
    ])
    expect(await accountsMade()).toBe(before + 3)
    await expectReconciled(portal)
  })

  test('phones and addresses come over as hints, out of texts and numbers, and bad ones are counted', async () => {
    const file = await aGame('hinted', 'INT', [
      [1, 'goiymot', 'matkhau9', 1, 0, 0],
      [2, 'goiyhai', 'matkhau9', 1, 0, 0],
      [3, 'goiyba', 'matkhau9', 1, 0, 0],
    ])
    const json = JSON.parse(await readFile(file, 'utf8'))
    const connection = await createConnection({ uri: json.database })
    try {
      await connection.query('ALTER TABLE hinted ADD sdt BIGINT NULL, ADD mail VARCHAR(100) NULL')
      await connection.query(`UPDATE hinted SET sdt = 912345678, mail = 'mot@thu.test' WHERE id = 1`)
      await connection.query(`UPDATE hinted SET sdt = 5, mail = 'khong phai' WHERE id = 2`)
    } finally {
      await connection.end()
    }
    await writeFile(
      file,
      JSON.stringify({ ...json, import: { ...json.import, phone: 'sdt', email: 'mail' } }),
    )
    const { code, output } = await run(file)
    expect([code, output.split('\n').slice(1, 5)]).toEqual([
      0,
      [
        '  of them 3 activated, 0 banned',
        '  1 with a phone or an address, which they still have to prove',
        '  2 phones and addresses cannot be read and are left out',
        '0 came over before',
      ],
    ])
    const hints = await portal.db
      .selectFrom('contact_hint')
      .innerJoin('users', 'users.id', 'user_id')
      .select(['username', 'phone', 'email'])
      .execute()
    expect(hints).toEqual([{ username: 'goiymot', phone: '84912345678', email: 'mot@thu.test' }])
  })

  type Kind = { row(at: number): GameRow; ends: 'signs in' | 'banned' | 'renamed' | 'listed' }

  const good = (name: string, password: string): GameRow => [0, name, password, 1, 0, 0]
  const PASSWORD = 'matkhau9'
  /** What dumps have. What ends as renamed does so by the report as it is, without a choice of the operator. */
  const KINDS: Record<string, Kind> = {
    plain: { row: (at) => good(`nguoichoi${at}`, PASSWORD), ends: 'signs in' },
    capitals: { row: (at) => good(`NGUOI${at}`, md5(PASSWORD)), ends: 'signs in' },
    banned: { row: (at) => [0, `bikhoa${at}`, PASSWORD, 1, 1, 10], ends: 'banned' },
    'not activated': { row: (at) => [0, `chuamo${at}`, PASSWORD, 0, 0, 1_000], ends: 'signs in' },
    short: { row: (at) => good(`${at}`.padStart(4, 'b').slice(0, 4), PASSWORD), ends: 'renamed' },
    long: { row: (at) => good('d'.repeat(24) + at, PASSWORD), ends: 'renamed' },
    marks: { row: (at) => good(`Kiếm Đạo ${at}`, PASSWORD), ends: 'renamed' },
    signs: { row: (at) => good(`x_x@y.vn${at}`, PASSWORD), ends: 'renamed' },
    nameless: { row: () => good('', PASSWORD), ends: 'renamed' },
    reserved: { row: (at) => good(`admin${at}`, PASSWORD), ends: 'renamed' },
    identical: { row: (at) => good(`giong${Math.floor(at / 40)}`, PASSWORD), ends: 'renamed' },
    'identical with it': { row: (at) => good(`giong${Math.floor(at / 40)}`, PASSWORD), ends: 'renamed' },
    'in capitals': { row: (at) => good(`hoathuong${Math.floor(at / 40)}`, PASSWORD), ends: 'renamed' },
    'in other capitals': { row: (at) => good(`HoaThuong${Math.floor(at / 40)}`, PASSWORD), ends: 'renamed' },
    'without a password': { row: (at) => [0, `khongmk${at}`, null, 1, 0, 0], ends: 'listed' },
    'a password of one letter': { row: (at) => good(`motchu${at}`, 'a'), ends: 'listed' },
    'a password of 30 letters': { row: (at) => good(`bamuoi${at}`, 'a'.repeat(30)), ends: 'listed' },
    'a password in another form': { row: (at) => good(`dangla${at}`, 'f'.repeat(40)), ends: 'listed' },
    'a negative balance': { row: (at) => [0, `amtien${at}`, PASSWORD, 1, 0, -1], ends: 'listed' },
    'a short password': { row: (at) => good(`haichu${at}`, 'ab'), ends: 'signs in' },
  }
  const kinds = Object.values(KINDS)
  const PLAYERS = hasAllCases ? 10_000 : 2 * kinds.length

  test(
    'each player of a dump ends able to sign in, or on the list with the next step',
    async () => {
      const players = Array.from({ length: PLAYERS }, (_, at) => {
        const { row, ends } = kinds[at % kinds.length] as Kind
        const [, ...columns] = row(at)
        return { row: [at + 1, ...columns] as GameRow, ends }
      })
      const file = await aGame(
        'dump',
        'INT',
        players.map(({ row }) => row),
      )
      const [left, rest] = [join(folder, 'left.csv'), join(folder, 'rest.csv')]
      await run(file, '--report', left)
      const done = await run(file, '--rename', left, '--report', rest)
      expect(done).toMatchObject({ code: 0, errors: '' })
      const read = async (report: string) =>
        new Map(
          readCsv((await readFile(report, 'utf8')).replace('\ufeff', ''))
            .slice(1)
            .map(([key, , , , next, newName]) => [
              Number(key),
              { next, newName: newName?.replace(/^'/, '') },
            ]),
        )
      const [before, after] = [await read(left), await read(rest)]
      for (const { row, ends } of players) {
        const [key, name] = row
        expect({ key, name, isListed: after.has(Number(key)) }).toEqual({
          key,
          name,
          isListed: ends === 'listed',
        })
      }
      expect([...after.values()].filter(({ next = '' }) => !/^(set|take) /.test(next))).toEqual([])
      const entering = players.filter(({ ends }) => ends !== 'listed')
      const answers = await inPortions(entering, async ({ row: [key, name, password], ends }) => {
        const typed = password === md5(PASSWORD) ? PASSWORD : (password ?? '')
        const { status, body } = await login(before.get(Number(key))?.newName ?? name, typed)
        return { name, ends, answer: status === 200 ? 'signs in' : body.code }
      })
      expect(answers).toEqual(
        answers.map(({ name, ends }) => ({ name, ends, answer: ends === 'banned' ? 'BANNED' : 'signs in' })),
      )
      await expectReconciled(portal)
    },
    hasAllCases ? 900_000 : 60_000,
  )

  test('the game gets the new names of the accounts that came over, by the statements that the import writes', async () => {
    const file = await aGame('named', 'VARCHAR(8)', [
      ["k'1", 'admin', 'matkhau9', 1, 0, 0],
      ['k2', 'bo', 'matkhau9', 1, 0, 0],
      ['k3', 'ke', null, 1, 0, 0],
      ['k4', 'mod', 'matkhau9', 1, 0, 0],
    ])
    const names = join(folder, 'named.csv')
    await writeFile(names, 'key,new_name\n"k\'1",quanlycu\n')
    expect((await run(file, '--rename', names)).code).toBe(0)
    // One more, one without a password, and one whose chosen name is reserved for staff.
    await writeFile(names, "key;new_name\nk'1;quanlycu\nk2;boconga\nk3;kenhanvat\nk4;admin1\n")
    const done = await run(file, '--rename', names)
    expect([done.code, done.output]).toEqual([0, expect.stringContaining(`run ${names}.sql in the game`)])
    const { database } = JSON.parse(await readFile(file, 'utf8'))
    const connection = await createConnection({ uri: database, multipleStatements: true })
    try {
      await connection.query(await readFile(`${names}.sql`, 'utf8'))
      const [rows] = await connection.query('SELECT username FROM named ORDER BY id')
      expect(rows).toEqual(['quanlycu', 'boconga', 'ke', 'mod'].map((username) => ({ username })))
    } finally {
      await connection.end()
    }
    expect((await run(file)).output).toContain('2 came over before\n2 stay behind')
    expect((await login('quanlycu', 'matkhau9')).status).toBe(200)
  })

  test.each(everyNth(['SIGKILL', 'SIGINT'] as const, 2))(
    'an import that gets %s goes on where it stopped',
    async (signal) => {
      const rows = Array.from({ length: ROWS }, (_, at): GameRow => {
        const key = `k${String(at).padStart(5, '0')}`
        return [key, `${signal}x${at}`, md5(`matkhau${at}`), 1, 0, 10]
      })
      // Keys that are texts.
      const file = await aGame(signal, 'VARCHAR(20)', rows)
      const before = await accountsMade()
      const child = spawn(process.execPath, ['src/server/cli/cli.ts', 'import-accounts', file], {
        env: { ...process.env, DATABASE_URL: portal.ownerUrl, DEMO: '0', GAME_SERVER_URL: 'embedded' },
        stdio: 'ignore',
      })
      const closed = once(child, 'close')
      while (child.exitCode === null && (await accountsMade()) === before)
        await new Promise((resolve) => setTimeout(resolve, 20))
      child.kill(signal)
      // As npm sends it on.
      child.kill(signal)
      expect(await closed).toEqual(signal === 'SIGKILL' ? [null, 'SIGKILL'] : [1, null])
      const imported = (await accountsMade()) - before
      expect(imported % 250).toBe(0)
      expect(imported).toBeLessThan(ROWS)
      await expectReconciled(portal)
      expect((await run(file)).output).toContain(
        `${(ROWS - imported).toLocaleString('en')} accounts came over`,
      )
      expect(await accountsMade()).toBe(before + ROWS)
      await expectReconciled(portal)
    },
  )

  test.runIf(hasAllCases)(
    'says what is missing: options, the file, its part, the database, a column, a server, a free name for the report',
    async () => {
      expect((await run()).code).toBe(2)
      expect((await run('a.json', '--quickly')).code).toBe(2)
      expect((await run('a.json', '--report')).code).toBe(2)
      const problem = async (...words: string[]) => {
        const { code, errors } = await run(...words)
        expect(code).toBe(1)
        expect(errors).not.toContain('    at ')
        return errors
      }
      expect(await problem(join(folder, 'none.json'))).toContain('cannot be read')
      const file = await aGame('odd', 'INT', [[1, 'kiemsi', 'matkhau9', 1, 0, 0]])
      const json = JSON.parse(await readFile(file, 'utf8'))
      const changed = async (change: object) => {
        const other = join(folder, 'other.json')
        await writeFile(other, JSON.stringify({ ...json, ...change }))
        return other
      }
      expect(await problem(await changed({ import: undefined }))).toContain('no part "import"')
      const imported = json.import as object
      expect(await problem(await changed({ import: { ...imported, password: 'secret' } }))).toContain(
        'secret',
      )
      expect(await problem(await changed({ import: { ...imported, server: '77' } }))).toContain(
        'no server 77',
      )
      expect(await problem(await changed({ import: { ...imported, passwords: 'sha1' } }))).toContain(
        'one of detected, plain, md5, bcrypt',
      )
      expect(await problem(await changed({ database: 'mysql://a:b@127.0.0.1:1/game' }))).toContain(
        '127.0.0.1:1',
      )
      expect(await problem(file, '--report', file)).toContain('already something')
    },
  )
})
