import { sql } from 'kysely'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { aPlayer, type TestPlayer, balances, send } from '#tests/support/players.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { withSettings } from '#tests/support/settings.ts'

const portal = useTestApp()
let payer: TestPlayer
let payee: TestPlayer
beforeEach(async () => {
  payer = await aPlayer(portal, { coins: 1_000_000, isActivated: true })
  payee = await aPlayer(portal, { isActivated: true })
})
afterEach(() => expectReconciled(portal))

describe('the limit of the day', () => {
  test('is not passed by transfers that come all at once', async () => {
    await withSettings(portal, { transfer_daily_limit: 500_000 }, async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => send(portal, payer, { payee: payee.username, amount: 50_000 })),
      )
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(10)
      expect(answers.filter((answer) => answer.body.code === 'LIMIT_EXCEEDED')).toHaveLength(10)
    })
    expect(await balances(portal, payer, payee)).toEqual([500_000, 500_000])
  })

  test('counts what was sent, not what was received or paid to the portal', async () => {
    await withSettings(portal, { transfer_daily_limit: 30_000 }, async () => {
      await send(portal, payer, { payee: payee.username, amount: 30_000 })
      expect((await send(portal, payee, { payee: payer.username, amount: 30_000 })).status).toBe(200)
    })
  })

  test('starts again at midnight in Vietnam', async () => {
    await withSettings(portal, { transfer_daily_limit: 100_000 }, async () => {
      await send(portal, payer, { payee: payee.username, amount: 100_000 })
      const full = await send(portal, payer, { payee: payee.username, amount: 1 })
      expect([full.status, full.body]).toMatchObject([
        422,
        {
          code: 'LIMIT_EXCEEDED',
          message: 'Hạn mức chuyển mỗi ngày là 100,000 TCoin, hôm nay bạn còn được chuyển 0 TCoin',
        },
      ])
      await backdateTo(`midnight - interval '1 millisecond'`)
      expect((await send(portal, payer, { payee: payee.username, amount: 40_000 })).status).toBe(200)
      await backdateTo(`midnight`)
      expect((await send(portal, payer, { payee: payee.username, amount: 1 })).status).toBe(422)
    })
  })

  /** Moves the payer's entries to another moment, which only the database's superuser can. */
  async function backdateTo(moment: string): Promise<void> {
    const owner = new Client({ connectionString: portal.ownerUrl })
    await owner.connect()
    await owner.query(`BEGIN; SET LOCAL session_replication_role = replica;
      UPDATE ledger_entry SET created_at =
        (SELECT ${moment} FROM (SELECT date_trunc('day', now(), 'Asia/Ho_Chi_Minh') AS midnight) AS today)
       WHERE account_id = ${payer.walletId}; COMMIT`)
    await owner.end()
  }

  test('is counted by an index on the wallet’s own entries', async () => {
    const plan = await portal.db.transaction().execute(async (tx) => {
      await sql`SET LOCAL enable_seqscan = off`.execute(tx)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        EXPLAIN SELECT sum(amount) FROM ledger_entry
         WHERE account_id = ${payer.walletId} AND kind = 'p2p' AND amount < '0'
           AND created_at >= date_trunc('day', statement_timestamp() AT TIME ZONE 'Asia/Ho_Chi_Minh') AT TIME ZONE 'Asia/Ho_Chi_Minh'
      `.execute(tx)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    expect(plan).toContain('account_id =')
    expect(plan).toMatch(/Index.*ledger_entry_(created|kind|amount|pkey)/)
  })
})
