import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { openHttpGame } from '#server/modules/game-bridge/http-game.client.ts'
import { grantRole, usernameKey } from '#server/modules/accounts/index.ts'
import { printErasure, writeExport } from '#server/cli/personal-data.ts'
import { printTrailCheck } from '#server/cli/reports.ts'
import { tournamentCommands } from '#server/cli/tournament.ts'
import type { Config } from '#server/config/config.ts'
import { openLog } from '#server/platform/log/log.ts'
import { useTestApp } from '#tests/support/app.ts'
import { type ListedTeam, listDigest } from '#contract/draw-proof.ts'
import { byBeacon, bySecret, QUICKNET_ROUNDS } from '#tests/support/draws.ts'
import { Client } from 'pg'
import { openReferee } from '#server/modules/tournaments/testing/referee.ts'
import { startTestGame } from '#tests/support/game-server.ts'
import { runCommand } from '#tests/support/processes.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPhone } from '#tests/support/phones.ts'
import { aPlayer } from '#tests/support/players.ts'
import { hasAllCases } from '#tests/support/test-run.ts'

const portal = useTestApp()

// Each is a process, which costs a second of CPU time: one a command, what else it answers is tried without one.
const command = (...words: string[]) => runCommand(portal, words)

/** What a command prints and answers, without its process. */
async function inside(run: (print: (line: string) => void) => Promise<number | undefined>) {
  let output = ''
  const code = await run((line) => (output += `${line}\n`))
  return { code, output }
}

/** `tournament verify <file>`, which asks neither for settings nor for a database. */
const verifyFile = (file: string) =>
  inside(
    (print) =>
      tournamentCommands['tournament verify']?.runAsItIs({
        config: {} as Config,
        log: openLog('error'),
        rest: [file],
        print,
      }) ?? Promise.resolve(undefined),
  )

async function auditOf(username: string): Promise<{ action: string; details: unknown }[]> {
  return portal.db
    .selectFrom('audit_log')
    .innerJoin('users', (join) => join.on((on) => on(on.cast('users.id', 'text'), '=', on.ref('subject_id'))))
    .select(['action', 'details'])
    .where('subject_type', '=', 'user')
    .where('username_key', '=', usernameKey(username))
    .orderBy('seq')
    .execute()
}

async function asSuperuser(sql: string): Promise<void> {
  const owner = new Client({ connectionString: portal.ownerUrl })
  await owner.connect()
  try {
    await owner.query(sql)
  } finally {
    await owner.end()
  }
}

describe('operator', { timeout: 60_000 }, () => {
  test('grant and revoke change a role, with a row of the audit trail each', async () => {
    const { username } = await aPlayer(portal)
    const rolesOf = async () => {
      const held = portal.db.selectFrom('user_roles').innerJoin('users', 'users.id', 'user_id')
      return (await held.select('role').where('username', '=', username).execute()).map(({ role }) => role)
    }
    expect(await command('operator', 'grant', username, 'editor')).toMatchObject({ code: 0 })
    expect(await rolesOf()).toEqual(['editor'])
    expect(await command('operator', 'revoke', username, 'editor')).toMatchObject({ code: 0 })
    expect(await rolesOf()).toEqual([])
    expect(await auditOf(username)).toEqual([
      { action: 'users.grant-role', details: { role: 'editor' } },
      { action: 'users.revoke-role', details: { role: 'editor' } },
    ])
  })

  test.runIf(hasAllCases)('grant refuses a role that does not exist and a name that nobody has', async () => {
    expect(await command('operator', 'grant', 'khongcoai', 'emperor')).toMatchObject({ code: 2 })
    const nobody = await command('operator', 'grant', 'khongcoai', 'editor')
    expect([nobody.code, nobody.errors.trim()]).toEqual([1, 'there is no account of that name'])
  })

  test('in a shell without the portal’s settings it says so, and makes up no secrets of a demo', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'shell-'))
    const listed = await runCommand(portal, ['operator', 'list'], { DEMO: '1', DATA_DIR: dataDir })
    expect(listed).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/made with DEMO=0, here DEMO is 1/),
    })
    expect(await readdir(dataDir)).toEqual([])
    await rm(dataDir, { recursive: true })
  })

  test('list names who holds a role, their second factor and their last sign-in', async () => {
    const { username } = await anOperator(portal, 'cashier')
    const { username: unproved } = await aPlayer(portal)
    await grantRole(portal.db, { username: unproved, role: 'support' })
    await portal.db
      .deleteFrom('sign_in')
      .where('user_id', '=', await idOf(unproved))
      .execute()
    const lines = (await command('operator', 'list')).output.split('\n')
    const line = (name: string) => lines.find((one) => one.startsWith(name)) ?? ''
    expect(line(username)).toMatch(/cashier +second factor on +signed in \d{4}-\d\d-\d\dT/)
    expect(line(unproved)).toMatch(/support +second factor off +no recent sign-in/)
  })

  const idOf = async (username: string) =>
    (
      await portal.db
        .selectFrom('users')
        .select('id')
        .where('username', '=', username)
        .executeTakeFirstOrThrow()
    ).id

  test('create makes an account under a name reserved for staff, whose link sets its password once', async () => {
    const phone = aPhone()
    const body = { username: 'QuanTri01', phone, password: 'mat-khau-dai-12' }
    const registered = await portal.call('POST', '/api/auth/register', { body })
    expect([registered.status, Object.keys(registered.body.errors)]).toEqual([422, ['username']])

    const { code, output } = await command('operator', 'create', 'QuanTri01', phone)
    expect([code, output]).toEqual([0, expect.stringContaining('within 30 minutes, once')])
    const token = /\/password\/([\w-]{43})$/m.exec(output)?.[1]
    const reset = () =>
      portal.call('POST', '/api/password/reset', {
        body: { token, password: 'mat-khau-dai-12', confirmPassword: 'mat-khau-dai-12' },
      })
    const answered = await reset()
    expect(answered.status, JSON.stringify(answered.body)).toBe(200)
    expect((await reset()).body.code).toBe('TOKEN_INVALID')
    const login = { username: 'quantri01', password: 'mat-khau-dai-12' }
    expect((await portal.call('POST', '/api/auth/login', { body: login })).status).toBe(200)
    expect(await auditOf('QuanTri01')).toEqual([
      { action: 'users.create-operator', details: {} },
      { action: 'users.reset-password', details: { way: 'command-line', sessions_ended: 0 } },
    ])
  })

  test.runIf(hasAllCases)(
    'create refuses a name or a phone that is taken, and a phone that is none',
    async () => {
      const { username } = await aPlayer(portal)
      const taken = await command('operator', 'create', username.toUpperCase(), aPhone())
      expect([taken.code, taken.errors.trim()]).toEqual([1, 'that username belongs to another account'])
      expect((await command('operator', 'create', 'quantri02', '12345')).code).toBe(2)
      expect(await auditOf('quantri02')).toEqual([])
    },
  )
})

describe('audit verify', { timeout: 60_000 }, () => {
  test('ends with 0 for an untouched trail, and with 1 and the first broken row for a changed one', async () => {
    const { username } = await aPlayer(portal)
    for (const role of ['support', 'editor', 'cashier'] as const)
      await grantRole(portal.db, { username, role })
    const whole = await inside((print) => printTrailCheck(portal.deps, print))
    expect(whole).toEqual({ code: 0, output: 'the audit trail is whole\n' })
    const { seq } = await portal.db
      .selectFrom('audit_log')
      .select((select) => select.fn.max('seq').as('seq'))
      .executeTakeFirstOrThrow()
    const [first, second] = [Number(seq) - 1, Number(seq)]
    await asSuperuser(`ALTER TABLE audit_log DISABLE TRIGGER USER;
      UPDATE audit_log SET details = '{"role": "owner"}' WHERE seq IN (${first}, ${second})`)
    expect(await command('audit', 'verify')).toMatchObject({
      code: 1,
      output: `the audit trail is broken at row ${first} (hash)\n`,
    })
  })
})

describe('personal data', { timeout: 60_000 }, () => {
  test('export writes a file of its own, and erase names what has to be ended first', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'export-'))
    try {
      const { id, username } = await aPlayer(portal, { coins: 700 })
      const file = join(folder, 'nguoi choi.json')
      expect(await command('export', username, file)).toMatchObject({ code: 0 })
      const exported = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown[]>
      expect(exported['ledger_entries']).toMatchObject([{ kind: 'adjustment', amount: '700' }])
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      await expect(writeExport(portal.deps, { username, file })).rejects.toThrow(
        `there is already something at ${file}; name another file`,
      )

      const refused = await inside((print) =>
        printErasure(portal.deps, { username, withBalance: false }, print),
      )
      expect([refused.code, refused.output]).toEqual([
        1,
        expect.stringContaining('the wallet holds 700 TCoin: pay'),
      ])
      const erased = await command('erase', username, '--with-balance')
      expect([erased.code, erased.output]).toEqual([
        0,
        expect.stringContaining(`the account is da-xoa-${id} now`),
      ])
      for (const words of [
        ['export', username, join(folder, 'nobody.json')],
        ...(hasAllCases ? [['erase', username]] : []),
      ]) {
        const nobody = await command(...words)
        expect([nobody.code, nobody.errors.trim()]).toEqual([1, 'there is no account of that name'])
      }
      expect(await readdir(folder)).toEqual(['nguoi choi.json'])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('tournament verify', { timeout: 60_000 }, () => {
  test('repeats a draw from its file or its id, and names what was changed', async () => {
    const referee = await openReferee(portal)
    const id = await referee.aDraw(6)
    const { body: draw } = await portal.call('GET', `/api/tournaments/${id}/draw`)
    const folder = await mkdtemp(join(tmpdir(), 'draw-'))
    const verify = async (change: object) => {
      const file = join(folder, 'draw.json')
      await writeFile(file, JSON.stringify({ ...draw, ...change }))
      return verifyFile(file)
    }
    const whole = 'the order of 6 teams follows from the closed list and round '
    expect(await verify({})).toMatchObject({ code: 0, output: expect.stringContaining(whole) })
    const { code, output } = await command('tournament', 'verify', id)
    expect([code, output]).toEqual([0, expect.stringContaining(whole)])
    expect(output).toMatch(/\nthe list was recorded at \S+Z \(rows \d+ and \d+ of the audit trail\)\n$/)
    // This portal draws by the key of its tests.
    expect(output).toContain('own beacon, which proves nothing')
    const wrong = (text: string) => ({ code: 1, output: expect.stringContaining(text) })
    expect(await verify({ order: draw.order.toReversed() })).toMatchObject(wrong('the order is not the one'))
    const beacon = { ...draw.beacon, signature: QUICKNET_ROUNDS[0].signature }
    expect(await verify({ beacon })).toMatchObject(wrong('the signature is not'))
    const [team, ...others] = draw.teams
    expect(await verify({ teams: [{ ...team, name: 'Đội khác' }, ...others] })).toMatchObject(
      wrong(`team ${team.id} is not the one of the closed list`),
    )
    await rm(folder, { recursive: true })
  })

  test('repeats draws of files that were saved: by the public beacon, and by a secret of before', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'draw-'))
    const verify = async (draw: object) => {
      const file = join(folder, 'draw.json')
      await writeFile(file, JSON.stringify(draw))
      return verifyFile(file)
    }
    expect(await verify(byBeacon())).toMatchObject({
      code: 0,
      output: expect.stringContaining('round 1000 of drand quicknet, signed by it'),
    })
    const { algorithm, commitment, secret, order, teams } = bySecret()
    const asPublished = {
      algorithm,
      commitment,
      secret,
      order,
      teams: teams.map(({ id, name, digest, seed }) => ({ id, name, digest, seed })),
    }
    expect(await verify(asPublished)).toMatchObject({
      code: 0,
      output: expect.stringContaining('the draw of 12 teams follows from its secret and its list'),
    })
    await rm(folder, { recursive: true })
  })

  test('finds a list that somebody has replaced in the database, with everything that follows from it', async () => {
    const referee = await openReferee(portal)
    const id = await referee.aDraw(4)
    const owner = new Client({ connectionString: portal.ownerUrl })
    await owner.connect()
    const { rows } = await owner.query('SELECT * FROM tournament_draw WHERE tournament_id = $1', [id])
    const { list, chain, round, closed_at } = rows[0]
    const teams = [...list].map((team: ListedTeam) => ({ ...team, seed: Number(team.id) }))
    const digest = listDigest({
      tournamentId: id,
      closedAt: closed_at.toISOString(),
      chain,
      round: Number(round),
      teams,
    })
    await owner.query('UPDATE tournament_draw SET list = $2, list_digest = $3 WHERE tournament_id = $1', [
      id,
      JSON.stringify(teams),
      digest,
    ])
    await owner.end()
    const { code, output } = await command('tournament', 'verify', id)
    expect([code, output]).toEqual([
      1,
      expect.stringContaining('wrong: the list is not the one that the audit trail has\n'),
    ])
  })
})

describe('game compare', { timeout: 120_000 }, () => {
  const SECRET = 'game-secret-of-the-tests'
  /** More than a page that is asked about (200), and more than one that is printed (500). */
  const [KNOWN, LOST] = [15, 505]

  test.runIf(hasAllCases)(
    'lists what a game that was set back does not know, in the order of purchase, and ends with 1; with 0 once nothing is missing',
    async () => {
      await using cleanup = new AsyncDisposableStack()
      const game = await startTestGame({ secret: SECRET })
      cleanup.defer(() => game.close())
      const { id, username } = await aPlayer(portal)
      const to = { serverId: '1', account: username.toLowerCase(), characterId: 'c1' }
      game.addCharacter({ id: 'c1', account: to.account, name: 'kiemgia' })
      const { rows } = await sql<{ id: string }>`
      INSERT INTO delivery (id, kind, user_id, amount, server_id, account, character_id, character_name, goods,
                            state, created_at, settled_at)
      SELECT gen_random_uuid(), 'exchange', ${id}::bigint, 10000, '1', ${to.account}, 'c1', 'kiemgia',
             '[{"kind": "luong", "quantity": 3300}]', 'delivered', now() - make_interval(mins => 900 - n), now()
        FROM generate_series(1, ${KNOWN + LOST}::integer) n ORDER BY n
      RETURNING id`.execute(portal.db)
      const ids = rows.map((row) => row.id)
      const bridge = openHttpGame({ url: game.url, secret: SECRET })
      const deliver = async (these: readonly string[]) => {
        for (const one of these)
          await bridge.deliver({ ...to, id: one, goods: [{ kind: 'luong', quantity: 3_300 }] })
      }
      const compare = (...words: string[]) =>
        runCommand(portal, ['game', 'compare', ...words], {
          GAME_SERVER_URL: game.url,
          GAME_SERVER_SECRET: SECRET,
        })

      await deliver(ids)
      // Each has two rows in the journal, applied and collected.
      await game.setBack(() => 2 * KNOWN)
      const lost = await compare('--server', '1')
      expect([lost.code, lost.errors]).toEqual([1, ''])
      const lines = lost.output.trimEnd().split('\n')
      expect(lines.slice(0, -1).map((line) => line.split('  ')[0])).toEqual(ids.slice(KNOWN))
      expect(lines[0]).toMatch(new RegExp(`  ${to.account}  kiemgia  3[.,]300 lượng$`))
      expect(lines.at(-1)).toBe(
        `${LOST} of ${KNOWN + LOST} deliveries are not known to the game; give them again at /admin/game-comparison`,
      )

      expect((await compare('--server', '2')).output).toMatch(/^0 of 0 deliveries/)
      await deliver(ids.slice(KNOWN))
      const whole = await compare()
      expect([whole.code, whole.output]).toEqual([0, expect.stringMatching(/^0 of 520 deliveries/)])
      expect((await compare('--since', 'hôm qua')).code).toBe(2)
    },
  )
})
