import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/bank.ts'
import { anOperator, type TestOperator } from '#tests/support/operators.ts'
import { AS_IF_LARGE, openPlanner, readWhole, type Planner } from '#tests/support/plans.ts'
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
        action: 'tests.change',
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
  [{ action: 'tests.change' }, [5, 4, 3, 2, 1]],
  [{ action: 'tests.change', subject_id: '1' }, [5, 3, 1]],
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
  const filter = { actor: owner.username.toUpperCase(), action: 'tests.change' }
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

test('its file leaves a row of its own', async () => {
  const file = await portal.call('GET', '/api/operator/audit.csv', { token: owner.token })
  expect(file.body).toContain('tests.change')
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
  ['an action', { action: 'tests.change' }],
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
