import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect } from 'vitest'
import { sql } from 'kysely'
import type { NoticeState } from '#contract/notices.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { openStream } from '#tests/support/event-stream.ts'
import { testWith } from '#tests/support/fixtures.ts'
import { noticesOf } from '#tests/support/notices.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { removeOldNotices } from './notices.queries.ts'
import { addNotice } from './notices.service.ts'
import type { NewNotice } from './notices.rules.ts'

const portal = useTestApp({ environment: { STREAMS_PER_ADDRESS: '6' } })
const test = testWith(portal)

let url: string
beforeAll(async () => {
  url = await portal.app.listen({ host: '127.0.0.1', port: 0 })
})

let made = 0
const aCredit = (coins = 10_000, subject = `test ${++made}`): NewNotice => ({
  event: 'recharge-credited',
  subject,
  data: { coins, bonus: 0, paid: 0, code: null },
})
const tell = ({ id }: TestPlayer, notice: NewNotice = aCredit()) =>
  inTransaction(portal.db, (tx) => addNotice(tx, id, notice))

const get = async (path: string, { token }: TestPlayer) =>
  (await portal.call('GET', `/api/notices${path}`, { token })).body
const read = (body: unknown, { token }: TestPlayer) =>
  portal.call('POST', '/api/notices/read', { token, body })
const choose = (body: unknown, { token }: TestPlayer) =>
  portal.call('PUT', '/api/notices/preferences', { token, body })

test('a page that is shown marks what leads to it as read, of its player only', async ({ player }) => {
  const other = await aPlayer(portal)
  const answered = (caseId: string, message: string): NewNotice => ({
    event: 'case-answered',
    subject: message,
    data: { caseId, title: 'Đơn nạp' },
  })
  for (const one of [player, other]) {
    await tell(one, answered('71', '1'))
    await tell(one, answered('71', '2'))
    await tell(one, answered('72', '3'))
    await tell(one)
  }
  const seen = (href: string) =>
    portal.call('POST', '/api/notices/read-page', { token: player.token, body: { href } })
  expect((await seen('/user/help/71')).body).toEqual({ unread: 2 })
  expect((await noticesOf(portal, player)).map((notice) => [notice.href, notice.read])).toEqual([
    ['/user/transactions', false],
    ['/user/help/72', false],
    ['/user/help/71', true],
    ['/user/help/71', true],
  ])
  expect((await seen('/user/help/71')).body).toEqual({ unread: 2 })
  expect((await seen('/user/help/7')).body).toEqual({ unread: 2 })
  expect((await get('', other)).payload.unread).toBe(4)
})

describe('a notice', () => {
  test('is written once, also when its transaction is tried again and its event is repeated', async ({
    player,
  }) => {
    const notice = aCredit(20_000)
    let tries = 0
    await inTransaction(portal.db, async (tx) => {
      await addNotice(tx, player.id, notice)
      await sql`SELECT 1`.execute(tx)
      tries += 1
      if (tries < 3) throw Object.assign(new Error('serialization failure'), { code: '40001' })
    })
    expect(tries).toBe(3)
    const repeated = await Promise.allSettled(Array.from({ length: 8 }, () => tell(player, notice)))
    expect(repeated.filter(({ status }) => status === 'rejected')).toEqual([])
    expect(await noticesOf(portal, player)).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        kind: 'recharge',
        title: 'Đã cộng 20,000 TCoin',
        text: 'Khoản chuyển của bạn đã đến.',
        href: '/user/transactions',
        created_at: expect.any(String),
        read: false,
      },
    ])
  })

  test('is not written when its transaction is undone', async ({ player }) => {
    const undone = inTransaction(portal.db, async (tx) => {
      await addNotice(tx, player.id, aCredit())
      throw new Error('killed before the commit')
    })
    await expect(undone).rejects.toThrow('killed before the commit')
    expect(await noticesOf(portal, player)).toEqual([])
  })

  test('is not written for an account that was erased, and stops nothing', async ({ player }) => {
    await sql`SELECT erase_user(${player.id}::bigint)`.execute(portal.db)
    expect(await tell(player).catch((error: unknown) => error)).toBeUndefined()
    const rows = await portal.db.selectFrom('notice').select('id').where('user_id', '=', player.id).execute()
    expect(rows).toEqual([])
  })

  test('names goods as operators name them when it is read', async ({ player, owner }) => {
    const goods = [{ kind: 'item', code: 'ruby', quantity: 2 } as const]
    const data = { deliveryId: randomUUID(), character: 'kiemkhach', goods }
    await tell(player, { event: 'goods-arrived', subject: data.deliveryId, data })
    const ruby = { kind: 'item', code: 'ruby', name: 'Hồng ngọc', short_name: null, updated_at: null }
    const body = { names: [ruby], reason: 'Món mới của game' }
    const named = await portal.call('PUT', '/api/operator/game-names', { token: owner.token, body })
    expect(named.status).toBe(200)
    expect((await noticesOf(portal, player))[0]?.text).toMatch(/Hồng ngọc.* đã vào nhân vật kiemkhach\.$/)
  })

  test('of a newer release is left out of the list', async ({ player }) => {
    await tell(player)
    await portal.db
      .insertInto('notice')
      .values({
        user_id: player.id,
        kind: 'claim',
        subject: 'x',
        data: JSON.stringify({ event: 'toString' }),
      })
      .execute()
    expect(await noticesOf(portal, player)).toHaveLength(1)
    expect(await get('', player)).toMatchObject({ payload: { after: null } })
  })

  test('is deleted after 180 days', async ({ player }) => {
    await tell(player)
    await tell(player)
    const [, old] = await noticesOf(portal, player)
    await portal.db.deleteFrom('notice').where('id', '=', old!.id).execute()
    await portal.db
      .insertInto('notice')
      .values({
        user_id: player.id,
        kind: 'recharge',
        subject: 'old',
        data: JSON.stringify({ ...aCredit().data, event: 'recharge-credited' }),
        created_at: sql<Date>`now() - interval '181 days'`,
      })
      .execute()
    expect(await noticesOf(portal, player)).toHaveLength(2)
    await removeOldNotices(portal.deps)
    expect(await noticesOf(portal, player)).toHaveLength(1)
  })
})

describe('the list', () => {
  test('has twenty a page, the newest first, and counts what is unread', async ({ player }) => {
    for (let coins = 1; coins <= 45; coins++) await tell(player, aCredit(coins))
    const titles: string[] = []
    let after: string | null = null
    const sizes: number[] = []
    do {
      const page = await get(after === null ? '' : `?after=${after}`, player)
      expect(page.payload.unread).toBe(45)
      titles.push(...page.data.map(({ title }: { title: string }) => title))
      sizes.push(page.data.length)
      after = page.payload.after
    } while (after !== null)
    expect(sizes).toEqual([20, 20, 5])
    expect(titles).toEqual(Array.from({ length: 45 }, (_, n) => `Đã cộng ${45 - n} TCoin`))
  })

  test('counts no further than a hundred', async ({ player }) => {
    await sql`
      INSERT INTO notice (user_id, kind, subject, data)
      SELECT ${player.id}::bigint, 'recharge', n, '{"event": "recharge-credited", "coins": 1, "bonus": 0, "paid": 0, "code": null}'
        FROM generate_series(1, 130) n`.execute(portal.db)
    expect((await get('', player)).payload.unread).toBe(100)
  })

  test('is the player’s own: another one reads, marks and sees none of it', async ({ player }) => {
    const stranger = await aPlayer(portal)
    await tell(player)
    const [notice] = await noticesOf(portal, player)
    expect(await noticesOf(portal, stranger)).toEqual([])
    const { body } = await read({ until: notice!.id }, stranger)
    expect(body).toEqual({ unread: 0 })
    expect(await noticesOf(portal, player)).toEqual([notice])
    expect((await portal.call('GET', '/api/notices')).status).toBe(401)
  })

  test('refuses a place and a mark that are no numbers, and names the field', async ({ player }) => {
    const page = await portal.call('GET', '/api/notices?after=abc', { token: player.token })
    expect([page.status, Object.keys(page.body.errors)]).toEqual([422, ['after']])
    const marked = await read({ until: '-1' }, player)
    expect([marked.status, Object.keys(marked.body.errors)]).toEqual([422, ['until']])
    const chosen = await choose({ recharge: { bell: 'yes' } }, player)
    expect([chosen.status, Object.keys(chosen.body.errors)]).toEqual([422, ['recharge.bell']])
  })
})

describe('notices are marked as read', () => {
  test('up to one, or from one to another, and stay so', async ({ player }) => {
    for (let n = 0; n < 4; n++) await tell(player)
    const [newest, third, second] = await noticesOf(portal, player)
    expect((await read({ until: third!.id, from: third!.id }, player)).body).toEqual({ unread: 3 })
    expect((await read({ until: second!.id }, player)).body).toEqual({ unread: 1 })
    const marks = async () => (await noticesOf(portal, player)).map((notice) => notice.read)
    expect(await marks()).toEqual([false, true, true, true])
    expect((await read({ until: newest!.id }, player)).body).toEqual({ unread: 0 })
    expect((await read({ until: newest!.id }, player)).body).toEqual({ unread: 0 })
    expect(await marks()).toEqual([true, true, true, true])
  })

  test('all of them, however many there are', async ({ player }) => {
    await sql`
      INSERT INTO notice (user_id, kind, subject, data)
      SELECT ${player.id}::bigint, 'security', n, '{"event": "password-changed"}'
        FROM generate_series(1, 2500) n`.execute(portal.db)
    const [newest] = await noticesOf(portal, player)
    expect((await read({ until: newest!.id }, player)).body).toEqual({ unread: 0 })
  })

  test('120 times a minute at most, together with changes of the preferences', async ({ player }) => {
    const answers = await Promise.all(
      Array.from({ length: 122 }, (_, n) => (n % 2 ? read({ until: '1' }, player) : choose({}, player))),
    )
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
  })
})

describe('preferences', () => {
  test('are all on at first; a kind that is off is told no more, until it is on again', async ({
    player,
  }) => {
    const on = { bell: true }
    const all = {
      recharge: on,
      delivery: on,
      claim: on,
      tournament: { bell: true, mail: true },
      security: on,
      digest: false,
    }
    expect(await get('/preferences', player)).toEqual(all)
    const { body } = await choose({ recharge: { bell: false } }, player)
    expect(body).toEqual({ ...all, recharge: { bell: false } })
    await tell(player)
    await tell(player, { event: 'password-changed', subject: 'a', data: {} })
    expect((await noticesOf(portal, player)).map(({ kind }) => kind)).toEqual(['security'])
    expect((await choose({ recharge: on, claim: { bell: false } }, player)).body).toEqual({
      ...all,
      claim: { bell: false },
    })
    await tell(player)
    expect((await noticesOf(portal, player)).map(({ kind }) => kind)).toEqual(['recharge', 'security'])
    expect(await get('/preferences', await aPlayer(portal))).toEqual(all)
  })
})

describe('the stream', () => {
  const open = ({ token }: TestPlayer) =>
    openStream<NoticeState>(`${url}/api/notices/events`, { authorization: `Bearer ${token}` })

  test('has the present state at once, then each notice and each mark, and nothing of others', async ({
    player,
  }) => {
    await tell(player)
    const { answer, next, leave } = await open(player)
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect((await next()).data).toMatchObject({ unread: 1, latest: { read: false } })
    await tell(await aPlayer(portal))
    const toldAt = performance.now()
    await tell(player, aCredit(70_000))
    const { data } = await next()
    expect(data).toMatchObject({ unread: 2, latest: { title: 'Đã cộng 70,000 TCoin' } })
    expect(performance.now() - toldAt).toBeLessThan(2_000)
    await read({ until: data.latest!.id }, player)
    expect((await next()).data).toMatchObject({ unread: 0, latest: { read: true } })
    leave()
  })

  test('takes half of the streams of an address at most', async ({ player }) => {
    const others = [await aPlayer(portal), await aPlayer(portal), await aPlayer(portal)]
    const opened = []
    for (const one of others) opened.push(await open(one))
    expect(opened.map(({ answer }) => answer.status)).toEqual([200, 200, 200])
    const refused = await open(player)
    expect([refused.answer.status, refused.answer.headers.get('retry-after')]).toEqual([429, '10'])
    // What is about a purchase has the other half.
    const purchases = await fetch(`${url}/api/user/deliveries/events`, {
      headers: { authorization: `Bearer ${player.token}` },
      signal: AbortSignal.timeout(10_000),
    })
    expect(purchases.status).toBe(200)
    await purchases.body?.cancel()
    for (const { leave } of opened) leave()
  })
})
