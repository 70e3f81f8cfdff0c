import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { aPlayer } from '#tests/support/players.ts'
import { anOperator, type TestOperator } from '#tests/support/operators.ts'
import { AS_IF_LARGE, openPlanner, readWhole, type Planner } from '#tests/support/plans.ts'
import { textOfParts } from '#contract/operator/audit-sentences/parts.ts'
import type { AuditEntry } from './audit.queries.ts'
import { describeActs } from './trail.service.ts'
import { appendAudit } from './index.ts'
import { countTrail, selectTrail, type TrailFilter } from './trail.queries.ts'

const portal = useTestApp()
let owner: TestOperator
let planner: Planner
beforeAll(async () => {
  owner = await anOperator(portal, 'owner')
  planner = await openPlanner(portal)
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
afterAll(() => planner.close())

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
