import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { asOwner } from '#tests/support/databases.ts'
import { requestOf } from './access-rows.ts'
import { ACCESS_TABLE } from './access-table.ts'
import { sendRequest } from './send-request.ts'
import { useWorld } from './cast.ts'

/** Calls that change something and are no acts: tests/repo/operator-acts.test.ts has the reasons. */
const NO_ACT =
  /operator\/(session|step-up)$|\/draft$|\/preview(-qr)?$|\/statement-file\/read$|\/saved-filters/

const ACTS = Object.entries(ACCESS_TABLE).filter(
  ([route]) => /^(POST|PUT|DELETE) \/api\/operator\//.test(route) && !NO_ACT.test(route),
)

const world = useWorld()
beforeEach(() => world.forgetPace())

const pace = async () => {
  const counted = world.portal.db
    .selectFrom('rate_limit')
    .select('points')
    .where('key', 'like', 'operator-acts:%')
  return (await counted.execute()).map(({ points }) => points)
}

const trailOf = (requestId: string | undefined) =>
  world.portal.db
    .selectFrom('audit_log')
    .select(['actor_kind', 'actor_id', 'reason'])
    .where('request_id', '=', requestId ?? '')
    .execute()

test('security row 40: one operator acts at most 120 times a minute', async () => {
  const { portal, owner } = world
  const note = () =>
    portal.call('POST', `/api/operator/users/${owner.id}/notes`, {
      token: owner.token,
      body: { note: 'Đã gọi điện' },
    })
  expect((await note()).status).toBe(201)
  await asOwner(portal, "UPDATE rate_limit SET points = 119 WHERE key LIKE 'operator-acts:%'")
  expect([(await note()).status, (await note()).status]).toEqual([201, 429])
})

test.each(ACTS)(
  'security row 40: %s counts as an act, and when it is done its row is in the trail, once for its key',
  async (route, row) => {
    const { portal, owner } = world
    const request = await requestOf(world, [route, row])
    const headers = { 'idempotency-key': randomUUID() }
    await world.forgetPace()
    const question = { ...request, token: owner.token, headers }
    const first = await sendRequest(portal, question)
    expect(await pace(), first.text).toEqual([1])
    const trail = await trailOf(first.headers['x-request-id'])
    const isDone = first.status < 300
    // The ids of that probe are no deliveries: nothing is done for them.
    expect(trail.length > 0).toBe(isDone && route !== 'POST /api/operator/deliveries/retry')
    // A note is its own reason, and its words stand in the note alone.
    const reason = route.endsWith('/notes') ? null : (request.body as { reason: string }).reason
    for (const entry of trail) expect(entry).toEqual({ actor_kind: 'operator', actor_id: owner.id, reason })
    // The link of an invitation and gift codes are secret and not stored for repeats.
    const again =
      isDone && !/\/(invites|gift-code-batches)$/.test(route) ? await sendRequest(portal, question) : first
    expect([again.status, again.text]).toEqual([first.status, first.text])
    expect(again === first ? [] : await trailOf(again.headers['x-request-id'])).toEqual([])
  },
)
