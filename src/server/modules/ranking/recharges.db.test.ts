import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HOUSE, postTransfer } from '#server/modules/wallet/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { vietnamDay } from '#server/platform/values/vietnam-time.rules.ts'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { ANY_AGE } from '#tests/support/timing.ts'
import { importGroups } from './index.ts'
import { stageRecharges } from './refresh.queries.ts'
import { refreshRankings } from './refresh.service.ts'

const portal = useTestApp()
let reader: TestPlayer
let groupId: string

beforeAll(async () => {
  reader = await aPlayer(portal, { username: 'docgia01' })
  await inTransaction(portal.db, (tx) =>
    importGroups(tx, [{ name: 'Đua nạp', description: '', value_name: 'TCoin', source: 'recharge' }]),
  )
  groupId = (await portal.call('GET', '/api/groups', { token: reader.token })).body[0].id
})
beforeEach(() => portal.db.updateTable('ranking_groups').set({ claimed_until: null }).execute())

const refreshNow = () => refreshRankings(portal.deps, ANY_AGE)

const entries = async (token = reader.token) =>
  (await portal.call('GET', `/api/groups/${groupId}/entries`, { token })).body

/** Wants to be shown in the rankings of recharges. */
async function showAs(player: TestPlayer, nickname: string | null): Promise<void> {
  const { status } = await portal.call('PUT', '/api/user/ranking-name', {
    token: player.token,
    body: { nickname },
  })
  expect(status).toBe(200)
}

let payments = 0
/** A recharge as the ledger knows it, without the bank's papers. */
async function recharge(player: TestPlayer, amount: number): Promise<string> {
  const { transferId } = await inTransaction(portal.db, (tx) =>
    postTransfer(tx, {
      kind: 'recharge',
      debit: HOUSE.recharge,
      credit: player.walletId,
      amount,
      source: { type: 'test', id: `xep-hang-${++payments}` },
    }),
  )
  return transferId
}

describe('recharges', () => {
  const backDate = async (id: string, days: number) => {
    await asOwner(portal, 'ALTER TABLE ledger_transfer DISABLE TRIGGER ledger_transfer_append_only', [])
    await asOwner(
      portal,
      `UPDATE ledger_transfer SET created_at = created_at - make_interval(days => $2) WHERE id = $1`,
      [id, days],
    )
    await asOwner(portal, 'ALTER TABLE ledger_transfer ENABLE TRIGGER ledger_transfer_append_only', [])
  }

  test('of this month count, without reversed ones, and show nicknames and nothing else', async () => {
    const [rich, plain, earlier, undone] = [
      await aPlayer(portal),
      await aPlayer(portal),
      await aPlayer(portal),
      await aPlayer(portal),
    ]
    for (const [player, nickname] of [
      [rich, 'Rồng Vàng'],
      [plain, 'Hổ Mun'],
      [earlier, 'Hôm Qua'],
      [undone, 'Trả Lại'],
    ] as const)
      await showAs(player, nickname)
    await recharge(rich, 1_000_000)
    await recharge(rich, 2_000_000)
    await recharge(plain, 2_500_000)
    await backDate(await recharge(earlier, 9_000_000), 32)
    const back = await recharge(undone, 8_000_000)
    await asOwner(portal, 'SELECT ledger_post($1, $2, $3, 8000000, $4, $5, NULL, NULL, NULL, $6)', [
      'reversal',
      undone.walletId,
      HOUSE.recharge,
      'test',
      'hoan-tac',
      back,
    ])
    await refreshNow()
    const answer = await entries(rich.token)
    const nothing = { server_id: null, class_id: null, class_name: null, class_short_name: null, level: null }
    const shown = { ...nothing, head: null, head_name: null, previous_rank: null }
    expect(answer.rows.slice(0, 2)).toEqual([
      { ...shown, rank: 1, name: 'Rồng Vàng', value: 3_000_000, is_mine: true },
      { ...shown, rank: 2, name: 'Hổ Mun', value: 2_500_000, is_mine: false },
    ])
    expect(answer.mine).toEqual(answer.rows[0])
    expect(JSON.stringify(answer)).not.toContain(plain.username)
    for (const { token } of [earlier, undone])
      expect(await entries(token)).toMatchObject({ own: { state: 'none', character: null } })
  })

  test('of players who did not choose to be shown are in no ranking, not even their own', async () => {
    const quiet = await aPlayer(portal)
    const changed = await aPlayer(portal)
    await recharge(quiet, 50_000_000)
    await recharge(changed, 40_000_000)
    await showAs(changed, 'Đổi Ý')
    await refreshNow()
    const names = async () => (await entries()).rows.map(({ name }: { name: string }) => name) as string[]
    expect((await names())[0]).toBe('Đổi Ý')
    const { mine, own } = await entries(quiet.token)
    expect([mine, own]).toEqual([undefined, { state: 'hidden', character: null }])
    // Another nickname, and the end of it, are seen before anything is read again.
    await showAs(changed, 'Nghĩ Lại')
    expect((await names())[0]).toBe('Nghĩ Lại')
    await showAs(changed, null)
    // As a refresh does that had read the ranking before.
    const stored = {
      group_id: groupId,
      rank: 900,
      user_id: changed.id,
      server_id: '',
      name: changed.id,
      value: 1,
    }
    await portal.db.insertInto('ranking_entries').values(stored).execute()
    expect((await entries()).rows.map(({ rank }: { rank: number }) => rank)).not.toContain(900)
    expect((await entries(changed.token)).mine).toBeUndefined()
    await showAs(changed, null)
    expect(await names()).not.toContain('Nghĩ Lại')
    expect((await entries(changed.token)).own.state).toBe('hidden')
    expect(
      await portal.db
        .selectFrom('ranking_entries')
        .selectAll()
        .where('user_id', '=', changed.id)
        .where('server_id', '=', '')
        .execute(),
    ).toEqual([])
  })

  test('count within the days that operators set', async () => {
    const player = await aPlayer(portal)
    await showAs(player, 'Theo Ngày')
    await recharge(player, 70_000_000)
    await backDate(await recharge(player, 7_000), 40)
    const period = async (fields: object) => {
      const set = { recharge_period: 'month', starts_on: null, ends_on: null, ...fields }
      await portal.db.updateTable('ranking_groups').set(set).where('id', '=', groupId).execute()
      await refreshNow()
      return (await entries(player.token)).mine?.value
    }
    const day = (ago: number) => vietnamDay(new Date(Date.now() - ago * 86_400_000))
    expect(await period({ recharge_period: 'dates', starts_on: day(41), ends_on: day(39) })).toBe(7_000)
    expect(await period({ recharge_period: 'dates', starts_on: day(41), ends_on: day(0) })).toBe(70_007_000)
    expect(await period({ recharge_period: 'dates', starts_on: day(60), ends_on: day(50) })).toBeUndefined()
    expect(await period({ recharge_period: 'week' })).toBe(70_000_000)
    expect(await period({})).toBe(70_000_000)
  })

  test('are found through the index of their time', async () => {
    await asOwner(
      portal,
      `INSERT INTO ledger_account (id, kind, user_id) SELECT 5000000 + n, 'user_wallet', 5000000 + n FROM generate_series(1, 3000) n`,
      [],
    )
    await asOwner(
      portal,
      `SELECT ledger_post('p2p', ${reader.walletId}, 5000000 + n, 1, 'thu', n::text, NULL, NULL, NULL, NULL)
         FROM generate_series(1, 3000) n, ledger_post('adjustment', 9000000000000001, ${reader.walletId}, 3000, 'thu', 'x', NULL, NULL, NULL, NULL)`,
      [],
    )
    await asOwner(
      portal,
      `INSERT INTO users (username, password_hash, server_id, wallet_account_id)
      SELECT 'dong' || n, 'x', '1', 5000000 + n FROM generate_series(1, 3000) n`,
      [],
    )
    await asOwner(portal, 'ANALYZE', [])
    const group = { id: groupId, run: '00000000-0000-4000-8000-000000000000' }
    const plan = await planOf((db) =>
      stageRecharges(db as never, group, { since: new Date(Date.now() - 60_000), until: null }),
    )
    expect(plan).toContain('ledger_transfer_recharges')
    expect(plan).not.toMatch(/Seq Scan on (ledger_transfer|users)/)
  })
})

describe('the nickname', () => {
  const put = (player: TestPlayer, nickname: unknown) =>
    portal.call('PUT', '/api/user/ranking-name', { token: player.token, body: { nickname } })

  test('is none at first; it is chosen, changed and withdrawn, and each answer is a record of consent', async () => {
    const player = await aPlayer(portal)
    const read = async () =>
      (await portal.call('GET', '/api/user/ranking-name', { token: player.token })).body.nickname
    expect(await read()).toBeNull()
    expect((await put(player, null)).body).toEqual({ nickname: null })
    expect((await put(player, '  Cáo Tuyết ')).body).toEqual({ nickname: 'Cáo Tuyết' })
    expect((await put(player, 'Cáo Bạc')).status).toBe(200)
    expect(await read()).toBe('Cáo Bạc')
    await showAs(player, null)
    expect(await read()).toBeNull()
    const { body } = await portal.call('GET', '/api/user/consents', { token: player.token })
    const records = body.records.filter(({ subject }: { subject: string }) => subject === 'ranking')
    expect(records).toMatchObject([
      { given: false, version: 1, source: 'profile' },
      { given: true, version: 1, source: 'profile' },
    ])
  })

  test.each([
    ['ab', 'có ít nhất 3 ký tự'],
    ['x'.repeat(21), 'nhiều nhất 20 ký tự'],
    ['a b', 'ít nhất 3 chữ cái'],
    ['o\u031b\u0323', 'có ít nhất 3 ký tự'],
    ['a<b>c', 'chỉ gồm chữ cái'],
    ['Quản Trị Viên', 'dành cho ban quản trị'],
    ['Adm1n 99', 'dành cho ban quản trị'],
    ['Docgia 01', 'trùng với một tên đăng nhập'],
    [7, 'Vui lòng nhập biệt danh'],
  ])('%j is refused beside its field', async (nickname, message) => {
    const { status, body } = await put(await aPlayer(portal), nickname)
    expect(status).toBe(422)
    expect(body.errors.nickname[0]).toContain(message)
  })

  test('belongs to one player, whatever marks, blanks and capitals it is written with', async () => {
    const [first, second] = [await aPlayer(portal), await aPlayer(portal)]
    await showAs(first, 'Sói Xám')
    const { status, body } = await put(second, 'SOIXAM')
    expect([status, body.errors.nickname[0]]).toEqual([422, 'Biệt danh này đã có người dùng'])
    expect(
      (await portal.call('GET', '/api/user/consents', { token: second.token })).body.subjects[3].latest,
    ).toBeNull()
    await showAs(first, null)
    await showAs(second, 'SOIXAM')
  })

  test('is changed so many times a day', async () => {
    const player = await aPlayer(portal)
    const statuses: number[] = []
    for (let turn = 0; turn < 21; turn++) statuses.push((await put(player, null)).status)
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([20, 429])
  })
})

/** How PostgreSQL goes about the one statement that `work` sends. */
async function planOf(work: (db: Db) => Promise<unknown>): Promise<string> {
  const pool = new Pool({ connectionString: portal.appUrl, max: 1 })
  const sent: { sql: string; parameters: readonly unknown[] }[] = []
  const watched = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void sent.push(query),
  })
  await work(watched)
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sent[0]!.sql}`, [
    ...sent[0]!.parameters,
  ])
  await watched.destroy()
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}
