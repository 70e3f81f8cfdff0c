import { randomUUID } from 'node:crypto'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callGame, charactersOf, startAdaptedGame, type AdaptedGame } from '#tests/support/adapted-game.ts'
import { TEST_ACCOUNT } from '#tests/support/game-shapes.ts'
import { canHaveMysql, startMysql, type TestMysql } from '#tests/support/mysql.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import { eventually } from '#tests/support/purchases.ts'

const isThere = await canHaveMysql()
const START_MS_MAX = 120_000

let mysql: TestMysql
let game: AdaptedGame
beforeAll(async () => {
  if (!isThere) return
  mysql = await startMysql()
  game = await startAdaptedGame(mysql, { shape: 'by-key', accounts: 30 })
}, START_MS_MAX)
afterAll(async () => {
  await game?.close()
  await mysql?.close()
})

async function query(sql: string): Promise<RowDataPacket[]> {
  const connection = await createConnection({ uri: game.database.url })
  try {
    const [rows] = await connection.query<RowDataPacket[]>(sql)
    return rows
  } finally {
    await connection.end()
  }
}

describe.skipIf(!isThere)('charges at the adapter (skipped without MySQL)', () => {
  const aCharge = async () => {
    const [{ id: character_id } = { id: '' }] = await charactersOf(game.url, TEST_ACCOUNT)
    const path = `/v1/charges/${randomUUID()}`
    return { path, body: { server_id: '1', account: TEST_ACCOUNT, character_id, luong: 7 } }
  }
  const sendCharge = (charge: Awaited<ReturnType<typeof aCharge>>, luong = 7) =>
    callGame(game.url, { method: 'PUT', path: charge.path, body: { ...charge.body, luong } })
  const refund = (path: string) => callGame(game.url, { method: 'POST', path: `${path}/refund` })
  const stored = async (path: string) => {
    const id = path.split('/').at(-1)
    const [charge] = await query(`SELECT status FROM portal_charge WHERE id = '${id}'`)
    const back = await query(`SELECT goods FROM portal_delivery WHERE id = '${id}'`)
    return { status: charge?.status as unknown, back: back.map(({ goods }) => JSON.parse(String(goods))) }
  }
  const untilAsked = (path: string) =>
    eventually(async () => expect(await stored(path)).toEqual({ status: 'asked', back: [] }))
  const refusedAs = (reason: string) => ({ status: 422, body: { status: 'refused', reason } })

  test('shows no notices before the part inside the game does, and then at most five of an account', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString()
    const aNotice = (text: string) => ({ account: TEST_ACCOUNT.toUpperCase(), text, expires_at: until })
    const put = async (id: string, body: object) => {
      const answer = await callGame(game.url, { method: 'PUT', path: `/v1/notices/${id}`, body })
      return [answer.status, answer.body.status]
    }
    const said = async () => (await callGame(game.url, { path: '/v1/game' })).body.notices
    const [id, ...others] = Array.from({ length: 7 }, () => randomUUID())
    expect([await said(), await put(id!, aNotice('Mã: 1'))]).toEqual([false, [404, undefined]])
    await query(`INSERT INTO portal_state VALUES ('shows_notices', 'yes')`)
    expect([await said(), await put(id!, aNotice('Mã: 1'))]).toEqual([true, [200, 'stored']])
    expect(await put(id!, { ...aNotice('Mã: 1'), account: TEST_ACCOUNT })).toEqual([200, 'stored'])
    expect(await put(id!, aNotice('Mã: 2'))).toEqual([409, undefined])
    expect(await put(randomUUID(), aNotice('x'.repeat(201)))).toEqual([400, undefined])
    for (const [at, other] of others.entries())
      expect(await put(other, aNotice(`Mã: ${at}`))).toEqual([200, 'stored'])
    const open = await query(
      'SELECT account, text FROM portal_notice WHERE expires_at > UTC_TIMESTAMP(3) ORDER BY text',
    )
    expect(open.map(({ account, text }) => [account, text])).toEqual(
      [1, 2, 3, 4, 5].map((at) => [TEST_ACCOUNT, `Mã: ${at}`]),
    )
  })

  test('has no charges before the part inside the game has said that it takes them', async () => {
    const described = async () => (await callGame(game.url, { path: '/v1/game' })).body.charges
    const charge = await aCharge()
    expect([await described(), (await sendCharge(charge)).status]).toEqual([false, 404])
    await query(`INSERT INTO portal_state VALUES ('takes_charges', 'yes')`)
    expect(await described()).toBe(true)
  })

  test('refuses for good a charge that nobody takes within its time', async () => {
    const charge = await aCharge()
    expect(await sendCharge(charge)).toEqual(refusedAs('offline'))
    await query(`UPDATE portal_charge SET status = 'applied' WHERE status = 'asked'`)
    expect(await sendCharge(charge)).toEqual(refusedAs('offline'))
    expect((await sendCharge(charge, 8)).status).toBe(409)
  })

  test.runIf(hasAllCases)('waits for a game that is just taking a charge when its time is over', async () => {
    const charge = await aCharge()
    const answer = sendCharge(charge)
    await untilAsked(charge.path)
    const taking = await createConnection({ uri: game.database.url })
    await taking.query('START TRANSACTION')
    await taking.query(`UPDATE portal_charge SET status = 'applied' WHERE status = 'asked'`)
    await eventually(async () => {
      const [row] = await query(
        `SELECT COUNT(*) AS n FROM information_schema.PROCESSLIST WHERE INFO LIKE 'UPDATE portal_charge%'`,
      )
      expect(row?.n).toBe(1)
    }, 10_000)
    await taking.query('COMMIT')
    await taking.end()
    expect(await answer).toEqual({ status: 200, body: { status: 'applied' } })
    expect((await sendCharge(charge, 8)).status).toBe(409)
    const refunds = await Promise.all(Array.from({ length: 10 }, () => refund(charge.path)))
    expect(new Set(refunds.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await stored(charge.path)).toEqual({
      status: 'refunded',
      back: [[{ kind: 'luong', quantity: 7 }]],
    })
  })

  test('gives nothing back of a charge that was not taken', async () => {
    const charge = await aCharge()
    const answer = sendCharge(charge)
    await untilAsked(charge.path)
    expect((await sendCharge(charge, 8)).status).toBe(409)
    expect((await refund(charge.path)).body).toEqual({ status: 'refunded' })
    expect(await answer).toEqual(refusedAs('refunded'))
    expect(await stored(charge.path)).toEqual({ status: 'refunded', back: [] })
    const never = await aCharge()
    expect((await sendCharge({ ...never, body: { ...never.body, character_id: '999' } })).body).toEqual({
      status: 'refused',
      reason: 'no-such-character',
    })
    await refund(never.path)
    expect(await sendCharge(never)).toEqual(refusedAs('refunded'))
    expect((await stored(never.path)).back).toEqual([])
  })
})
