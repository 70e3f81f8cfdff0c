import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { anOperator, setProof, type TestOperator } from '#tests/support/operators.ts'
import { aPlayer } from '#tests/support/players.ts'

const portal = useTestApp()
let owner: TestOperator
beforeAll(async () => {
  owner = await anOperator(portal, 'owner')
})

const reason = 'Dùng phần mềm gian lận'
type Sent = { by?: TestOperator; key?: string; until?: string | null; reason?: string }
const ban = (ids: string[], { by = owner, key = randomUUID(), until = null, ...rest }: Sent = {}) =>
  portal.call('POST', '/api/operator/users/ban', {
    token: by.token,
    key,
    body: { ids, scope: 'trading', until, reason, ...rest },
  })
const bansOf = (ids: string[]) =>
  portal.db
    .selectFrom('audit_log')
    .select(['subject_id', 'actor_id', 'reason', 'action'])
    .where('action', 'like', 'users.ban%')
    .where('subject_id', 'in', ids)
    .orderBy('seq')
    .execute()
const isBanned = async (id: string) =>
  (await portal.db.selectFrom('users').select('ban_until').where('id', '=', id).executeTakeFirstOrThrow())
    .ban_until !== null
const people = async (count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await aPlayer(portal)).id))

test('several players are banned with one reason; a refused row leaves the others; a repeat answers the same', async () => {
  const [first = '', second = ''] = await people(2)
  const key = randomUUID()
  const ids = [first, '999999999', owner.id, second, first]
  const answer = await ban(ids, { key })
  const refused = { status: 'refused', message: expect.any(String) }
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      results: [
        { id: first, status: 'done' },
        { id: '999999999', ...refused, code: 'NOT_FOUND' },
        { id: owner.id, ...refused, code: 'CONFLICT' },
        { id: second, status: 'done' },
      ],
    },
  ])
  const row = { actor_id: owner.id, reason, action: 'users.ban' }
  const trail = [
    { ...row, subject_id: first },
    { ...row, subject_id: second },
  ]
  expect(await bansOf(ids)).toEqual(trail)
  const again = await ban(ids, { key })
  expect([again.status, again.body]).toEqual([200, answer.body])
  expect(await bansOf(ids)).toEqual(trail)
  expect((await ban(ids, { key, reason: 'Một lí do khác' })).body.code).toBe('KEY_REUSED')
})

test('a call that broke off goes on behind the rows that were done when its key is repeated', async () => {
  const ids = await people(3)
  const key = randomUUID()
  // As if the database failed at the third row.
  await asOwner(
    portal,
    `CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$`,
  )
  await asOwner(
    portal,
    `CREATE TRIGGER break_off BEFORE UPDATE ON users FOR EACH ROW WHEN (OLD.id = ${ids[2]}) EXECUTE FUNCTION break_off()`,
  )
  expect((await ban(ids, { key })).status).toBe(500)
  expect(await Promise.all(ids.map(isBanned))).toEqual([true, true, false])
  await asOwner(portal, 'DROP FUNCTION break_off CASCADE')
  expect((await ban(ids, { key })).body.results).toEqual(ids.map((id) => ({ id, status: 'done' })))
  expect((await bansOf(ids)).map(({ subject_id }) => subject_id)).toEqual(ids)
})

test('between 1 and 50 rows, an end still to come, and a fresh proof as for one alone', async () => {
  const [id = ''] = await people(1)
  const many = Array.from({ length: 51 }, (_, at) => String(900_000 + at))
  expect([(await ban(many)).status, (await ban([])).status]).toEqual([422, 422])
  expect((await ban(many.slice(1))).body.results).toHaveLength(50)
  const past = new Date(Date.now() - 1_000).toISOString()
  expect(Object.keys((await ban([id], { until: past })).body.errors)).toEqual(['until'])
  await setProof(portal, owner, { isFresh: false })
  expect((await ban([id])).body.code).toBe('STEP_UP_REQUIRED')
  expect(await isBanned(id)).toBe(false)
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  expect((await ban([id], { until: inAnHour })).body.results).toEqual([{ id, status: 'done' }])
  await setProof(portal, owner, { isFresh: true })
})

test('each row counts as an act; above the pace the call is refused, and its key goes on later', async () => {
  const ids = await people(3)
  const key = randomUUID()
  const other = await anOperator(portal, 'owner')
  await ban(['999999998'], { by: other })
  await asOwner(portal, `UPDATE rate_limit SET points = 118 WHERE key LIKE 'operator-acts:%'`)
  const over = await ban(ids, { by: other, key })
  expect([over.status, over.body.code]).toEqual([429, 'RATE_LIMITED'])
  expect(await Promise.all(ids.map(isBanned))).toEqual([true, true, false])
  await asOwner(portal, `DELETE FROM rate_limit WHERE key LIKE 'operator-acts:%'`)
  expect((await ban(ids, { by: other, key })).body.results).toEqual(ids.map((id) => ({ id, status: 'done' })))
  expect(await bansOf(ids)).toHaveLength(3)
})
