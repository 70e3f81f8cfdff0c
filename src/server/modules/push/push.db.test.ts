import { afterEach, describe, expect } from 'vitest'
import { sql } from 'kysely'
import { addNotice } from '#server/modules/notices/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { anotherProcess } from '#tests/support/app.ts'
import { testWith } from '#tests/support/fixtures.ts'
import { oneWaits } from '#tests/support/locks.ts'
import { noticesOf } from '#tests/support/notices.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { aBrowser, browserKeys, usePushingApp } from '#tests/support/push-service.ts'
import { claimDueMessages } from './push.queries.ts'
import { PUSH_PER_PLAYER } from './push.service.ts'
import { claimPushes, type PushDeps, sendPush, startPushJobs } from './sending.service.ts'
import { allDue } from '#tests/support/due-part.ts'

const pushing = usePushingApp()
const { portal, service } = pushing
const test = testWith(portal)
afterEach(async () => {
  service.answer(201)
  service.received.length = 0
  await sql`DELETE FROM push_message`.execute(portal.db)
})

let made = 0
const tell = ({ id }: TestPlayer, coins = 10_000) =>
  inTransaction(portal.db, (tx) =>
    addNotice(tx, id, {
      event: 'recharge-credited',
      subject: `push ${++made}`,
      data: { coins, bonus: 0, paid: 0, code: null },
    }),
  )

/** Sends all that is due; answers how many messages were taken. */
async function pushAll(deps: PushDeps = portal.deps): Promise<number> {
  let taken = 0
  for (;;) {
    const claimed = await claimPushes(deps, 20)
    if (claimed.length === 0) return taken
    taken += claimed.length
    await Promise.all(claimed.map((message) => sendPush(deps, message)))
  }
}

const subscriptionsOf = ({ id }: TestPlayer) =>
  portal.db.selectFrom('push_subscription').selectAll().where('user_id', '=', id).orderBy('id').execute()
const waiting = () => portal.db.selectFrom('push_message').selectAll().execute()
const makeDue = () =>
  sql`UPDATE push_message SET next_attempt_at = now() - interval '1 second'`.execute(portal.db)
const signedInAgain = async (player: TestPlayer): Promise<TestPlayer> => {
  const { username, password } = player
  const { body } = await portal.call('POST', '/api/auth/login', { body: { username, password } })
  return { ...player, token: body.access_token }
}
const consents = async ({ id }: TestPlayer) =>
  (
    await portal.db
      .selectFrom('consent')
      .select(['is_given', 'source'])
      .where('user_id', '=', id)
      .where('subject', '=', 'push')
      .orderBy('id')
      .execute()
  ).map(({ is_given, source }) => `${is_given} ${source}`)

test('the keys are made once, also by processes that need them at once, and are sealed', async ({
  player,
}) => {
  const others = await Promise.all([anotherProcess(portal), anotherProcess(portal)])
  const keyOf = async (app: (typeof others)[number]['app']) =>
    (await app.inject({ url: '/api/push/key', headers: { authorization: `Bearer ${player.token}` } })).json<{
      public_key: string
    }>().public_key
  const keys = await Promise.all([...others, portal].map(({ app }) => keyOf(app)))
  const { body } = await portal.call('GET', '/api/push/key', { token: player.token })
  expect([...new Set(keys)]).toEqual([body.public_key])
  const rows = await portal.db.selectFrom('push_key').selectAll().execute()
  expect(rows).toHaveLength(1)
  expect(rows[0]?.sealed_private_key.length).toBeGreaterThan(32)
  for (const other of others) await other.close()
})

test('a player adds so many browsers in a day, and each is one more of them', async ({ player }) => {
  for (let added = 1; added < PUSH_PER_PLAYER.points; added += 1)
    await portal.deps.limits.consume(PUSH_PER_PLAYER, player.id)
  await aBrowser(pushing, player)
  const { id: _browser, ...body } = service.subscription()
  const answer = await portal.call('POST', '/api/push/subscriptions', { token: player.token, body })
  expect([answer.status, answer.body.code]).toEqual([429, 'RATE_LIMITED'])
})

describe('a notice', () => {
  test('reaches each browser of its player, encrypted and signed, once', async ({ player }) => {
    const first = await aBrowser(pushing, player)
    const second = await aBrowser(pushing, await signedInAgain(player))
    await aBrowser(pushing, await aPlayer(portal))
    await pushAll()
    // Those about the new device.
    service.received.length = 0
    await tell(player, 70_000)
    await pushAll()
    await makeDue()
    await pushAll()
    const [notice] = (await noticesOf(portal, player)).filter(({ kind }) => kind === 'recharge')
    const { body: key } = await portal.call('GET', '/api/push/key', { token: player.token })
    expect(key).toEqual({ public_key: expect.any(String), subscription_id: first.id })
    expect(service.received.map(({ browser }) => browser).sort()).toEqual(
      [first.browser, second.browser].sort(),
    )
    expect(service.received[0]).toMatchObject({
      content: {
        tag: notice?.id,
        title: 'Đã cộng 70,000 TCoin',
        text: 'Khoản chuyển của bạn đã đến.',
        href: '/user/transactions',
      },
      topic: notice?.id,
      urgency: 'high',
      publicKey: key.public_key,
      subject: expect.stringMatching(/^mailto:khong-tra-loi@/),
    })
    expect(service.received[0]?.ttl).toBeGreaterThan(86_000)
    expect(await waiting()).toEqual([])
  })

  test('is not sent where its kind is off, where it was read, or where its transaction was undone', async ({
    player,
  }) => {
    await aBrowser(pushing, player)
    const choose = (bell: boolean) =>
      portal.call('PUT', '/api/notices/preferences', { token: player.token, body: { recharge: { bell } } })
    await choose(false)
    await tell(player)
    await choose(true)
    const undone = inTransaction(portal.db, async (tx) => {
      await addNotice(tx, player.id, { event: 'password-changed', subject: 'undone', data: {} })
      throw new Error('killed before the commit')
    })
    await expect(undone).rejects.toThrow('killed before the commit')
    await tell(player)
    const [notice] = await noticesOf(portal, player)
    await portal.call('POST', '/api/notices/read', { token: player.token, body: { until: notice!.id } })
    await pushAll()
    expect(service.received).toEqual([])
    expect(await waiting()).toEqual([])
  })

  test('is sent by one of many workers', async ({ player }) => {
    await aBrowser(pushing, player)
    for (let n = 0; n < 8; n++) await tell(player)
    const taken = await Promise.all(Array.from({ length: 8 }, () => claimPushes(portal.deps, 20)))
    expect(taken.flat()).toHaveLength(8)
  })

  test('that a killed worker had taken is sent by the next one', async ({ player }) => {
    await aBrowser(pushing, player)
    await tell(player)
    const killed = {
      ...portal.deps,
      pushPausePoint: async () => {
        throw new Error('killed')
      },
    }
    await expect(pushAll(killed)).rejects.toThrow('killed')
    expect(await pushAll()).toBe(0)
    await makeDue()
    expect(await pushAll()).toBe(1)
    expect(service.received).toHaveLength(1)
  })

  test('that a killed worker had sent comes again under the same topic and tag', async ({ player }) => {
    await aBrowser(pushing, player)
    await tell(player)
    const killed = {
      ...portal.deps,
      pushPausePoint: async (point: string) => {
        if (point === 'sent') throw new Error('killed')
      },
    }
    await expect(pushAll(killed)).rejects.toThrow('killed')
    await makeDue()
    await pushAll()
    await makeDue()
    await pushAll()
    expect(service.received).toHaveLength(2)
    const [first, second] = service.received
    expect([second?.topic, second?.content.tag]).toEqual([first?.topic, first?.content.tag])
  })

  test('is taken by one worker: what it is just taking is passed over by another', async ({ player }) => {
    await aBrowser(pushing, player)
    await tell(player)
    const claim = (db: Db) => claimDueMessages(db, allDue(20), 60)
    const { other } = await inTransaction(portal.db, async (tx) => {
      expect(await claim(tx)).toHaveLength(1)
      const second = claim(portal.db)
      await Promise.race([second, oneWaits(portal.db).catch(() => {})])
      return { other: second }
    })
    expect(await other).toEqual([])
  })

  test('is sent at once by the worker', async ({ player }) => {
    await aBrowser(pushing, player)
    const [pool] = startPushJobs(portal.deps)
    const toldAt = performance.now()
    await tell(player)
    await expect.poll(() => service.received.length, { timeout: 10_000, interval: 20 }).toBe(1)
    expect(service.received[0]!.atMs - toldAt).toBeLessThan(2_000)
    await pool?.stop()
  })
})

describe('a browser', () => {
  test.for([404, 410])('that is gone (%i) is forgotten at once', async (status, { player }) => {
    await aBrowser(pushing, player)
    await tell(player)
    await tell(player)
    service.answer(status)
    await pushAll()
    expect(await subscriptionsOf(player)).toEqual([])
    expect(await waiting()).toEqual([])
    const { body } = await portal.call('GET', '/api/push/key', { token: player.token })
    expect(body.subscription_id).toBeNull()
  })

  test('is tried again later while its service fails, and forgotten when that goes on', async ({
    player,
  }) => {
    await aBrowser(pushing, player)
    await tell(player)
    service.answer(503)
    await pushAll()
    expect(await waiting()).toMatchObject([{ attempt: 1 }])
    expect(await subscriptionsOf(player)).toMatchObject([{ failures: 1 }])
    service.answer(201)
    await makeDue()
    await pushAll()
    expect(service.received).toHaveLength(2)
    expect(await subscriptionsOf(player)).toMatchObject([{ failures: 0 }])
    await portal.db.updateTable('push_subscription').set({ failures: 19 }).execute()
    service.answer(503)
    await tell(player)
    await pushAll()
    expect(await subscriptionsOf(player)).toEqual([])
  })

  test('is told no more once its session has ended, by signing out or from another device', async ({
    player,
  }) => {
    await aBrowser(pushing, player)
    const other = await signedInAgain(player)
    await aBrowser(pushing, other)
    await tell(player)
    expect((await portal.call('DELETE', '/api/auth/sessions', { token: player.token })).status).toBe(204)
    expect(await subscriptionsOf(player)).toHaveLength(1)
    await portal.call('POST', '/api/auth/logout', { token: player.token })
    expect(await subscriptionsOf(player)).toEqual([])
    await pushAll()
    expect(service.received).toEqual([])
    expect(await waiting()).toEqual([])
  })

  test('is told no more while its session is past its time, although the row is still there', async ({
    player,
  }) => {
    await aBrowser(pushing, player)
    await tell(player)
    await sql`UPDATE sessions SET last_used_at = now() - interval '30 days' WHERE user_id = ${player.id}::bigint`.execute(
      portal.db,
    )
    await pushAll()
    expect(service.received).toEqual([])
  })

  test('belongs to whoever turned it on last, who gets nothing of the player before', async ({ player }) => {
    const { id: _, ...body } = service.subscription()
    const turnOn = (who: TestPlayer) =>
      portal.call('POST', '/api/push/subscriptions', { token: who.token, body })
    await turnOn(player)
    await tell(player)
    const next = await aPlayer(portal)
    expect((await turnOn(next)).status).toBe(201)
    await tell(player)
    await pushAll()
    expect(service.received).toEqual([])
    await tell(next, 30_000)
    await pushAll()
    expect(service.received.map(({ content }) => content.title)).toEqual(['Đã cộng 30,000 TCoin'])
  })

  test('is one of ten at most: the oldest gives way, and a session has one', async ({ player }) => {
    const ids: string[] = []
    for (let n = 0; n < 11; n++) ids.push((await aBrowser(pushing, await signedInAgain(player))).id)
    expect((await subscriptionsOf(player)).map(({ id }) => id)).toEqual(ids.slice(1))
    const one = await aPlayer(portal)
    await aBrowser(pushing, one)
    const { id } = await aBrowser(pushing, one)
    expect(await subscriptionsOf(one)).toMatchObject([{ id }])
  })

  test('is turned off by its player alone, and the consent is recorded both times', async ({ player }) => {
    const { id } = await aBrowser(pushing, player)
    const off = (who: TestPlayer) =>
      portal.call('DELETE', `/api/push/subscriptions/${id}`, { token: who.token })
    expect((await off(await aPlayer(portal))).status).toBe(404)
    expect(await consents(player)).toEqual(['true notices-page'])
    expect((await off(player)).status).toBe(204)
    expect((await off(player)).status).toBe(404)
    expect(await consents(player)).toEqual(['true notices-page', 'false notices-page'])
    await tell(player)
    expect(await waiting()).toEqual([])
  })

  test('names a push service of the internet: other addresses are refused by the field', async ({
    player,
  }) => {
    const { keys } = service.subscription()
    for (const endpoint of [
      'http://push.example/x',
      'http://fcm.googleapis.com/x',
      'http://127.0.0.1/x',
      'https://127.0.0.1/x',
      'https://0x7f.1/x',
      'https://10.0.0.1:8443/x',
      'https://[::1]/x',
      'https://[::ffff:10.0.0.1]/x',
      'https://8.8.8.8/x',
      'https://push.example/x',
      'https://a:b@fcm.googleapis.com/x',
      'https://fcm.googleapis.com:8443/x',
      'https://fcm.googleapis.com.evil.example/x',
      'https://evilpush.apple.com.vn/x',
      'https://push.services.mozilla.com.evil.example/x',
      `https://fcm.googleapis.com/${'x'.repeat(1_000)}`,
      'file:///etc/passwd',
      'push',
    ]) {
      const answer = await portal.call('POST', '/api/push/subscriptions', {
        token: player.token,
        body: { endpoint, keys },
      })
      expect([endpoint, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([
        endpoint,
        422,
        ['endpoint'],
      ])
    }
  })

  test.for([
    'https://fcm.googleapis.com/fcm/send/x',
    'https://updates.push.services.mozilla.com/wpush/v2/x',
    'https://web.push.apple.com/x',
    'https://wns2-by3p.notify.windows.com/w/?token=x',
  ])('names the push service of its browser: %s', async (endpoint, { player }) => {
    const body = { endpoint: `${endpoint}-${player.id}`, keys: browserKeys() }
    expect((await portal.call('POST', '/api/push/subscriptions', { token: player.token, body })).status).toBe(
      201,
    )
  })

  test('has keys that something can be encrypted with: others are refused by the field', async ({
    player,
  }) => {
    const { endpoint, keys } = service.subscription()
    const point = Buffer.from(keys.p256dh, 'base64url')
    const offTheCurve = Buffer.from(point)
    offTheCurve[64] = (offTheCurve[64] ?? 0) ^ 1
    const wrong: [field: string, keys: object][] = [
      ['keys.p256dh', { ...keys, p256dh: 'x' }],
      ['keys.p256dh', { ...keys, p256dh: 'A'.repeat(87) }],
      ['keys.p256dh', { ...keys, p256dh: offTheCurve.toString('base64url') }],
      ['keys.p256dh', { ...keys, p256dh: Buffer.from([2, ...point.subarray(1)]).toString('base64url') }],
      ['keys.auth', { ...keys, auth: 'A'.repeat(21) }],
      ['keys.auth', { ...keys, auth: 'A'.repeat(24) }],
    ]
    for (const [field, given] of wrong) {
      const body = { endpoint, keys: given }
      const answer = await portal.call('POST', '/api/push/subscriptions', { token: player.token, body })
      expect([given, answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([given, 422, [field]])
    }
  })

  test('whose stored key is no point of the curve is forgotten at the first message', async ({ player }) => {
    await aBrowser(pushing, player)
    const bad = { p256dh: 'A'.repeat(87) }
    await portal.db.updateTable('push_subscription').set(bad).where('user_id', '=', player.id).execute()
    await tell(player)
    await pushAll()
    expect(await subscriptionsOf(player)).toEqual([])
    expect(await waiting()).toEqual([])
    expect(service.received).toEqual([])
  })
})
