import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { operatorsCall } from '#tests/support/operators.ts'
import { useTestApp } from '#tests/support/app.ts'
import { aBuyer, workOnce } from '#tests/support/purchases.ts'
import { asOwner } from '#tests/support/databases.ts'
import { anEmail, giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { refundDelivery } from './resolve.service.ts'

const portal = useTestApp()
afterEach(() => expectReconciled(portal))

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
  test('says what was bought, for whom and where, and follows it until it has arrived', async () => {
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

  test('says when a person has to see to it', async () => {
    const { player, id } = await aBuyer(portal)
    await parked(id)
    expect((await receiptOf(player, id)).body).toMatchObject({ status: 'pending', is_with_staff: true })
  })

  test('says in plain words why the TCoin came back', async () => {
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

/** The purchases a player's stream tells of, each time as what the newest one's page says. */
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
  test('tell where they stand at once, and of a change as soon as it happens', async () => {
    const { player } = await aBuyer(portal)
    const told = newestOf(player)
    expect((await told.next()).value).toBe('pending')
    const since = performance.now()
    await workOnce(portal.deps)
    expect((await told.next()).value).toBe('delivered')
    // The notification was heard; polling alone would have taken longer.
    expect(performance.now() - since).toBeLessThan(4_000)
    await told.return(undefined)
  })

  test('tell that a person has to see to it: the receipt that hears them does not ask meanwhile', async () => {
    const { player, id } = await aBuyer(portal)
    const told = newestOf(player)
    await told.next()
    await parked(id)
    await sql`SELECT pg_notify('delivery_changed', ${player.id})`.execute(portal.db)
    expect((await told.next()).value).toBe('with staff')
    await told.return(undefined)
  })

  test('are those of the caller, and nobody’s without a session', async () => {
    await aBuyer(portal)
    const told = newestOf(await aPlayer(portal))
    expect((await told.next()).value).toBe('none')
    await told.return(undefined)
    expect((await portal.call('GET', '/api/user/deliveries/events')).status).toBe(401)
  })
})

describe('the letter about a refund', () => {
  test('tells what was bought, why it did not arrive, what came back and the new balance', async () => {
    const { player, character, id, email } = await aNotifiedBuyer(25_000)
    await loseCharacter(character)
    await workOnce(portal.deps)
    const [letter, ...more] = await lettersTo(portal, email)
    expect(more).toEqual([])
    expect(letter).toMatchObject({
      kind: 'purchase-refunded',
      username: player.username,
      subject: 'Bạn được hoàn 10,000 TCoin',
      action: { url: `${portal.deps.publicUrl}/user/deliveries/${id}` },
    })
    const { body } = await receiptOf(player, id)
    expect(letter?.paragraphs.slice(1)).toEqual([
      `Đã mua: 3,300 lượng cho nhân vật ${body.character_name}`,
      'Lý do: Nhân vật không còn trong game.',
      'Đã hoàn: 10,000 TCoin',
      'Số dư mới: 25,000 TCoin',
    ])
  })

  test('goes once when an operator gives the coins back, and says that it was them', async () => {
    const { id, email } = await aNotifiedBuyer()
    await refundDelivery(portal.deps, operatorsCall(id))
    await refundDelivery(portal.deps, operatorsCall(id))
    const letters = await lettersTo(portal, email)
    expect(letters.map(({ kind }) => kind)).toEqual(['purchase-refunded'])
    expect(letters[0]?.paragraphs).toContain('Lý do: Đội vận hành đã hủy lượt giao này.')
  })

  test('is not written for goods that arrive', async () => {
    const { email } = await aNotifiedBuyer()
    await workOnce(portal.deps)
    expect(await lettersTo(portal, email)).toEqual([])
  })
})
