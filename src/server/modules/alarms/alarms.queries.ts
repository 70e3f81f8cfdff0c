import { sql, type RawBuilder } from 'kysely'
import { ALARM_COUNT_MAX, type AlarmName, type WaitingKind } from '#contract/operator/alarms.ts'
import type { Db } from '#server/platform/db/database.ts'

export type CountedAlarm = { count: string; oldest: Date | null }

/** Rows with the moment since when each waits, in the order of an index, so that only what is counted is read. */
const ROWS: Record<
  Exclude<AlarmName, 'audit-chain-broken' | 'ledger-broken' | 'one-person'>,
  RawBuilder<unknown>
> = {
  'unmatched-transfers': sql`SELECT created_at AS since FROM bank_transaction
    WHERE state = 'review' AND created_at < now() - interval '1 hour' ORDER BY created_at`,
  'unread-payment-events': sql`SELECT received_at AS since FROM payment_event
    WHERE status = 'new' AND received_at < now() - interval '10 minutes' ORDER BY received_at`,
  'waiting-claims': sql`SELECT created_at AS since FROM recharge_claim WHERE status = 'open' ORDER BY created_at`,
  'waiting-credits': sql`SELECT proposed_at AS since FROM proposal
    WHERE state = 'waiting' AND kind = 'bank-transfer' ORDER BY proposed_at`,
  'waiting-refunds': sql`SELECT asked_at AS since FROM gateway_refund
    WHERE next_query_at IS NOT NULL AND asked_at < now() - interval '1 hour'`,
  'parked-deliveries': sql`SELECT created_at AS since FROM delivery WHERE state = 'parked' ORDER BY created_at`,
  'late-deliveries': sql`SELECT created_at AS since FROM delivery
    WHERE state NOT IN ('delivered', 'refunded') AND state <> 'parked' AND created_at < now() - interval '5 minutes'
    ORDER BY created_at`,
  'red-closes': sql`SELECT made_at AS since FROM daily_close WHERE status = 'red' AND is_latest`,
  'waiting-proposals': sql`SELECT proposed_at AS since FROM proposal
    WHERE state = 'waiting' AND kind <> 'bank-transfer' ORDER BY proposed_at`,
  'due-deletions': sql`SELECT asked_at AS since FROM deletion_request
    WHERE state IN ('waiting', 'approved') AND due_at < now() + interval '3 days' ORDER BY due_at`,
  'failed-mails': sql`SELECT created_at AS since FROM mail_outbox WHERE last_error IS NOT NULL ORDER BY created_at`,
}

export type RowAlarm = keyof typeof ROWS

export async function countAlarm(db: Db, name: RowAlarm): Promise<CountedAlarm> {
  const { rows } = await sql<CountedAlarm>`
    SELECT count(*) AS count, min(since) AS oldest
      FROM (${ROWS[name]} LIMIT ${ALARM_COUNT_MAX}) AS waiting`.execute(db)
  return rows[0] as CountedAlarm
}

/** The ids of what waits, with the moment it came; in the order of an index, the newest first. */
const WAITING: Record<WaitingKind, (proposalKinds: readonly string[]) => RawBuilder<unknown>> = {
  'bank-transfers': () => sql`SELECT id::text AS id, created_at AS since FROM bank_transaction
    WHERE state = 'review' ORDER BY created_at DESC`,
  deliveries: () =>
    sql`SELECT id::text AS id, created_at AS since FROM delivery WHERE state = 'parked' ORDER BY created_at DESC`,
  proposals: (kinds) => sql`SELECT id::text AS id, proposed_at AS since FROM proposal
    WHERE state = 'waiting' AND kind = ANY(${kinds}) ORDER BY proposed_at DESC`,
}

export async function findWaiting(
  db: Db,
  kind: WaitingKind,
  proposalKinds: readonly string[],
): Promise<{ count: number; newest: string | null }> {
  const { rows } = await sql<{ count: string; newest: string | null }>`
    SELECT count(*) AS count, (array_agg(id ORDER BY since DESC, id DESC))[1] AS newest
      FROM (${WAITING[kind](proposalKinds)} LIMIT ${ALARM_COUNT_MAX}) AS waiting`.execute(db)
  return { count: Number(rows[0]?.count), newest: rows[0]?.newest ?? null }
}
