import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** As many of the last payments as are looked at, and how many of them make a usual time. */
const LOOKED_AT = 200
const ENOUGH = 5
const DAYS = 7

/**
 * The median of the seconds from the bank's booking, or from its notice where the bank names no time, to the wallet, over
 * the last payments that came as they were asked for. Null while there are too few of these days.
 */
export async function findUsualSeconds(db: Db): Promise<number | null> {
  const last = db
    .selectFrom('payment_order')
    .select(['id', 'paid_at'])
    .where('status', '=', 'paid')
    .orderBy('id', 'desc')
    .limit(LOOKED_AT)
  const { seconds, count } = await db
    .selectFrom(last.as('paid'))
    .innerJoin('bank_transaction as payment', 'payment.order_id', 'paid.id')
    .where('payment.state', '=', 'credited')
    .where('paid.paid_at', '>', sql<Date>`now() - make_interval(days => ${DAYS})`)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .select(
      sql<string | null>`percentile_cont(0.5) WITHIN GROUP (ORDER BY greatest(0,
        extract(epoch FROM paid.paid_at - coalesce(payment.booked_at, payment.created_at))))`.as('seconds'),
    )
    .executeTakeFirstOrThrow()
  return seconds === null || Number(count) < ENOUGH ? null : Number(seconds)
}
