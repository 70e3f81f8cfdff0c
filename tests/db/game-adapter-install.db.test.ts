import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAdapter } from '#game-adapter/adapter.ts'
import { readConfig } from '#game-adapter/config.ts'
import { install } from '#game-adapter/install.ts'
import { openLog } from '#game-adapter/log.ts'
import {
  ADAPTER_SECRET,
  callGame,
  charactersOf,
  deliverTo,
  detectedConfig,
  rankingOf,
} from '#tests/support/adapted-game.ts'
import { useFolder } from '#tests/support/folder.ts'
import { BROKEN, fillGame, SHAPES, TEST_ACCOUNT, type ShapeName } from '#tests/support/game-shapes.ts'
import { canHaveMysql, startMysql, type TestMysql, type TestMysqlDatabase } from '#tests/support/mysql.ts'
import { freePort } from '#tests/support/network.ts'
import { eventually } from '#tests/support/purchases.ts'
import { startStandIn } from '#tests/support/stand-in-collector.ts'
import { everyNth, hasAllCases } from '#tests/support/test-run.ts'

const isThere = await canHaveMysql()
const START_MS_MAX = 120_000
const ACCOUNTS = 60
const silent = openLog(() => {})

let mysql: TestMysql
const folder = useFolder()
beforeAll(async () => {
  if (!isThere) return
  mysql = await startMysql(['--sql-mode=', '--innodb-flush-log-at-trx-commit=2'])
}, START_MS_MAX)
afterAll(() => mysql?.close())

async function filled(shape: ShapeName): Promise<TestMysqlDatabase> {
  const database = await mysql.createDatabase()
  await fillGame(database.url, { shape, accounts: ACCOUNTS })
  return database
}

async function change(url: string, ...statements: string[]): Promise<void> {
  const connection = await createConnection({ uri: url })
  for (const statement of statements) await connection.query(statement)
  await connection.end()
}

async function installed(url: string, isCarriedOut = true): Promise<string[]> {
  const { config } = await detectedConfig(url)
  const printed: string[] = []
  await install(config, { isCarriedOut, print: (line) => void printed.push(line) })
  return printed
}

const INDEXES: Record<ShapeName, string[]> = {
  'json-list': ['player (username)', 'ninja (name)', 'ninja (level)', 'ninja (yen)', 'player (luong)'],
  'by-key': [
    'users (username)',
    'hero (userId)',
    'hero (idserver, lv)',
    'hero (idserver, coin_lock)',
    'hero (idserver, gold)',
  ],
  'one-row': ['members (account)', 'members (level)', 'members (yen)', 'members (luong)'],
}

describe.skipIf(!isThere)('detect and install (skipped without MySQL)', () => {
  test.each(everyNth(SHAPES, 3, 2))(
    'recognise the shape %s and name what is missing; installing it twice changes nothing',
    async (shape) => {
      const { url } = await filled(shape)
      const { findings, file } = await detectedConfig(url)
      const indexes = (list: string[]) =>
        list.flatMap((finding) => /^missing index: (.*)$/.exec(finding)?.[1] ?? [])
      expect(indexes(findings)).toEqual(INDEXES[shape])
      const text = findings.join('\n')
      const banned = shape === 'json-list' ? 'ban' : null
      expect(file).toMatchObject({ accounts: { banned }, import: { password: 'password' } })
      expect(text.includes('player.ban looks like a ban')).toBe(banned !== null)
      expect(text).toMatch(/several accounts have and that differ in capitals .*: 1, such as doiten/)
      expect(text).toMatch(/shorter than 5 .*: 1, such as bonk/)
      expect(text).toMatch(/longer than 20 .*: 1, such as haimuoihaikytuchodutena/)
      expect(text).toMatch(/values: \d+ of \S+ above 90 % of the cap 2000000000, 2\d at the cap or above/)
      expect(text).toMatch(/below 0, shown as 0/)
      expect(text).toContain('sql_mode is not strict')
      expect(text).toContain('innodb_flush_log_at_trx_commit is 2')
      const [advice, ...shown] = await installed(url, false)
      expect(advice).toMatch(/^-- To consider: \S+ has no unique index, .*: CREATE UNIQUE INDEX/)
      expect(shown.at(-1)).toContain('Nothing was changed')
      expect(await installed(url)).toEqual([advice, ...shown.slice(0, -1), '-- Done.'])
      expect(await installed(url)).toEqual([advice, '-- Everything is there; nothing to do.'])
      expect(indexes((await detectedConfig(url)).findings)).toEqual([])
    },
  )

  test.runIf(hasAllCases)(
    'name tables that are not InnoDB, columns that are too small, and indexes that find only words',
    async () => {
      const { url } = await filled('json-list')
      await change(
        url,
        'ALTER TABLE ninja ENGINE = MyISAM, MODIFY yen BIGINT',
        'DELETE FROM player WHERE CHAR_LENGTH(username) > 15',
        'UPDATE player SET luong = 5',
        'CREATE FULLTEXT INDEX words ON ninja (name)',
        'ALTER TABLE player MODIFY luong MEDIUMINT, MODIFY username CHAR(15) CHARACTER SET utf8 COLLATE utf8_bin',
      )
      const text = (await detectedConfig(url)).findings.join('\n')
      expect(text).toContain('engine: ninja is MyISAM')
      expect(text).toContain('missing index: ninja (name)')
      expect(text).toContain('column too small: player.luong is mediumint')
      expect(text).toContain('column too small: player.username takes 15 characters')
      expect(text).toContain('ninja.yen is bigint')
      expect(text).not.toContain('longer than 20')
    },
  )

  test.runIf(hasAllCases)('find and read a list of characters of the type JSON', async () => {
    const { url } = await filled('json-list')
    await change(
      url,
      `DELETE FROM player WHERE username = '${BROKEN}'`,
      'ALTER TABLE player MODIFY ninja JSON',
    )
    const { config } = await detectedConfig(url)
    expect(config.accounts.characters).toBe('ninja')
    await install(config, { isCarriedOut: true, print: () => {} })
    const adapter = await startAdapter(config, silent)
    const names = (await charactersOf(adapter.url, TEST_ACCOUNT)).map(({ name }) => name)
    expect(names).toEqual(['thunghiemkiem', 'thunghiemhai'])
    await adapter.close()
  })

  test('a database of something else is said to be that', async () => {
    const { url } = await mysql.createDatabase()
    await change(url, 'CREATE TABLE shop (id INT, title TEXT)')
    await expect(detectedConfig(url)).rejects.toThrow(/no table of accounts .* Its tables: shop\./)
    await change(
      url,
      'CREATE TABLE users (id INT PRIMARY KEY, username VARCHAR(30), password VARCHAR(40), luong INT, ninja TEXT)',
      'CREATE TABLE item (id INT PRIMARY KEY, name VARCHAR(30), level INT, type INT)',
      `INSERT INTO users VALUES (1, 'hoangtuan', 'x', 5, '["kiemgia"]'), (2, 'thanhlong', 'x', 5, '[]')`,
      `INSERT INTO item VALUES (1, 'Kiếm', 1, 1), (2, 'Áo', 2, 2)`,
    )
    await expect(detectedConfig(url)).rejects.toThrow(
      /no way from accounts to characters: .* Accounts may be in users, characters in item\. .* Next: /,
    )
  })

  test('an account without rights is told which it needs, and works with those', async () => {
    const { url, name } = await filled('by-key')
    const { config } = await detectedConfig(url)
    const weak = `'${name}_w'@'127.0.0.1'`
    const as = Object.assign(new URL(url), { username: `${name}_w`, password: 'weak' }).href
    const weakConfig = { ...config, database: as }
    await mysql.asRoot(async (root) => {
      await root.query(`CREATE USER ${weak} IDENTIFIED BY 'weak'`)
      for (const table of ['users', 'hero']) await root.query(`GRANT SELECT ON ${name}.${table} TO ${weak}`)
    })
    const failed = await install(weakConfig, { isCarriedOut: true, print: () => {} }).catch(
      (error: Error) => error,
    )
    const { message } = failed as Error
    expect(message).toContain('CREATE TABLE portal_delivery')
    const grants = [...message.matchAll(/^ {2}(GRANT .*);$/gm)].map(([, grant = '']) =>
      grant.replace(`'<account>'@'<host>'`, weak),
    )
    expect(grants.length).toBeGreaterThan(5)
    await mysql.asRoot(async (root) => void (await root.query(grants[0] ?? '')))
    expect(await install(weakConfig, { isCarriedOut: true, print: () => {} })).toBeGreaterThan(5)
    await mysql.asRoot(async (root) => {
      await root.query(`REVOKE ALL PRIVILEGES, GRANT OPTION FROM ${weak}`)
      for (const grant of grants.slice(1)) await root.query(grant)
    })
    const adapter = await startAdapter(weakConfig, silent)
    const [character] = await charactersOf(adapter.url, TEST_ACCOUNT)
    expect((await deliverTo(adapter.url, { characterId: character!.id })).status).toBe(200)
    await adapter.close()
  })
})

describe.skipIf(!isThere)('the adapter as a process (skipped without MySQL)', () => {
  async function run(words: string[], environment: Record<string, string> = {}) {
    const child = spawn(process.execPath, ['src/game-adapter/main.ts', ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    })
    let [output, errors] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    const ended = once(child, 'close') as Promise<[number | null]>
    return { child, ended, output: () => output, errors: () => errors }
  }

  test('starts when everything is there, ends with SIGTERM, and logs no secret', async () => {
    const { url } = await filled('one-row')
    const { config } = await detectedConfig(url)
    const port = await freePort()
    const { preset: _, ...file } = { preset: null, ...fileOf(config), port }
    const path = join(folder, 'game.json')
    await writeFile(path, JSON.stringify({ preset: 'one-row', ...file }))
    const environment = { GAME_DATABASE_URL: url, GAME_SERVER_SECRET: ADAPTER_SECRET }
    const early = await run([path], environment)
    expect((await early.ended)[0]).toBe(1)
    expect(early.errors()).toMatch(/^The database \S+ has no table portal_delivery, .*install game\.json\n$/)
    const installation = await run(['install', path, '--yes'], environment)
    expect((await installation.ended)[0]).toBe(0)
    const asJson = await run(['detect', '--json'], environment)
    expect((await asJson.ended)[0]).toBe(0)
    expect(JSON.parse(asJson.output())).toMatchObject({
      file: { preset: 'one-row' },
      reasons: [expect.stringMatching(/^members has name, password and/), 'luong is members.luong'],
      findings: expect.arrayContaining([expect.stringMatching(/^server: /)]),
      next: [expect.stringMatching(/^read the file/), expect.stringMatching(/install game\.json/)],
    })
    const adapter = await run([path], environment)
    await eventually(async () => expect(adapter.output()).toContain('"listening"'), 30_000)
    expect((await callGame(`http://127.0.0.1:${port}`, { path: '/v1/game' })).status).toBe(200)
    adapter.child.kill('SIGTERM')
    expect((await adapter.ended)[0]).toBe(0)
    const printed = [early, installation, adapter].map((each) => each.output() + each.errors()).join('')
    expect(printed).not.toContain(ADAPTER_SECRET)
    expect(printed).not.toContain(new URL(url).password)
    for (const line of adapter.output().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('level')
  })

  /** A new database, served by a process that can be started again. */
  async function servedAsProcess(file: string) {
    const { url } = await filled('by-key')
    await installed(url)
    const { config } = await detectedConfig(url)
    const port = await freePort()
    const path = join(folder, file)
    await writeFile(
      path,
      JSON.stringify({ preset: 'by-key', ...fileOf(config), characters: config.characters, port }),
    )
    const start = async () => {
      const adapter = await run([path], { GAME_DATABASE_URL: url, GAME_SERVER_SECRET: ADAPTER_SECRET })
      await eventually(async () => expect(adapter.output()).toContain('"listening"'), 30_000)
      return adapter
    }
    const at = `http://127.0.0.1:${port}`
    return { url, at, start }
  }

  test.runIf(hasAllCases)(
    'killed while it works, it has everything that it answered, and stores nothing twice',
    async () => {
      const { at, start } = await servedAsProcess('killed.json')
      let adapter = await start()
      const [character] = await charactersOf(at, TEST_ACCOUNT)
      const ids = Array.from({ length: 120 }, () => randomUUID())
      const deliver = (id: string) => deliverTo(at, { id, characterId: character!.id })
      const answered: string[] = []
      const chains = Array.from({ length: 6 }, async (_, chain) => {
        for (const id of ids.slice(chain * 20, chain * 20 + 20)) {
          const answer = await deliver(id).catch(() => null)
          if (answer?.status !== 200) return
          if (answered.push(id) === 40) adapter.child.kill('SIGKILL')
        }
      })
      await Promise.all(chains)
      await adapter.ended
      expect(answered.length).toBeLessThan(ids.length)
      adapter = await start()
      for (const id of answered) {
        expect((await callGame(at, { path: `/v1/deliveries/${id}` })).body.status).toBe('applied')
      }
      const repeats = await Promise.all(ids.map(deliver))
      expect(new Set(repeats.map(({ status }) => status))).toEqual(new Set([200]))
      const [row] = (await rankingOf(at, 'luong', 100)).filter(({ account }) => account === TEST_ACCOUNT)
      expect(row?.value).toBe(1_900_000_000 + ids.length)
      adapter.child.kill('SIGTERM')
      expect((await adapter.ended)[0]).toBe(0)
    },
  )

  test('killed while it charges and gives back, each charge is taken once and given back once', async () => {
    const { url, at, start } = await servedAsProcess('charged.json')
    const standIn = await startStandIn(url, 'by-key')
    let adapter = await start()
    const [character] = await charactersOf(at, TEST_ACCOUNT)
    const place = { server_id: '1', account: TEST_ACCOUNT, character_id: character!.id }
    const charges = Array.from({ length: 40 }, (_, index) => ({ id: randomUUID(), isKept: index % 2 === 0 }))
    let settled = 0
    /** Taken, and given back unless it is kept. */
    const settle = async ({ id, isKept }: (typeof charges)[number]) => {
      const path = `/v1/charges/${id}`
      const { status, body } = await callGame(at, { method: 'PUT', path, body: { ...place, luong: 5 } })
      if (!isKept) await callGame(at, { method: 'POST', path: `${path}/refund` })
      if (++settled === 12) adapter.child.kill('SIGKILL')
      return (body.reason ?? status) as unknown
    }
    const lanes = Array.from({ length: 4 }, async (_, lane) => {
      for (const charge of charges.slice(lane * 10, lane * 10 + 10)) await settle(charge)
    })
    const ends = await Promise.allSettled(lanes)
    expect(ends.map(({ status }) => status)).toContain('rejected')
    await adapter.ended
    adapter = await start()
    for (const charge of charges)
      expect([200, ...(charge.isKept ? [] : ['refunded'])]).toContain(await settle(charge))
    const [row] = (await rankingOf(at, 'luong', 100)).filter(({ account }) => account === TEST_ACCOUNT)
    expect(row?.value).toBe(1_900_000_000 - 20 * 5)
    await standIn.stop()
    adapter.child.kill('SIGTERM')
    expect((await adapter.ended)[0]).toBe(0)
  })

  test('names in one sentence what the database or the file lacks', async () => {
    const { url } = await filled('by-key')
    const path = join(folder, 'wrong.json')
    const start = async (file: object, database = url) => {
      await writeFile(path, JSON.stringify(file))
      const { ended, errors } = await run([path], {
        GAME_DATABASE_URL: database,
        GAME_SERVER_SECRET: ADAPTER_SECRET,
      })
      expect((await ended)[0]).toBe(1)
      expect(errors()).not.toMatch(/^ +at /m)
      return errors()
    }
    const file = {
      preset: 'by-key',
      servers: [{ id: '1', name: 'Một' }],
      characters: { table: 'hero', account: 'userId' },
    }
    expect(await start(file)).toMatch(
      /has no .*column hero\.level, .*no column hero\.luong.*, or this account may not read it/,
    )
    expect(await start({ ...file, acounts: {} })).toContain('acounts: there is no such field')
    const nowhere = Object.assign(new URL(url), { port: String(await freePort()) }).href
    expect(await start(file, nowhere)).toMatch(
      /^The database \S+ at 127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED/,
    )
    const stranger = Object.assign(new URL(url), { password: 'another' }).href
    expect(await start(file, stranger)).toMatch(/Access denied/)
  })
})

function fileOf({ database: _database, secrets: _secrets, ...config }: ReturnType<typeof readConfig>) {
  const { table: _table, id: _id, account: _account, ...characters } = config.characters
  return { ...config, characters }
}

test.skipIf(!isThere)(
  'without its database the adapter answers 503, and goes on when it is back (skipped without MySQL)',
  async () => {
    const { url } = await filled('by-key')
    const { config } = await detectedConfig(url)
    await install(config, { isCarriedOut: true, print: () => {} })
    const adapter = await startAdapter(config, silent)
    const [character] = await charactersOf(adapter.url, TEST_ACCOUNT)
    const first = await deliverTo(adapter.url, { characterId: character!.id })
    expect(first.status).toBe(200)
    await mysql.end('SIGKILL')
    const away = await deliverTo(adapter.url, { characterId: character!.id })
    expect([away.status, away.body]).toEqual([503, { error: 'database-unavailable' }])
    expect((await callGame(adapter.url, { path: '/v1/rankings/level?server_id=1' })).status).toBe(503)
    await mysql.start()
    for (const { id } of [first, away]) {
      expect((await deliverTo(adapter.url, { id, characterId: character!.id })).body).toEqual({
        status: 'applied',
      })
    }
    await adapter.close()
  },
)
