import { sql } from 'kysely'
import { parseCoins } from '#server/platform/db/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { RechargeOrder } from '#contract/recharge.ts'

export type SuggestedOrder = ReturnType<typeof toOrder>

const unpaid = (db: Db) =>
  db
    .selectFrom('payment_order as placed')
    .innerJoin('users', 'users.id', 'placed.user_id')
    .select(['placed.code', 'placed.amount', 'placed.status', 'placed.created_at'])
    .select(['placed.user_id as userId', 'users.username'])
    .$narrowType<{ status: RechargeOrder['status'] }>()
    .where('placed.credited', '=', '0')

type Row = Awaited<ReturnType<ReturnType<typeof unpaid>['executeTakeFirstOrThrow']>>

const toOrder = (row: Row) => ({ ...row, amount: parseCoins(row.amount) })

export type OpenAround = { accountNumber: string; amount: number; at: Date; limit: number }

/** Unpaid orders for just this amount on just this account that were open within a day of a moment, the latest first. */
export async function listOrdersOpenAround(
  db: Db,
  { accountNumber, amount, at, limit }: OpenAround,
): Promise<SuggestedOrder[]> {
  const rows = await unpaid(db)
    .where('placed.account_number', '=', accountNumber)
    .where('placed.amount', '=', String(amount))
    // An order is open for half an hour; a day before that is as good as a day before it ended.
    .where('placed.created_at', '>=', sql<Date>`${at}::timestamptz - interval '24 hours 30 minutes'`)
    .where('placed.created_at', '<=', sql<Date>`${at}::timestamptz + interval '24 hours'`)
    .orderBy('placed.created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toOrder)
}

export async function listUnpaidOrders(db: Db, codes: readonly string[]): Promise<SuggestedOrder[]> {
  if (codes.length === 0) return []
  const rows = await unpaid(db)
    .where('placed.code', '=', sql<string>`ANY (${codes}::text[])`)
    .limit(10)
    .execute()
  return rows.map(toOrder)
}

export async function listPlayersNamed(
  db: Db,
  usernames: readonly string[],
): Promise<{ id: string; username: string }[]> {
  if (usernames.length === 0) return []
  return db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('username_key', '=', sql<string>`ANY (${usernames}::text[])`)
    .limit(10)
    .execute()
}

export async function listPlayersWithPhones(
  db: Db,
  phones: readonly string[],
): Promise<{ id: string; username: string }[]> {
  if (phones.length === 0) return []
  return db
    .selectFrom('user_contacts')
    .innerJoin('users', 'users.id', 'user_contacts.user_id')
    .select(['users.id', 'users.username'])
    .where('user_contacts.phone', '=', sql<string>`ANY (${phones}::text[])`)
    .limit(10)
    .execute()
}
