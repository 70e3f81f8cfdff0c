import { beforeAll, describe, expect, test } from 'vitest'
import { formatNumber } from '#contract/format.ts'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { exchange } from '#tests/support/purchases.ts'
import { readCsv } from './testing/read-csv.ts'
import { aRecharge, statement } from './testing/statement-world.ts'

const portal = useTestApp()
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

/** The file's rows, between its headings and the line that says how many they are. */
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
  test('is a file for spreadsheets, kept by no cache', async () => {
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

  test('of a player without entries has its headings, and says so', async () => {
    const newcomer = await aPlayer(portal)
    const { body } = await download({}, newcomer.token)
    expect(rowsIn(body)).toEqual([])
  })

  test('is one’s own only', async () => {
    const other = await aPlayer(portal)
    await aRecharge(portal, other, { code: 'TCX7K2QF9XAMM', amount: 77_777 })
    expect((await download()).body).not.toContain('TCX7K2QF9XAMM')
    const rows = rowsIn((await download({}, other.token)).body)
    expect(rows.map((row) => row.slice(1))).toEqual([
      ['Nạp TCoin', '77777', '77777', 'Nạp TCoin theo đơn TCX7K2QF9XAMM', '', 'Hoàn tất', 'TCX7K2QF9XAMM'],
    ])
  })

  test('a hostile character’s name stays inside its cell', async () => {
    const buyer = await aPlayer(portal, { coins: 10_000, isActivated: true })
    const name = '"=cmd",\r\n@kẻ gian'
    const [character] = (await portal.call('GET', '/api/exchange', { token: buyer.token })).body.characters
    await portal.db.updateTable('game_character').set({ name }).where('id', '=', character.id).execute()
    await exchange(portal, { player: buyer, character: character.id })
    const rows = rowsIn((await download({}, buyer.token)).body)
    expect(rows[0]?.[4]).toBe(`Đổi 3,300 lượng cho nhân vật ${name}`)
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
