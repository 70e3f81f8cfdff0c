import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { HOUSE } from '#server/modules/wallet/index.ts'
import { useTestApp } from '#tests/support/app.ts'
import {
  aBuyer,
  rowOf,
  workOnce,
  dyingAt,
  buyLuongFor,
  eventually,
  luongOf,
} from '#tests/support/purchases.ts'
import { asOwner } from '#tests/support/databases.ts'
import { anEmail, giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { operatorsCall } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { balanceOf, expectReconciled } from '#tests/support/ledger.ts'
import { refundDelivery } from './operator.service.ts'

const portal = useTestApp()

afterEach(() => expectReconciled(portal))

describe('a delivery', () => {
  test('that the game applies is settled: coins from the hold to the revenue, luong to the character', async () => {
    const { character, id } = await aBuyer(portal)
    const [held, revenue] = [
      await balanceOf(portal.db, HOUSE.deliveryHold),
      await balanceOf(portal.db, HOUSE.revenue),
    ]
    expect(await workOnce(portal.deps)).toBe(1)
    expect(await rowOf(portal, id)).toMatchObject({ state: 'delivered', attempt: 1, lease_token: null })
    expect(await luongOf(portal.db, character)).toBe(3_300)
    expect(await balanceOf(portal.db, HOUSE.deliveryHold)).toBe(held - 10_000)
    expect(await balanceOf(portal.db, HOUSE.revenue)).toBe(revenue + 10_000)
  })

  test('that the game refuses is refunded, and the player’s page gets a hint', async () => {
    const { player, character, id } = await aBuyer(portal)
    await asOwner(portal, 'UPDATE game.characters SET account = $1 WHERE id = $2', ['nguoikhac', character])
    const hints: string[] = []
    const stop = portal.deps.listener.on('delivery_changed', (userId) => hints.push(userId))
    // Listening begins a moment after the call.
    await eventually(async () => {
      await sql`SELECT pg_notify('delivery_changed', 'test')`.execute(portal.db)
      expect(hints).toContain('test')
    })
    await workOnce(portal.deps)
    expect(await rowOf(portal, id)).toMatchObject({ state: 'refunded', last_error: 'no-such-character' })
    expect(await balanceOf(portal.db, player.walletId)).toBe(10_000)
    await eventually(async () => expect(hints).toContain(player.id))
    stop()
    const { body } = await portal.call('GET', '/api/user/deliveries', { token: player.token })
    expect((body as { data: { status: string }[] }).data.map(({ status }) => status)).toEqual(['refunded'])
  })

  test('that is over stays as it is', async () => {
    const { id } = await aBuyer(portal)
    await workOnce(portal.deps)
    const change = portal.db
      .updateTable('delivery')
      .set({ state: 'pending', settled_at: null })
      .where('id', '=', id)
    await expect(change.execute()).rejects.toThrow('already delivered')
  })
})

describe('GET /user/deliveries', () => {
  test('lists the player’s own purchases in pages, the newest first', async () => {
    const mine = await aBuyer(portal, 50_000)
    await aBuyer(portal)
    const ids = [mine.id]
    for (let more = 0; more < 4; more++) ids.unshift(await buyLuongFor(portal, mine))
    const page = async (query: string) => {
      const { status, body } = await portal.call('GET', `/api/user/deliveries${query}`, {
        token: mine.player.token,
      })
      expect(status).toBe(200)
      const { data, payload } = body as {
        data: { id: string; status: string }[]
        payload: { pagination: unknown }
      }
      return { ids: data.map(({ id }) => id), statuses: data.map(({ status }) => status), ...payload }
    }
    expect(await page('')).toMatchObject({
      ids,
      statuses: Array(5).fill('pending'),
      pagination: { page: 1, items_per_page: 20, total: 5, last_page: 1 },
    })
    expect(await page('?page=2&items_per_page=2')).toMatchObject({
      ids: ids.slice(2, 4),
      pagination: { page: 2, items_per_page: 2, total: 5, last_page: 3 },
    })
    expect((await page('?page=9')).ids).toEqual([])
    while ((await workOnce(portal.deps)) > 0);
    expect((await page('')).statuses).toEqual(Array(5).fill('delivered'))
  })

  test('of a new player is empty; a visitor has none; wrong pages are refused', async () => {
    const { token } = await aPlayer(portal)
    expect(await portal.call('GET', '/api/user/deliveries', { token })).toMatchObject({
      status: 200,
      body: { data: [], payload: { pagination: { page: 1, items_per_page: 20, total: 0, last_page: 1 } } },
    })
    expect((await portal.call('GET', '/api/user/deliveries')).status).toBe(401)
    for (const query of ['?page=0', '?page=x', '?items_per_page=101']) {
      expect((await portal.call('GET', `/api/user/deliveries${query}`, { token })).status).toBe(422)
    }
  })
})

const REASON = 'Người chơi báo không nhận được lượng'
const refund = async (id: string) => (await refundDelivery(portal.deps, operatorsCall(id, REASON))).state

const resolutionsOf = (id: string) =>
  portal.db
    .selectFrom('audit_log')
    .select(['action', 'reason', 'details'])
    .where('subject_id', '=', id)
    .execute()

describe('an operator’s refund', () => {
  test('while a worker holds the lease and has not sent: refunded, and the game refuses what comes late', async () => {
    const { player, character, id } = await aBuyer(portal)
    const paused = dyingAt(portal.deps, 'claimed')
    const sending = workOnce({ ...paused.deps, deliveryLeaseSeconds: 30 })
    await paused.reached
    expect(await refund(id)).toBe('refunded')
    paused.wakeUp()
    await sending
    expect((await rowOf(portal, id)).state).toBe('refunded')
    expect(await luongOf(portal.db, character)).toBe(0)
    expect(await balanceOf(portal.db, player.walletId)).toBe(10_000)
  })

  test('when the goods have arrived already: settled instead, and the coins stay spent', async () => {
    const { player, character, id } = await aBuyer(portal)
    const paused = dyingAt(portal.deps, 'called')
    const sending = workOnce({ ...paused.deps, deliveryLeaseSeconds: 30 })
    await paused.reached
    expect(await refund(id)).toBe('delivered')
    paused.wakeUp()
    await sending
    expect((await rowOf(portal, id)).state).toBe('delivered')
    expect(await luongOf(portal.db, character)).toBe(3_300)
    expect(await balanceOf(portal.db, player.walletId)).toBe(0)
  })

  test('raced by the worker and by a second operator ends in one state, goods or coins and never both', async () => {
    for (let round = 0; round < 15; round++) {
      const { player, character, id } = await aBuyer(portal)
      const ends = await Promise.allSettled([workOnce(portal.deps), refund(id), refund(id)])
      expect(ends.filter(({ status }) => status === 'rejected')).toEqual([])
      const { state } = await rowOf(portal, id)
      const isRefunded = state === 'refunded'
      expect(['refunded', 'delivered']).toContain(state)
      expect(await luongOf(portal.db, character)).toBe(isRefunded ? 0 : 3_300)
      expect(await balanceOf(portal.db, player.walletId)).toBe(isRefunded ? 10_000 : 0)
      expect((await resolutionsOf(id)).length).toBeLessThanOrEqual(1)
    }
  })
})

const receiptOf = (player: TestPlayer, id: string) =>
  portal.call('GET', `/api/user/deliveries/${id}`, { token: player.token })

/** The game no longer has the character. */
const loseCharacter = (character: string) =>
  asOwner(portal, 'UPDATE game.characters SET account = $1 WHERE id = $2', ['nguoikhac', character])

const parked = (id: string) => asOwner(portal, `UPDATE delivery SET state = 'parked' WHERE id = $1`, [id])

/** A purchase of a player who has proved an address. */
async function aNotifiedBuyer(coins?: number) {
  const email = anEmail()
  const bought = await aBuyer(portal, coins)
  await giveVerifiedEmail(portal, bought.player.id, email)
  return { ...bought, email }
}

describe('the receipt of a purchase', () => {
  test('shows what was bought, for whom and where, and follows it until it has arrived', async () => {
    const { player, id } = await aBuyer(portal)
    const open = await receiptOf(player, id)
    expect(open).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: {
        id,
        kind: 'exchange',
        goods: [{ kind: 'luong', quantity: 3_300 }],
        amount: 10_000,
        status: 'pending',
        settled_at: null,
        is_with_staff: false,
        refund_reason: null,
        character_head: expect.any(Number),
      },
    })
    const servers = await portal.call('GET', '/api/servers')
    expect((servers.body as { name: string }[]).map(({ name }) => name)).toContain(open.body.server_name)
    await workOnce(portal.deps)
    expect((await receiptOf(player, id)).body).toMatchObject({
      status: 'delivered',
      settled_at: expect.any(String),
    })
  })

  test('shows when an operator has to decide', async () => {
    const { player, id } = await aBuyer(portal)
    await parked(id)
    expect((await receiptOf(player, id)).body).toMatchObject({ status: 'pending', is_with_staff: true })
  })

  test('shows in plain words why the TCoin came back', async () => {
    const { player, character, id } = await aBuyer(portal)
    await loseCharacter(character)
    await workOnce(portal.deps)
    expect((await receiptOf(player, id)).body).toMatchObject({
      status: 'refunded',
      refund_reason: 'Nhân vật không còn trong game.',
    })
  })

  test('is unknown to everybody else, like one that never was or never could be', async () => {
    const { id } = await aBuyer(portal)
    const stranger = await aPlayer(portal)
    for (const unknown of [id, randomUUID(), 'khong-phai-ma', id.toUpperCase()]) {
      expect((await receiptOf(stranger, unknown)).status).toBe(404)
    }
  })
})

/** The purchases in a player's stream, each time as the state of the newest one's page. */
async function* newestOf(player: TestPlayer): AsyncGenerator<string> {
  const answer = await portal.app.inject({
    url: '/api/user/deliveries/events',
    headers: { authorization: `Bearer ${player.token}` },
    payloadAsStream: true,
  })
  expect(answer.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
  })
  // Each event is written in one piece.
  for await (const piece of answer.stream()) {
    const [, json] = /^data: (.*)$/m.exec(String(piece)) ?? []
    if (json === undefined) continue
    const [newest] = JSON.parse(json) as { status: string; is_with_staff: boolean }[]
    yield newest?.is_with_staff ? 'with staff' : (newest?.status ?? 'none')
  }
}

describe('the events of purchases', () => {
  test('have the state at once, and a change as soon as it happens', async () => {
    const { player } = await aBuyer(portal)
    const states = newestOf(player)
    expect((await states.next()).value).toBe('pending')
    const since = performance.now()
    await workOnce(portal.deps)
    expect((await states.next()).value).toBe('delivered')
    // The notification arrived; polling alone would have taken longer.
    expect(performance.now() - since).toBeLessThan(4_000)
    await states.return(undefined)
  })

  test('report that an operator has to decide: a receipt that receives them does not poll', async () => {
    const { player, id } = await aBuyer(portal)
    const states = newestOf(player)
    await states.next()
    await parked(id)
    await sql`SELECT pg_notify('delivery_changed', ${player.id})`.execute(portal.db)
    expect((await states.next()).value).toBe('with staff')
    await states.return(undefined)
  })

  test('are those of the caller, and nobody’s without a session', async () => {
    await aBuyer(portal)
    const states = newestOf(await aPlayer(portal))
    expect((await states.next()).value).toBe('none')
    await states.return(undefined)
    expect((await portal.call('GET', '/api/user/deliveries/events')).status).toBe(401)
  })
})

describe('the mail about a refund', () => {
  test('has what was bought, why it did not arrive, what came back and the new balance', async () => {
    const { player, character, id, email } = await aNotifiedBuyer(25_000)
    await loseCharacter(character)
    await workOnce(portal.deps)
    const [mail, ...more] = await lettersTo(portal, email)
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      kind: 'purchase-refunded',
      username: player.username,
      subject: 'Bạn được hoàn 10,000 TCoin',
      action: { url: `${portal.deps.publicUrl}/user/deliveries/${id}` },
    })
    const { body } = await receiptOf(player, id)
    expect(mail?.paragraphs.slice(1)).toEqual([
      `Đã mua: 3,300 lượng cho nhân vật ${body.character_name}`,
      'Lý do: Nhân vật không còn trong game.',
      'Đã hoàn: 10,000 TCoin',
      'Số dư mới: 25,000 TCoin',
    ])
  })

  test('goes once when an operator gives the coins back, and names the operators', async () => {
    const { id, email } = await aNotifiedBuyer()
    await refundDelivery(portal.deps, operatorsCall(id))
    await refundDelivery(portal.deps, operatorsCall(id))
    const mails = await lettersTo(portal, email)
    expect(mails.map(({ kind }) => kind)).toEqual(['purchase-refunded'])
    expect(mails[0]?.paragraphs).toContain('Lý do: Đội vận hành đã hủy lượt giao này.')
  })

  test('is not written for goods that arrive', async () => {
    const { email } = await aNotifiedBuyer()
    await workOnce(portal.deps)
    expect(await lettersTo(portal, email)).toEqual([])
  })
})
