import { afterAll, beforeAll, expect, test, describe } from 'vitest'
import { LIST_REACH_MAX } from '#contract/operator/fields.ts'
import { useTestApp } from '#tests/support/app.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { aNotification, anOrder, deliver, openAccounts } from '#tests/support/bank.ts'
import { sendCase } from '#tests/support/cases.ts'
import { anOperator } from '#tests/support/operators.ts'
import { AS_IF_LARGE, mostRowsRead, openPlanner, readWhole, type Planner } from '#tests/support/plans.ts'
import { aPlayer, type TestPlayer, ban } from '#tests/support/players.ts'
import { buyLuongFor, charactersOf } from '#tests/support/purchases.ts'
import { aClaim } from '#tests/support/uploads.ts'
import { countPlayers, selectPlayers, type PlayerFilter } from './players.queries.ts'
import { readMark, selectTrail } from './trail.queries.ts'

const portal = useTestApp()

const { support } = useOperators(portal, { support: 'support' })
let player: TestPlayer
let banned: TestPlayer

beforeAll(async () => {
  await openAccounts(portal)
  player = await aPlayer(portal, { username: 'nguyenan1', phone: '0912345601', coins: 5_000, serverId: '2' })
  banned = await aPlayer(portal, { username: 'nguyenbinh' })
  await ban(portal, banned, 'Lừa đảo')
  await portal.db
    .updateTable('user_contacts')
    .set({ email: 'An.Nguyen@example.com' })
    .where('user_id', '=', player.id)
    .execute()
  await portal.db
    .insertInto('game_character')
    .values({
      user_id: player.id,
      id: 'c1',
      server_id: '2',
      name: 'Hoa_Anh',
      head: 1,
      class_id: 1,
      level: 30,
    })
    .execute()
})

const get = (path: string, token = support.token) =>
  portal.call('GET', `/api/operator/users${path}`, { token })
const found = async (filter: object) => {
  const { body } = await get(`?filter=${encodeURIComponent(JSON.stringify(filter))}`)
  return (body as { username: string }[]).map(({ username }) => username)
}

test.each<[string, string]>([
  ['the beginning of the username, in any case', 'NguyenAn'],
  ['the phone, as people write it', '+84 912 345 601'],
  ['the e-mail address', 'an.nguyen@EXAMPLE.com'],
  ['the beginning of a character’s name', 'hoa_'],
])('a player is found by %s', async (_what, q) => {
  expect(await found({ q })).toEqual(['nguyenan1'])
})

test('and not by the signs of a pattern, or by too little', async () => {
  expect(await found({ q: 'nguyen%' })).toEqual([])
  expect(await found({ q: 'ngu_en' })).toEqual([])
  expect((await get(`?filter=${encodeURIComponent('{"q":"ng"}')}`)).status).toBe(422)
})

test('the list is narrowed by ban, debt, server and day of registration', async () => {
  expect(await found({ banned: true })).toEqual(['nguyenbinh'])
  expect(await found({ has_debt: true })).toEqual([])
  expect(await found({ server_id: '2' })).toEqual(['nguyenan1'])
  expect(await found({ q: 'nguyen' })).toEqual(['nguyenbinh', 'nguyenan1'])
  expect(await found({ q: 'nguyen', created_from: '2999-01-01' })).toEqual([])
  expect(await found({ q: 'nguyen', created_to: '2999-01-01' })).toHaveLength(2)
  expect((await get(`?filter=${encodeURIComponent('{"created_to":"2026-13-01"}')}`)).status).toBe(422)
})

test('a player is shown with masked contacts, and nobody unknown', async () => {
  const { status, body } = await get(`/${player.id}`)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    username: 'nguyenan1',
    balance: 5_000,
    debt: 0,
    phone: { masked: '091****601', verified: false },
    email: { masked: 'A***@example.com' },
    bans: { 'sign-in': null, trading: null },
    characters: expect.arrayContaining([expect.objectContaining({ name: 'Hoa_Anh', level: 30 })]),
    has_second_factor: false,
    unmatched: [],
  })
  expect(JSON.stringify(body)).not.toMatch(/912345601|An\.Nguyen/)
  expect((await get('/999999999')).status).toBe(404)
  expect((await get('/999999999/trail')).status).toBe(404)
  expect((await get(`/${banned.id}`)).body.bans).toMatchObject({ trading: { reason: 'Lừa đảo' } })
})

test('money that came with a slip in its memo stands beside the order it was for, and in the trail', async () => {
  const sender = await aPlayer(portal)
  const { code } = await anOrder(portal, sender, { amount: 70_000 })
  const slipped = code.slice(0, -1) + (code.endsWith('A') ? 'B' : 'A')
  await deliver(portal, aNotification({ content: `nap ${slipped}`, transferAmount: 70_000 }))
  const { unmatched } = (await get(`/${sender.id}`)).body
  expect(unmatched).toMatchObject([{ amount: 70_000, order: { code, amount: 70_000 } }])
  expect(unmatched[0].why).toContain(code)
  const { rows } = (await get(`/${sender.id}/trail`)).body
  expect(rows).toContainEqual(
    expect.objectContaining({ kind: 'bank-transfer', ref: unmatched[0].bank_transfer_id, what: 'review' }),
  )
  // It is nothing of somebody who has no such order.
  expect((await get(`/${player.id}`)).body.unmatched).toEqual([])
})

test('money whose memo names the player is shown with them, and only with them', async () => {
  const named = await aPlayer(portal)
  await deliver(portal, aNotification({ content: `nap cho ${named.username}`, transferAmount: 33_000 }))
  expect((await get(`/${named.id}`)).body.unmatched).toMatchObject([{ amount: 33_000, order: null }])
  expect((await get(`/${player.id}`)).body.unmatched).toEqual([])
})

test('the trail has all that happened in the order of time, page by page and each row once', async () => {
  const busy = await aPlayer(portal, { coins: 50_000, isActivated: true })
  const { code } = await anOrder(portal, busy)
  await deliver(portal, aNotification({ content: code }))
  const reported = await sendCase(portal, busy, { kind: 'order', id: code })
  // Its conversation stands under the claim.
  await aClaim(portal, busy)
  // Many of one moment: their keys decide the order.
  await portal.db
    .insertInto('sign_in')
    .values(
      Array.from({ length: 65 }, () => ({
        user_id: busy.id,
        at: '2026-01-01T00:00:00Z',
        outcome: 'wrong-password',
        user_agent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/130.0',
        place: 'VN',
        origin_hash: Buffer.alloc(32),
        is_new_device: false,
      })),
    )
    .execute()
  const rows: { id: string; at: string; kind: string; note: string | null }[] = []
  let next: string | null = null
  let pages = 0
  do {
    const { status, body } = await get(`/${busy.id}/trail${next === null ? '' : `?before=${next}`}`)
    expect(status).toBe(200)
    rows.push(...body.rows)
    next = body.next
    pages++
  } while (next !== null)
  expect(pages).toBe(3)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  expect(rows.map(({ at }) => at)).toEqual(
    rows
      .map(({ at }) => at)
      .sort()
      .reverse(),
  )
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(
    new Set(['order', 'bank-transfer', 'ledger', 'claim', 'case', 'sign-in']),
  )
  expect(rows.filter(({ kind }) => kind === 'case')).toMatchObject([
    { ref: reported.body.id, what: 'open', amount: null, note: reported.body.about.title },
  ])
  expect(rows.filter(({ kind }) => kind === 'sign-in').at(-1)?.note).toBe('Firefox trên Windows, Việt Nam')
})

test.each(['x', '1~', '1~act', "1~act:'", '99999999999999999', '-1'])(
  'a trail does not begin at %s',
  async (mark) => {
    expect((await get(`/${player.id}/trail?before=${encodeURIComponent(mark)}`)).status).toBe(422)
  },
)

const ROWS = 30_000

let planner: Planner

test.each<[string, PlayerFilter]>([
  ['all', {}],
  ['a name', { search: { name: 'dong12', phone: '', email: '' } }],
  ['a common name', { search: { name: 'dong', phone: '', email: '' } }],
  ['those with a ban', { isBanned: true }],
  ['those with a debt', { hasDebt: true }],
  ['a server', { serverId: '2' }],
  ['a day', { from: new Date('2020-01-02'), before: new Date('2020-01-03') }],
])('of many players, %s are found without reading all of them', async (_what, filter) => {
  planner ??= await openCrowd()
  const page = { order: 'desc', from: 0, to: 24 } as const
  const { nodes } = await planner.plansOf(() =>
    selectPlayers(planner.db, filter, { sort: 'created_at', ...page }),
  )
  expect(readWhole(nodes, /^(users|user_contacts|ledger_account|game_character)$/)).toEqual([])
  expect(mostRowsRead(nodes)).toBeLessThanOrEqual(2 * LIST_REACH_MAX)
  const { nodes: counted } = await planner.plansOf(() => countPlayers(planner.db, filter))
  expect(mostRowsRead(counted)).toBeLessThanOrEqual(2 * LIST_REACH_MAX)
})

test('a trail reads what it shows, however much there is', async () => {
  planner ??= await openCrowd()
  const who = { id: player.id, walletId: player.walletId }
  for (const mark of [readMark(undefined), readMark('1600000000000000~ledger:5')]) {
    const { nodes } = await planner.plansOf(() => selectTrail(planner.db, who, { mark, limit: 31 }))
    const big =
      /^(payment_order|bank_transaction|ledger_entry|ledger_transfer|delivery|audit_log|sign_in|help_case)$/
    expect(readWhole(nodes, big)).toEqual([])
    expect(mostRowsRead(nodes)).toBeLessThanOrEqual(500)
  }
})

async function openCrowd(): Promise<Planner> {
  const opened = await openPlanner(portal)
  await opened.owner.query(`
    INSERT INTO ledger_account (id, kind, user_id) SELECT 1000000 + n, 'user_wallet', 1000000 + n FROM generate_series(1, ${ROWS}) n;
    INSERT INTO users (id, username, password_hash, server_id, wallet_account_id, created_at)
      SELECT 1000000 + n, 'dong' || n, '-', '1', 1000000 + n, timestamptz '2020-01-01' + n * interval '1 minute'
        FROM generate_series(1, ${ROWS}) n;
    ALTER TABLE ledger_transfer DISABLE TRIGGER ALL;
    INSERT INTO ledger_transfer (kind, debit_account, credit_account, amount, source_type, source_id, created_at)
      SELECT 'adjustment', 9000000000000001, ${player.walletId}, 1, 'crowd', n, timestamptz '2020-01-01' + n * interval '1 minute'
        FROM generate_series(1, ${ROWS}) n;
    INSERT INTO ledger_entry (account_id, account_version, transfer_id, kind, amount, balance_before, balance_after, created_at)
      SELECT ${player.walletId}, 100 + n, t.id, 'adjustment', 1, n, n + 1, t.created_at
        FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM ledger_transfer WHERE source_type = 'crowd') t;
    ANALYZE; ${AS_IF_LARGE}`)
  return opened
}

afterAll(() => planner?.close())

describe('the search box', () => {
  let player: TestPlayer
  let code: string
  let deliveryId: string

  const { owner } = useOperators(portal, { owner: 'owner' })
  beforeAll(async () => {
    await openAccounts(portal)
    player = await aPlayer(portal, {
      username: 'thamlan99',
      phone: '0987654321',
      coins: 50_000,
      isActivated: true,
    })
    code = (await anOrder(portal, player)).code
    await deliver(portal, aNotification({ content: 'khong co ma', referenceCode: 'FT260101ABC' }))
    const [character = ''] = await charactersOf(portal, player)
    deliveryId = await buyLuongFor(portal, { player, character })
    await portal.call('POST', '/api/operator/posts', {
      token: owner.token,
      body: { title: 'Lễ hội Trăng rằm 100%', content: '<p>Vui.</p>', reason: 'Đăng bài' },
    })
    await portal.db
      .insertInto('game_character')
      .values({
        user_id: player.id,
        id: 'x1',
        server_id: '1',
        name: 'KiemKhach',
        head: 1,
        class_id: 1,
        level: 9,
      })
      .execute()
  })

  const search = (q: string, { token } = owner) =>
    portal.call('GET', `/api/operator/search?q=${encodeURIComponent(q)}`, { token })
  const found = async (q: string, by = owner) => {
    const { body } = await search(q, by)
    return (body as { kind: string; ref: string; title: string }[]).map(({ kind, ref }) => [kind, ref])
  }

  test('one box finds players, characters, orders, bank references, deliveries and posts', async () => {
    expect(await found('ThamL')).toEqual([['user', player.id]])
    expect(await found('0987 654 321')).toEqual([['user', player.id]])
    expect(await found('kiemkh')).toEqual([['character', player.id]])
    expect(await found(code.slice(0, 9).toLowerCase())).toEqual([['order', code]])
    expect(await found(`CK den tu ${code} nap the`)).toEqual([['order', code]])
    expect((await found('ft260101abc')).map(([kind]) => kind)).toEqual(['bank-transfer', 'payment-event'])
    expect(await found(deliveryId.slice(0, 13))).toEqual([['delivery', deliveryId]])
    expect((await found('trăng RẰM 100%')).map(([kind]) => kind)).toEqual(['post'])
    expect(await found('%%%')).toEqual([])
  })

  test('the shortest name, which is the one that was typed whole, stands first, and ten are enough', async () => {
    for (let number = 0; number < 11; number++) await aPlayer(portal, { username: `lanlan${number + 10}` })
    await aPlayer(portal, { username: 'lanlan' })
    const names = ((await search('lanlan')).body as { title: string }[]).map(({ title }) => title)
    expect([names.length, names[0]]).toEqual([10, 'lanlan'])
  })

  test('an operator finds only what they may read', async () => {
    const editor = await anOperator(portal, 'editor')
    expect(await found('thaml', editor)).toEqual([])
    expect(await found(code, editor)).toEqual([])
    expect((await found('trăng rằm', editor)).map(([kind]) => kind)).toEqual(['post'])
    const support = await anOperator(portal, 'support')
    expect((await found('trăng rằm', support)).length).toBe(0)
    expect(await found(deliveryId, support)).toEqual([['delivery', deliveryId]])
  })

  test.each(['', 'ab', 'x'.repeat(101), '\u0000\u0000\u0000'])('%o is not searched for', async (q) => {
    expect((await search(q)).status).toBe(422)
  })
})
