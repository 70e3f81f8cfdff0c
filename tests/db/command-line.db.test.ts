import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { openHttpGame } from '#server/modules/game-bridge/http-game.client.ts'
import { grantRole, usernameKey } from '#server/modules/accounts/index.ts'
import { useTestApp } from '#tests/support/app.ts'
import { drawOrder, type ListedTeam } from '#server/modules/tournaments/draw.rules.ts'
import { openReferee, someTeams, tournamentFields } from '#server/modules/tournaments/testing/referee.ts'
import { startTestGame } from '#tests/support/game-server.ts'
import { runCommand } from '#tests/support/processes.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPhone } from '#tests/support/phones.ts'
import { aPlayer } from '#tests/support/players.ts'
import { hasAllCases } from '#tests/support/test-run.ts'

const portal = useTestApp()

const command = (...words: string[]) => runCommand(portal, words)

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

  test('grant refuses a role that does not exist and a name that nobody has', async () => {
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

  test('create refuses a name or a phone that is taken, and a phone that is none', async () => {
    const { username } = await aPlayer(portal)
    const taken = await command('operator', 'create', username.toUpperCase(), aPhone())
    expect([taken.code, taken.errors.trim()]).toEqual([1, 'that username belongs to another account'])
    expect((await command('operator', 'create', 'quantri02', '12345')).code).toBe(2)
    expect(await auditOf('quantri02')).toEqual([])
  })
})

describe('audit verify', { timeout: 60_000 }, () => {
  test('ends with 0 for an untouched trail, and with 1 and the first broken row for a changed one', async () => {
    const { username } = await aPlayer(portal)
    for (const role of ['support', 'editor', 'cashier'] as const)
      await grantRole(portal.db, { username, role })
    expect(await command('audit', 'verify')).toMatchObject({ code: 0, output: 'the audit trail is whole\n' })
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
      const again = await command('export', username, file)
      expect([again.code, again.errors.trim()]).toEqual([
        1,
        `there is already something at ${file}; name another file`,
      ])

      const refused = await command('erase', username)
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
        ['erase', username],
        ['export', username, join(folder, 'nobody.json')],
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
      return command('tournament', 'verify', file)
    }
    const whole = 'the draw of 6 teams follows from its secret and its list\n'
    expect(await verify({})).toMatchObject({ code: 0, output: whole })
    const { code, output } = await command('tournament', 'verify', id)
    const promised =
      /^the secret was promised at \S+Z, before the list was closed at \S+Z \(rows \d+ and \d+ of/
    expect([code, output.slice(0, whole.length), output.slice(whole.length)]).toEqual([
      0,
      whole,
      expect.stringMatching(promised),
    ])
    expect(await verify({ order: draw.order.toReversed() })).toMatchObject({
      code: 1,
      output: expect.stringContaining('the order is not the one'),
    })
    expect(await verify({ secret: '0'.repeat(64) })).toMatchObject({
      code: 1,
      output: expect.stringContaining('not the one that was promised'),
    })
    const [team, ...others] = draw.teams
    const renamed = { ...team, name: 'Đội khác' }
    expect(await verify({ teams: [renamed, ...others] })).toMatchObject({
      code: 1,
      output: expect.stringContaining(`team ${team.id} is not the one that was drawn`),
    })
    await rm(folder, { recursive: true })
  })

  test.runIf(hasAllCases)(
    'finds a secret that was promised too late or nowhere, and a list that is drawn anew under the same secret',
    async () => {
      const referee = await openReferee(portal)
      const verify = (id: string) => command('tournament', 'verify', id)
      const wrong = (text: string) => ({ code: 1, output: expect.stringContaining(text) })
      const set = (id: string, change: object) =>
        portal.db.updateTable('tournaments').set(change).where('id', '=', id).execute()

      const late = await referee.aDraw(4)
      await set(late, { closed_at: new Date(Date.now() - 60_000) })
      expect(await verify(late)).toMatchObject(wrong('promised when the list was closed already'))

      const { id: unrecorded } = await portal.db
        .insertInto('tournaments')
        .values({ ...tournamentFields(), max_round: 2 })
        .returning('id')
        .executeTakeFirstOrThrow()
      await referee.addTeams(unrecorded, someTeams(4))
      expect((await referee.act(unrecorded, '/draw')).status).toBe(200)
      expect(await verify(unrecorded)).toMatchObject(wrong('the audit trail has no promise of a secret'))

      // As somebody would who writes to the database: with a team less, and everything that follows from it.
      const redrawn = await referee.aDraw(4)
      const stored = await portal.db
        .selectFrom('tournaments')
        .select(['draw_secret', 'drawn_list'])
        .where('id', '=', redrawn)
        .executeTakeFirstOrThrow()
      const [gone, ...list] = stored.drawn_list as ListedTeam[]
      await set(redrawn, { drawn_list: JSON.stringify(list) })
      const ofTournament = portal.db.updateTable('teams').where('tournament_id', '=', redrawn)
      await ofTournament.set({ draw_position: null }).execute()
      for (const [index, team] of drawOrder(stored.draw_secret, list).entries())
        await ofTournament
          .set({ draw_position: index + 1 })
          .where('id', '=', team)
          .execute()
      expect(gone).toBeDefined()
      expect(await verify(redrawn)).toEqual({
        code: 1,
        output: 'wrong: the list is not the one that the audit trail has\n',
        errors: '',
      })
    },
  )
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
