import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIST_REACH_MAX } from '#contract/operator/fields.ts'
import { useTestApp } from '#tests/support/app.ts'
import { mostRowsRead, openPlanner, type Planner } from '#tests/support/plans.ts'
import { countTrail, selectTrail, type TrailFilter } from './trail.queries.ts'

/**
 * Years of acts: twenty operators, of whom one did half of everything; forty actions, of which one is half of everything;
 * five thousand subjects of ten types; an act a minute.
 */
const ROWS = 200_000
const BUSY = '1'
const RARE = '17'

const portal = useTestApp()
let planner: Planner
beforeAll(async () => {
  planner = await openPlanner(portal)
  await planner.owner.query(`SET session_replication_role = replica;
    INSERT INTO audit_log (seq, at, actor_kind, actor_id, action, subject_type, subject_id, reason, details, request_id,
        prev_hash, hash)
      SELECT n, timestamptz '2026-01-01Z' + n * interval '1 minute', 'operator',
             CASE WHEN n % 2 = 0 THEN ${BUSY} ELSE 2 + n % 19 END,
             CASE WHEN n % 2 = 1 THEN 'users.note' ELSE 'tests.act-' || n % 39 END,
             'type-' || n % 10, (n % 5000)::text, 'Lí do', '{"before": 1, "after": 2}', 'request-' || n / 2, '', ''
        FROM generate_series(1000, ${ROWS + 999}) n`)
  await planner.owner.query('VACUUM ANALYZE')
}, 120_000)
afterAll(() => planner.close())

const filters: [string, TrailFilter][] = [
  ['nothing', {}],
  ['one actor', { actorId: RARE }],
  ['the actor of half the rows', { actorId: BUSY }],
  ['one action', { action: 'tests.act-7' }],
  ['a type of subjects', { subjectType: 'type-3' }],
  ['one subject', { subjectType: 'type-3', subjectId: '1003' }],
  ['a subject’s id alone', { subjectId: '1003' }],
  ['a request', { requestId: 'request-70000' }],
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
    ['the page after a row in the middle', { order: 'desc', from: 0, to: 24, after: '100000' }],
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
