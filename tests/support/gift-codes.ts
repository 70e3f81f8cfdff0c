import { randomInt } from 'node:crypto'
import { makeGiftCode } from '#server/modules/gift-codes/gift-code.rules.ts'
import { HASH_PURPOSE } from '#server/modules/gift-codes/redeeming.service.ts'
import type { TestApp } from './app.ts'
import { asOwner } from './databases.ts'
import { fundedBudget } from './promotions.ts'

type Terms = {
  /** For each use, out of a budget of its own; null: goods. */
  coins?: number | null
  goods?: readonly object[]
  codes?: number
  usesPerCode?: number
  perPlayer?: number
  serverId?: string | null
  /** Seconds from now. */
  startsIn?: number
  endsIn?: number
}

export type TestBatch = { id: string; codes: string[]; budgetId: string | null }

/** A batch that runs, as a start leaves it; by default one code for a thousand players. */
export async function runningBatch(
  portal: Pick<TestApp, 'db' | 'ownerUrl'> & { deps: Pick<TestApp['deps'], 'vault'> },
  {
    coins = 500,
    goods = [{ kind: 'luong', quantity: 300 }],
    codes = 1,
    usesPerCode = codes === 1 ? 1_000 : 1,
    perPlayer = 1,
    serverId = null,
    startsIn = -60,
    endsIn = 3_600,
  }: Terms = {},
): Promise<TestBatch> {
  const cost = (coins ?? 0) * codes * usesPerCode
  const budgetId = coins === null ? null : await fundedBudget(portal, cost)
  const made = Array.from({ length: codes }, () => makeGiftCode(randomInt))
  const hashes = await Promise.all(made.map((code) => portal.deps.vault.hash(HASH_PURPOSE, code)))
  const title = `Tết ${made[0]}`
  await asOwner(
    portal,
    `INSERT INTO gift_code_batch (title, coins, budget_id, goods, starts_at, ends_at, codes, uses_per_code, per_player,
        server_id, state, started_at, held, made_by)
     SELECT $1, $2, $3, $4, now() + make_interval(secs => $5), now() + make_interval(secs => $6), $7, $8, $9, $10,
            'running', now(), $11, min(id) FROM users`,
    [
      title,
      coins,
      budgetId,
      coins === null ? JSON.stringify(goods) : null,
      startsIn,
      endsIn,
      codes,
      usesPerCode,
      perPlayer,
      serverId,
      cost,
    ],
  )
  const query = portal.db.selectFrom('gift_code_batch').select('id').where('title', '=', title)
  const { id } = await query.executeTakeFirstOrThrow()
  await asOwner(
    portal,
    `INSERT INTO gift_code (hash, batch_id, uses_max) SELECT hash, $1, $2 FROM unnest($3::bytea[]) AS hash`,
    [id, usesPerCode, hashes],
  )
  if (budgetId !== null)
    await asOwner(
      portal,
      `SELECT ledger_post('gift_code_hold', account_id, 9000000000000009, $2, 'gift_code_batch', $3, NULL, NULL, NULL, NULL)
         FROM budget WHERE id = $1`,
      [budgetId, cost, id],
    )
  return { id, codes: made, budgetId }
}
