import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { formatNumber } from '#contract/format.ts'
import { startDeliveryWorker } from '#server/modules/purchases/index.ts'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { aPlayer, creditPlayer, type TestPlayer } from '#tests/support/players.ts'
import { buyLuongFor, charactersOf, eventually, exchange } from '#tests/support/purchases.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { readCsv } from '#tests/support/read-csv.ts'
import { aRecharge, readStatement, happenedAt, statement } from '#tests/support/statement-world.ts'

const portal = useTestApp()
afterEach(() => expectReconciled(portal))

const send = (from: TestPlayer, to: TestPlayer, body: { amount: number; activate?: boolean }) =>
  portal.call('POST', '/api/user/transfer', { token: from.token, body: { payee: to.username, ...body } })

const references = async (player: TestPlayer, query: Record<string, string | number>) =>
  (await statement(portal, player, query)).data.map((row) => row.reference)

describe('a player’s whole statement', () => {
  let player: TestPlayer
  let friend: TestPlayer
  let delivered: string
  let refunded: string

  beforeAll(async () => {
    player = await aPlayer(portal)
    friend = await aPlayer(portal, { coins: 7_000, isActivated: true })
    await aRecharge(portal, player, { code: 'TCX7K2QF9XAMM', amount: 100_000 })
    await portal.call('POST', '/api/user/active', { token: player.token })
    await send(player, friend, { amount: 1_000 })
    await send(friend, player, { amount: 5_000 })
    const [first, second] = await charactersOf(portal, player)
    delivered = await buyLuongFor(portal, { player, amount: 20_000, character: first! })
    refunded = await buyLuongFor(portal, { player, amount: 10_000, character: second! })
    // The character has moved to somebody else, so the game refuses and the coins come back.
    await portal.db
      .updateTable('game.characters')
      .set({ account: 'nguoikhac' })
      .where('id', '=', second!)
      .execute()
  })

  const plain = ({ type, amount, balance_after, status }: Record<string, unknown>) => [
    type,
    amount,
    balance_after,
    status,
  ]

  test('a purchase is pending until the goods have arrived', async () => {
    const { data } = await statement(portal, player)
    expect(data.map(plain)).toEqual([
      ['exchange', -10_000, 54_000, 'pending'],
      ['exchange', -20_000, 64_000, 'pending'],
      ['transfer_in', 5_000, 84_000, 'completed'],
      ['transfer_out', -1_000, 79_000, 'completed'],
      ['activation', -20_000, 80_000, 'completed'],
      ['recharge', 100_000, 100_000, 'completed'],
    ])
  })

  test('then it is delivered, or refunded with its own row', async () => {
    const loops = startDeliveryWorker(portal.deps)
    try {
      await eventually(async () => {
        const { data } = await statement(portal, player)
        expect(data.map(plain)).toEqual([
          ['refund', 10_000, 64_000, 'completed'],
          ['exchange', -10_000, 54_000, 'refunded'],
          ['exchange', -20_000, 64_000, 'delivered'],
          ['transfer_in', 5_000, 84_000, 'completed'],
          ['transfer_out', -1_000, 79_000, 'completed'],
          ['activation', -20_000, 80_000, 'completed'],
          ['recharge', 100_000, 100_000, 'completed'],
        ])
      })
    } finally {
      await Promise.all(loops.map((loop) => loop.stop()))
    }
  })

  test('each row has in words what it was, with whom, and its reference', async () => {
    const { data } = await statement(portal, player)
    const shown = data.map(({ description, counterparty, reference }) => [
      description,
      counterparty,
      reference,
    ])
    expect(shown).toEqual([
      [expect.stringMatching(/^Hoàn TCoin đổi 3,300 lượng cho nhân vật \S/), undefined, refunded],
      [expect.stringMatching(/^Đổi 3,300 lượng cho nhân vật \S/), undefined, refunded],
      [expect.stringMatching(/^Đổi 6,600 lượng cho nhân vật \S/), undefined, delivered],
      [`Nhận TCoin từ ${friend.username}`, friend.username, data[3]?.id],
      [`Chuyển TCoin cho ${friend.username}`, friend.username, data[4]?.id],
      ['Phí kích hoạt tài khoản', undefined, data[5]?.id],
      ['Nạp TCoin theo đơn TCX7K2QF9XAMM', undefined, 'TCX7K2QF9XAMM'],
    ])
    expect(data.every((row) => Math.abs(Date.now() - Date.parse(row.created_at)) < 60_000)).toBe(true)
  })

  test.for([
    ['recharge', 1],
    ['transfer_in', 1],
    ['transfer_out', 1],
    ['activation', 1],
    ['exchange', 2],
    ['gift', 0],
    ['refund', 1],
    ['adjustment', 0],
  ] as const)('filtered by %s it has %i rows', async ([type, count]) => {
    const { data, payload } = await statement(portal, player, { filter_type: type })
    expect(data.map((row) => row.type)).toEqual(Array.from({ length: count }, () => type))
    expect(payload.pagination.total).toBe(count)
  })

  test('it is searched by the other player, by order, by delivery and by number, in any case', async () => {
    const { data } = await statement(portal, player)
    expect(await references(player, { search: friend.username.slice(2, -1).toUpperCase() })).toEqual([
      data[3]?.id,
      data[4]?.id,
    ])
    expect(await references(player, { search: 'tcx7k2q' })).toEqual(['TCX7K2QF9XAMM'])
    expect(await references(player, { search: ` ${delivered.slice(9).toUpperCase()} ` })).toEqual([delivered])
    expect(await references(player, { search: data[3]!.id, filter_type: 'transfer_in' })).toEqual([
      data[3]?.id,
    ])
    expect(await references(player, { search: player.username })).toEqual([])
  })

  test.for(['%', '_', '\\', 'TCX7K2Q%', '_CX7K2QF9XAMM', "' OR ''='"])(
    'a search for %s finds no more than those characters',
    async (search) => {
      expect((await statement(portal, player, { search })).payload.pagination.total).toBe(0)
    },
  )

  test('other players see nothing of it', async () => {
    const stranger = await aPlayer(portal)
    const all = await statement(portal, stranger)
    expect(all).toEqual({
      data: [],
      payload: { pagination: { page: 1, items_per_page: 20, total: 0, last_page: 1 } },
    })
    for (const search of ['TCX7K2QF9XAMM', delivered, friend.username]) {
      expect((await statement(portal, stranger, { search })).data).toEqual([])
    }
    expect((await statement(portal, friend)).data.map((row) => row.description)).not.toContain(
      'Nạp TCoin theo đơn TCX7K2QF9XAMM',
    )
  })
})

test('an activation that another player paid is correct in both statements', async () => {
  const payer = await aPlayer(portal, { coins: 50_000, isActivated: true })
  const newcomer = await aPlayer(portal)
  await send(payer, newcomer, { amount: 30_000, activate: true })
  const rows = async (player: TestPlayer) =>
    (await statement(portal, player, { items_per_page: 2 })).data.map((row) => [
      row.type,
      row.amount,
      row.balance_after,
      row.counterparty,
    ])
  expect((await rows(payer))[0]).toEqual(['transfer_out', -30_000, 20_000, newcomer.username])
  expect(await rows(newcomer)).toEqual([
    ['activation', -20_000, 10_000, undefined],
    ['transfer_in', 30_000, 30_000, payer.username],
  ])
})

describe('pages', () => {
  let player: TestPlayer
  beforeAll(async () => {
    player = await aPlayer(portal)
    for (let amount = 1; amount <= 45; amount++) await creditPlayer(portal, player, ((amount * 7) % 45) + 1)
  })

  test('hold 20 rows by default, and count up to the last', async () => {
    const first = await statement(portal, player)
    expect(first.payload.pagination).toEqual({ page: 1, items_per_page: 20, total: 45, last_page: 3 })
    const pages = [
      first,
      await statement(portal, player, { page: 2 }),
      await statement(portal, player, { page: 3 }),
    ]
    expect(pages.map(({ data }) => data.length)).toEqual([20, 20, 5])
    const ids = pages.flatMap(({ data }) => data.map((row) => BigInt(row.id)))
    expect(new Set(ids).size).toBe(45)
    expect(ids).toEqual([...ids].sort((a, b) => (a < b ? 1 : -1)))
  })

  test('take an empty filter as none, as a form without choices sends it', async () => {
    const names = [
      'filter_type',
      'filter_from',
      'filter_to',
      'search',
      'sort',
      'order',
      'page',
      'items_per_page',
    ]
    const empty = Object.fromEntries(names.map((name) => [name, '']))
    expect(await statement(portal, player, empty)).toEqual(await statement(portal, player))
    const file = await portal.call('GET', '/api/user/transactions.csv?filter_type=&filter_from=', {
      token: player.token,
    })
    expect(file.status).toBe(200)
    for (const path of ['/api/posts?category=&limit=&before=&search=', '/api/groups/1/ranking?server=']) {
      const { status } = await portal.call('GET', path, { token: player.token })
      expect([path, status]).not.toEqual([path, 422])
    }
  })

  test('each balance follows from the one before', async () => {
    const { data } = await statement(portal, player, { order: 'asc', items_per_page: 100 })
    let balance = 0
    for (const row of data) expect(row.balance_after).toBe((balance += row.amount))
    expect(balance).toBe((45 * 46) / 2)
  })

  test('past the last one are empty', async () => {
    const { data, payload } = await statement(portal, player, { page: 4 })
    expect([data, payload.pagination]).toEqual([[], { page: 4, items_per_page: 20, total: 45, last_page: 3 }])
  })

  test('are sorted by amount or by time, either way', async () => {
    const amounts = async (query: Record<string, string>) =>
      (await statement(portal, player, { items_per_page: 3, ...query })).data.map((row) => row.amount)
    expect(await amounts({ sort: 'amount', order: 'desc' })).toEqual([45, 44, 43])
    expect(await amounts({ sort: 'amount', order: 'asc' })).toEqual([1, 2, 3])
    expect(await amounts({ sort: 'created_at', order: 'asc' })).toEqual([8, 15, 22])
    expect(await amounts({ sort: 'created_at' })).toEqual(await amounts({}))
  })

  test.for([
    'page=0',
    'page=1.5',
    'page=x',
    'items_per_page=0',
    'items_per_page=101',
    'sort=balance',
    'order=up',
    'filter_type=theft',
    'filter_from=21-11-2026',
    'filter_from=2026-02-30',
    'filter_to=2026-13-01',
    `search=${'x'.repeat(65)}`,
  ])('%s is refused', async (query) => {
    const answer = await portal.call('GET', `/api/user/transactions?${query}`, { token: player.token })
    expect([answer.status, answer.body.code, Object.keys(answer.body.errors)]).toEqual([
      422,
      'VALIDATION',
      [query.split('=')[0]],
    ])
  })

  test('take a search for a NUL character as one for nothing', async () => {
    expect((await readStatement(portal, player, { search: '\u0000' })).status).toBe(200)
  })
})

test('days are those of Vietnam, both ends included', async () => {
  const player = await aPlayer(portal)
  for (const amount of [1, 2, 3, 4]) await creditPlayer(portal, player, amount)
  await happenedAt(portal, player, [
    '2026-11-19T16:59:59.999Z',
    '2026-11-19T17:00:00.000Z',
    '2026-11-20T16:59:59.999Z',
    '2026-11-20T17:00:00.000Z',
  ])
  const amounts = async (query: Record<string, string>) =>
    (await statement(portal, player, { order: 'asc', ...query })).data.map((row) => row.amount)
  expect(await amounts({ filter_from: '2026-11-20', filter_to: '2026-11-20' })).toEqual([2, 3])
  expect(await amounts({ filter_from: '2026-11-20' })).toEqual([2, 3, 4])
  expect(await amounts({ filter_to: '2026-11-20' })).toEqual([1, 2, 3])
  expect(await amounts({ filter_from: '2026-11-21', filter_to: '2026-11-20' })).toEqual([])
})

test('a statement is for its player’s eyes only', async () => {
  expect((await portal.call('GET', '/api/user/transactions')).status).toBe(401)
  const player = await aPlayer(portal)
  expect((await readStatement(portal, player)).headers['cache-control']).toBe('no-store')
})

describe('the file of a statement', () => {
  let player: TestPlayer
  let friend: TestPlayer
  const ENTRIES = 2_350

  beforeAll(async () => {
    friend = await aPlayer(portal, { coins: 1_000, isActivated: true })
    player = await aPlayer(portal, { coins: 500_000, isActivated: true })
    // Amounts repeat, so that a position by amount alone would lose rows.
    await asOwner(
      portal,
      `SELECT ledger_post('p2p', ${player.walletId}, ${friend.walletId}, 1 + n % 7, 'test', 'p' || n, NULL, NULL, NULL, NULL)
         FROM generate_series(1, ${ENTRIES}) AS n`,
      [],
    )
  })

  const download = (query: Record<string, string> = {}, token = player.token) =>
    portal.call('GET', `/api/user/transactions.csv?${new URLSearchParams(query)}`, { token })

  /** The file's rows, between its headings and the line with their number. */
  function rowsIn(text: string): string[][] {
    const rows = readCsv(text.replace(/^\ufeff/, '')).slice(1)
    expect(rows.pop()?.[0]).toBe(`Hết tệp: ${formatNumber(rows.length)} dòng`)
    return rows
  }

  async function wholeStatement(query: Record<string, string>) {
    const rows = []
    for (let page = 1; ; page++) {
      const { data, payload } = await statement(portal, player, { ...query, page, items_per_page: 100 })
      rows.push(...data)
      if (page >= payload.pagination.last_page) return rows
    }
  }

  describe('GET /user/transactions.csv', () => {
    test('is a file for spreadsheets, stored by no cache', async () => {
      const { status, headers, body } = await download()
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('text/csv; charset=utf-8')
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['content-disposition']).toMatch(
        /^attachment; filename="lich-su-giao-dich-\d{4}-\d\d-\d\d\.csv"$/,
      )
      expect(
        body.startsWith('\ufeffThời gian,Loại giao dịch,Số tiền (TCoin),Số dư sau (TCoin),Nội dung,'),
      ).toBe(true)
    })

    test.each([
      {},
      { order: 'asc' },
      { sort: 'amount' },
      { sort: 'amount', order: 'asc' },
      { filter_type: 'transfer_out', sort: 'amount' },
      { filter_type: 'activation' },
      { filter_from: '2026-01-01', filter_to: '2099-12-31' },
      { filter_to: '2001-01-01' },
      { search: 'NGUOICHOI' },
    ] as Record<string, string>[])('has every row of the list in its order: %j', async (query) => {
      const expected = await wholeStatement(query)
      const rows = rowsIn((await download(query)).body)
      expect(rows.map(([, , amount, balance, , , , reference]) => [amount, balance, reference])).toEqual(
        expected.map((row) => [String(row.amount), String(row.balance_after), row.reference]),
      )
      expect(rows.every((row) => row.length === 8)).toBe(true)
    })

    test('pages do not narrow it, and unknown fields change nothing', async () => {
      const rows = rowsIn((await download({ page: '9', items_per_page: '1', userId: friend.id })).body)
      expect(rows.length).toBeGreaterThan(ENTRIES)
    })

    test('of a player without entries has its headings and a note', async () => {
      const newcomer = await aPlayer(portal)
      const { body } = await download({}, newcomer.token)
      expect(rowsIn(body)).toEqual([])
    })

    test('is one’s own only', async () => {
      const other = await aPlayer(portal)
      await aRecharge(portal, other, { code: 'TCXABCDEFGHJD', amount: 77_777 })
      expect((await download()).body).not.toContain('TCXABCDEFGHJD')
      const rows = rowsIn((await download({}, other.token)).body)
      expect(rows.map((row) => row.slice(1))).toEqual([
        ['Nạp TCoin', '77777', '77777', 'Nạp TCoin theo đơn TCXABCDEFGHJD', '', 'Hoàn tất', 'TCXABCDEFGHJD'],
      ])
    })

    test('a hostile character’s name stays inside its cell', async () => {
      const buyer = await aPlayer(portal, { coins: 10_000, isActivated: true })
      const name = '"=cmd",\r\n@kẻ gian'
      const [character] = (await portal.call('GET', '/api/exchange', { token: buyer.token })).body.characters
      await portal.db.updateTable('game_character').set({ name }).where('id', '=', character.id).execute()
      await exchange(portal, { player: buyer, character: character.id })
      const rows = rowsIn((await download({}, buyer.token)).body)
      expect(rows[0]?.[4]).toBe(`Đổi 3,300 lượng cho nhân vật ${name.replace('\r\n', ' ')}`)
      expect(rows).toHaveLength(4)
    })

    test('needs a session, and refuses what the list refuses, as JSON', async () => {
      expect((await portal.call('GET', '/api/user/transactions.csv')).status).toBe(401)
      expect((await download({}, 'khong-co-that')).status).toBe(401)
      const wrong: Record<string, string>[] = [
        { filter_from: '2026-02-31' },
        { sort: 'id' },
        { filter_type: 'x' },
      ]
      for (const query of wrong) {
        const { status, body } = await download(query)
        expect([status, body.code]).toEqual([422, 'VALIDATION'])
      }
    })
  })
})
