import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { canonicalPhone } from '#contract/fields.ts'
import type { User } from '#contract/users.ts'
import { createAccount } from '#server/modules/accounts/index.ts'
import { exportPerson } from '#server/modules/personal-data/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { anAddress, aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { useOperators, usePlanner } from '#tests/support/fixtures.ts'
import { useTestApp } from '#tests/support/app.ts'
import { aPhone } from '#tests/support/phones.ts'
import { mostRowsRead } from '#tests/support/plans.ts'
import { consentColumns, findLatest, listRecords } from './consents.queries.ts'

const portal = useTestApp()

let player: TestPlayer

const { owner } = useOperators(portal, { owner: 'owner' })
beforeEach(async () => {
  player = await aPlayer(portal)
})

const consent = (body: object, { token } = player) =>
  portal.call('POST', '/api/user/consents', { token, body: { source: 'notice', given: true, ...body } })
const mine = async ({ token } = player) => (await portal.call('GET', '/api/user/consents', { token })).body
const whoAmI = async ({ token } = player) =>
  (await portal.call('POST', '/api/auth/verify', { body: { access_token: token } })).body
const rowsOf = ({ id } = player) =>
  portal.db.selectFrom('consent').selectAll().where('user_id', '=', id).orderBy('id').execute()

/** Answers the number of the new version. */
async function publish(kind: 'terms' | 'privacy'): Promise<number> {
  const { version } = (await portal.call('GET', `/api/legal/${kind}`)).body
  const { body } = await portal.call('POST', `/api/operator/legal/${kind}/versions`, {
    token: owner.token,
    body: { content: `<p>Bản ${version + 1}</p>`, version, reason: 'Luật sư đã xem' },
  })
  return body.version
}

describe('a registration', () => {
  test('records both texts in the versions in force at that moment', async () => {
    const terms = await publish('terms')
    const privacy = (await portal.call('GET', '/api/legal/privacy')).body.version
    const newcomer = await aPlayer(portal)
    expect(await rowsOf(newcomer)).toMatchObject([
      { subject: 'terms', version: terms, is_given: true, source: 'registration' },
      { subject: 'privacy', version: privacy, is_given: true, source: 'registration' },
    ])
    expect(await whoAmI(newcomer)).toMatchObject({ unread_texts: [], pixel_consent: null })
  })

  test('that is refused records nothing', async () => {
    const before = await portal.db
      .selectFrom('consent')
      .select(sql<string>`count(*)`.as('count'))
      .execute()
    const { status } = await portal.call('POST', '/api/auth/register', {
      from: anAddress(),
      body: { username: player.username, password: 'mat-khau-12', phone: aPhone() },
    })
    expect(status).toBe(422)
    expect(
      await portal.db
        .selectFrom('consent')
        .select(sql<string>`count(*)`.as('count'))
        .execute(),
    ).toEqual(before)
  })
})

describe('a new version', () => {
  test('is named to a player until they agree to it, and not again', async () => {
    const version = await publish('privacy')
    expect((await whoAmI()).unread_texts).toEqual([{ kind: 'privacy', version }])
    const { status, body } = await consent({ subject: 'privacy', version })
    expect(status).toBe(200)
    expect(body).toMatchObject({ subject: 'privacy', version, given: true, source: 'notice' })
    expect((await whoAmI()).unread_texts).toEqual([])
    const { subjects } = await mine()
    expect(subjects[1]).toMatchObject({ subject: 'privacy', current_version: version, latest: { version } })
  })

  test('can be agreed to while it is in force only', async () => {
    const version = await publish('terms')
    await publish('terms')
    for (const other of [version, version + 2]) {
      const answer = await consent({ subject: 'terms', version: other })
      expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT'])
    }
    expect((await whoAmI()).unread_texts).toEqual([{ kind: 'terms', version: version + 1 }])
  })

  test('is named to whoever was registered by the command line, who agreed to nothing', async () => {
    const account = await inTransaction(portal.db, (tx) =>
      createAccount(tx, {
        username: 'tucongcu1',
        phone: canonicalPhone(aPhone()),
        passwordHash: 'x',
        serverId: '1',
      }),
    )
    const state = consentColumns(sql`${account.id}::bigint`)
    const { rows } = await sql<Pick<User, 'unread_texts' | 'pixel_consent'>>`SELECT ${state}`.execute(
      portal.db,
    )
    expect(rows[0]?.unread_texts.map(({ kind }) => kind)).toEqual(['terms', 'privacy'])
  })
})

describe('what was answered', () => {
  test('twice is one record', async () => {
    const version = await publish('terms')
    const [first, second] = [
      await consent({ subject: 'terms', version }),
      await consent({ subject: 'terms', version }),
    ]
    expect(second.body).toEqual(first.body)
    expect(await rowsOf()).toHaveLength(3)
  })

  test('about the pixel can be withdrawn and given again, each with its time', async () => {
    for (const given of [true, false, false, true]) {
      await consent({ subject: 'pixel', version: 1, given, source: 'pixel-question' })
      expect((await whoAmI()).pixel_consent).toBe(given)
    }
    const { records } = await mine()
    expect(records.slice(0, 3).map(({ given }: { given: boolean }) => given)).toEqual([true, false, true])
    expect(records).toHaveLength(5)
  })

  test('about a text cannot be withdrawn alone', async () => {
    const { version } = (await portal.call('GET', '/api/legal/terms')).body
    const { status, body } = await consent({ subject: 'terms', version, given: false })
    expect(status).toBe(422)
    expect(body.errors.given[0]).toContain('yêu cầu xóa tài khoản')
  })

  test('is limited, since every row stays', async () => {
    const statuses: number[] = []
    for (let turn = 0; turn < 31; turn++)
      statuses.push((await consent({ subject: 'pixel', version: 1, given: turn % 2 === 0 })).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
    expect(statuses.at(-1)).toBe(429)
  })

  test('cannot name registration as its source, nor a text that does not exist', async () => {
    expect((await consent({ subject: 'terms', version: 1, source: 'registration' })).status).toBe(422)
    expect((await consent({ subject: 'refunds', version: 1 })).status).toBe(422)
  })

  test('stays as it was, also for the portal’s own role', async () => {
    await expect(portal.db.updateTable('consent').set({ is_given: false }).execute()).rejects.toThrow(
      /permission denied/,
    )
    await expect(portal.db.deleteFrom('consent').execute()).rejects.toThrow(/permission denied/)
  })

  test('names a version that was published, by the database too', async () => {
    const insert = sql`INSERT INTO consent (user_id, subject, version, is_given, source)
      VALUES (${player.id}, 'terms', 99999, true, 'notice')`
    await expect(insert.execute(portal.db)).rejects.toThrow(/foreign key/)
  })

  test('is in the export of the person', async () => {
    await consent({ subject: 'pixel', version: 1, given: false, source: 'consents-page' })
    let text = ''
    for await (const piece of await exportPerson({ db: portal.db, now: new Date() }, player.username))
      text += piece
    const { consents } = JSON.parse(text)
    expect(consents.map(({ subject, source }: Record<string, string>) => [subject, source])).toEqual([
      ['terms', 'registration'],
      ['privacy', 'registration'],
      ['pixel', 'consents-page'],
    ])
  })
})

describe('plans', () => {
  const PLAYERS = 20_000
  const RECORDS = 4

  const planner = usePlanner(
    portal,
    `SET session_replication_role = replica;
    INSERT INTO consent (user_id, subject, version, is_given, source)
      SELECT u, CASE n WHEN 1 THEN 'terms' WHEN 2 THEN 'privacy' ELSE 'pixel' END, 1, true, 'notice'
        FROM generate_series(1, ${RECORDS}) n, generate_series(1001, ${1000 + PLAYERS}) u`,
    'VACUUM ANALYZE',
  )

  test('the records of one player are found by index, at each visit too', async () => {
    const { nodes } = await planner.plansOf(async () => {
      const { rows } = await sql`SELECT ${consentColumns(sql`${'5000'}::bigint`)}`.execute(planner.db)
      expect(rows).toMatchObject([{ pixel_consent: true }])
      expect((await findLatest(planner.db, '5000', 'pixel'))?.given).toBe(true)
      expect(await listRecords(planner.db, '5000')).toHaveLength(RECORDS)
    })
    expect(mostRowsRead(nodes.filter((node) => node['Relation Name'] === 'consent'))).toBeLessThanOrEqual(
      RECORDS,
    )
  })
})
