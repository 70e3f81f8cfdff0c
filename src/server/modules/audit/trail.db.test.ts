import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test, describe } from 'vitest'
import { textOfParts } from '#contract/operator/audit-sentences/parts.ts'
import { LIST_REACH_MAX } from '#contract/operator/fields.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { useOperators, usePlanner } from '#tests/support/fixtures.ts'
import { asOwner } from '#tests/support/databases.ts'
import { AS_IF_LARGE, readWhole, mostRowsRead } from '#tests/support/plans.ts'
import { aPlayer } from '#tests/support/players.ts'
import type { AuditEntry } from './audit.queries.ts'
import { appendAudit } from './index.ts'
import { countTrail, selectTrail, type TrailFilter } from './trail.queries.ts'
import { describeActs } from './trail.service.ts'

const portal = useTestApp()

const planner = usePlanner(portal)
const { owner } = useOperators(portal, { owner: 'owner' })
beforeAll(async () => {
  for (let n = 1; n <= 5; n++) {
    await inTransaction(portal.db, (tx) =>
      appendAudit(tx, {
        actor: { kind: 'operator', id: owner.id },
        action: 'groups.update',
        subject: { type: 'test', id: String(n % 2) },
        reason: 'thử',
        details: { before: n - 1, after: n },
        personal: { phone: '84901234567' },
        requestId: `yeu-cau-${n}`,
      }),
    )
  }
})

const list = (filter: object, more = '') =>
  portal.call('GET', `/api/operator/audit?filter=${encodeURIComponent(JSON.stringify(filter))}${more}`, {
    token: owner.token,
  })
const afterOf = (body: { details: { after?: number } }[]) => body.map(({ details }) => details.after)

test.each([
  [{ action: 'groups.update' }, [5, 4, 3, 2, 1]],
  [{ action: 'groups.update', subject_id: '1' }, [5, 3, 1]],
  [{ subject_type: 'test', subject_id: '0' }, [4, 2]],
  [{ request_id: 'yeu-cau-3' }, [3]],
  [{ subject_type: 'test', from: '2020-01-01', to: '2999-12-31' }, [5, 4, 3, 2, 1]],
  [{ subject_type: 'test', to: '2020-01-01' }, []],
  [{ subject_type: 'test', from: '2999-12-31' }, []],
  [{ subject_type: 'test', actor: 'khongcoai' }, []],
])('an operator finds rows by %o', async (filter, found) => {
  const { status, body } = await list(filter)
  expect(status).toBe(200)
  expect(afterOf(body)).toEqual(found)
})

test('by who acted, page after page, without what names a person', async () => {
  const filter = { actor: owner.username.toUpperCase(), action: 'groups.update' }
  const first = await list(filter, `&range=${encodeURIComponent('[0,1]')}`)
  expect(first.body[0]).toMatchObject({
    actor_kind: 'operator',
    actor: { id: owner.id, username: owner.username },
    subject: { type: 'test', id: '1' },
    reason: 'thử',
    details: { before: 4, after: 5 },
    request_id: 'yeu-cau-5',
  })
  expect(JSON.stringify(first.body)).not.toContain('84901234567')
  const after = first.headers['x-next-after'] as string
  const second = await list(filter, `&range=${encodeURIComponent('[0,9]')}&after=${after}`)
  expect(afterOf(second.body)).toEqual([3, 2, 1])
})

test('a day that no calendar has is refused', async () => {
  expect((await list({ from: '2026-02-30' })).body).toMatchObject({ code: 'VALIDATION' })
})

const record = (entry: Pick<AuditEntry, 'action' | 'subject' | 'details'>) =>
  inTransaction(portal.db, (tx) =>
    appendAudit(tx, { actor: { kind: 'operator', id: owner.id }, reason: 'thử', ...entry }),
  )

test('rows are sentences that name what they are about as it is called now', async () => {
  const player = await aPlayer(portal)
  const server = { id: '1', name: 'Tên cũ', position: 1 }
  await record({
    action: 'users.adjust',
    subject: { type: 'user', id: player.id },
    details: { amount: -1500, before: { balance: 2000, debt: 0 }, after: { balance: 500, debt: 0 } },
  })
  await record({
    action: 'servers.update',
    subject: { type: 'server', id: '1' },
    details: { before: { ...server, name: 'Tên xưa' }, after: server },
  })
  const [byPlayer] = (await list({ action: 'users.adjust' })).body
  expect(byPlayer.sentence).toEqual([
    { text: 'trừ 1,500 TCoin của ', thing: null },
    { text: player.username, thing: { type: 'user', id: player.id } },
  ])
  expect(byPlayer.changes).toEqual([{ label: 'Số dư', before: '2,000 TCoin', after: '500 TCoin' }])
  const { name } = await portal.db
    .selectFrom('servers')
    .select('name')
    .where('id', '=', '1')
    .executeTakeFirstOrThrow()
  const [ofServer] = (await list({ action: 'servers.update' })).body
  expect(textOfParts(ofServer.sentence)).toBe(`sửa máy chủ ${name}`)
  expect(ofServer.changes).toEqual([{ label: 'Tên', before: 'Tên xưa', after: 'Tên cũ' }])
})

const KINDS: [AuditEntry['action'], type: string, id: string][] = [
  ['users.note', 'user', '1'],
  ['servers.update', 'server', '1'],
  ['groups.update', 'ranking-group', '1'],
  ['posts.update', 'post', '1'],
  ['categories.update', 'category', '1'],
  ['pictures.delete', 'picture', '1'],
  ['tournaments.finish', 'tournament', '1'],
  ['deliveries.ask', 'delivery', randomUUID()],
  ['bank-transfers.ignore', 'bank_transaction', '1'],
  ['payment-events.dismiss', 'payment_event', '1'],
  ['daily-closes.read-anew', 'daily_close', '1'],
]

test('however many rows there are, each kind of thing is named by one statement, by its key', async () => {
  await planner.owner.query(AS_IF_LARGE)
  const acts = KINDS.flatMap(([action, type, id]) =>
    [id, id, 'x; DROP TABLE users', '99999999999999999999'].map((one) => ({
      action,
      subject: { type, id: one },
      details: { after: { winning_team_id: '1' } },
    })),
  )
  const { queries, nodes } = await planner.plansOf(() => describeActs(planner.db, acts))
  // And the team that won the tournament.
  expect(queries).toBe(KINDS.length + 1)
  expect(readWhole(nodes, /./)).toEqual([])
})

test('its file has the words of the screen and leaves a row of its own', async () => {
  const { body } = await portal.call('GET', '/api/operator/audit.csv', { token: owner.token })
  expect(body).toContain('Sửa bảng xếp hạng')
  expect(body).toMatch(/,Trừ 1,500 TCoin của \w+,|"Trừ 1,500 TCoin của \w+"/)
  expect(body).toContain('Số dư: 2,000 TCoin → 500 TCoin')
  expect(body).not.toMatch(/groups\.update|users\.adjust|,user,|,server,/)
  expect((await list({ action: 'audit.export' })).body).toHaveLength(1)
})

test('the check finds a row that somebody with the owner’s rights changed', async () => {
  const check = () => portal.call('GET', '/api/operator/audit/verify', { token: owner.token })
  const { body } = await check()
  expect(body).toMatchObject({ faults: [], checked_at: expect.any(String) })
  expect(body.rows).toBeGreaterThanOrEqual(5)
  const change = (reason: string) =>
    asOwner(
      portal,
      `DO $$ BEGIN
        ALTER TABLE audit_log DISABLE TRIGGER USER;
        UPDATE audit_log SET reason = '${reason}' WHERE request_id = 'yeu-cau-2';
        ALTER TABLE audit_log ENABLE TRIGGER USER; END $$`,
      [],
    )
  const [changed] = (await list({ request_id: 'yeu-cau-2' })).body
  await change('khác')
  expect((await check()).body.faults).toEqual([{ id: changed.id, fault: 'hash' }])
  await change('thử')
  expect((await check()).body.faults).toEqual([])
})

const MOMENT = new Date('2026-11-01T00:00:00Z')

test.each<[string, TrailFilter]>([
  ['all', {}],
  ['an action', { action: 'groups.update' }],
  ['a person', { actorId: '1' }],
  ['a kind of subject', { subjectType: 'test' }],
  ['a subject', { subjectType: 'test', subjectId: '1' }],
  ['a request', { requestId: 'yeu-cau-1' }],
  ['a time', { since: MOMENT, until: MOMENT }],
])('the rows of %s are read through an index', async (_, filter) => {
  await planner.owner.query(AS_IF_LARGE)
  const page = { order: 'desc', from: 0, to: 24 } as const
  const { nodes } = await planner.plansOf(async () => {
    await selectTrail(planner.db, filter, page)
    await countTrail(planner.db, filter)
  })
  expect(readWhole(nodes, /^audit_log$/)).toEqual([])
  expect(nodes.filter((node) => node['Node Type'] === 'Sort' && node['Actual Rows'] > 25)).toEqual([])
})

describe('plans', () => {
  /**
   * Years of acts: twenty operators, of whom one did half of everything; forty actions, of which one is half of everything;
   * five thousand subjects of ten types; an act a minute.
   */
  const ROWS = 100_000
  const BUSY = '1'
  const RARE = '17'

  const planner = usePlanner(
    portal,
    `SET session_replication_role = replica;
    TRUNCATE audit_log, audit_personal;
    INSERT INTO audit_log (seq, at, actor_kind, actor_id, action, subject_type, subject_id, reason, details, request_id,
        prev_hash, hash)
      SELECT n, timestamptz '2026-01-01Z' + n * interval '1 minute', 'operator',
             CASE WHEN n % 2 = 0 THEN ${BUSY} ELSE 2 + n % 19 END,
             CASE WHEN n % 2 = 1 THEN 'users.note' ELSE 'tests.act-' || n % 39 END,
             'type-' || n % 10, (n % 5000)::text, 'Lý do', '{"before": 1, "after": 2}', 'request-' || n / 2, '', ''
        FROM generate_series(1000, ${ROWS + 999}) n`,
    'VACUUM ANALYZE',
  )

  const filters: [string, TrailFilter][] = [
    ['nothing', {}],
    ['one actor', { actorId: RARE }],
    ['the actor of half the rows', { actorId: BUSY }],
    ['one action', { action: 'tests.act-7' }],
    ['a type of subjects', { subjectType: 'type-3' }],
    ['one subject', { subjectType: 'type-3', subjectId: '1003' }],
    ['a subject’s id alone', { subjectId: '1003' }],
    ['a request', { requestId: 'request-40000' }],
    ['a week', { since: new Date('2026-03-02T00:00:00Z'), until: new Date('2026-03-09T00:00:00Z') }],
    ['one actor’s acts of one kind', { actorId: RARE, action: 'users.note' }],
    ['acts of a kind that the actor of half the rows never did', { actorId: BUSY, action: 'users.note' }],
    [
      'one action in a week',
      {
        action: 'tests.act-7',
        since: new Date('2026-03-02T00:00:00Z'),
        until: new Date('2026-03-09T00:00:00Z'),
      },
    ],
    ['what nobody ever did', { action: 'tests.nothing' }],
  ]

  /** A page, and what a filter of two conditions passes over on the way to it. */
  const PASSED_OVER_MAX = 3_000

  describe.each(filters)('the trail by %s', (_, filter) => {
    test.each([
      ['the first page', { order: 'desc', from: 0, to: 24 }],
      ['the page after a row in the middle', { order: 'desc', from: 0, to: 24, after: '50000' }],
      ['the oldest first', { order: 'asc', from: 0, to: 24 }],
    ] as const)('%s is read by index', async (_page, page) => {
      const { nodes } = await planner.plansOf(() => selectTrail(planner.db, filter, page))
      const trail = nodes.filter((node) => node['Relation Name'] === 'audit_log')
      expect(trail.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
      expect(mostRowsRead(trail)).toBeLessThanOrEqual(PASSED_OVER_MAX)
    })

    test('is counted no further than it reaches', async () => {
      const { nodes } = await planner.plansOf(() => countTrail(planner.db, filter))
      const trail = nodes.filter((node) => node['Relation Name'] === 'audit_log')
      expect(mostRowsRead(trail)).toBeLessThanOrEqual(2 * LIST_REACH_MAX + PASSED_OVER_MAX)
    })
  })
})
