import { type RawBuilder, sql } from 'kysely'
import type { TrailRow } from '#contract/operator/users.ts'
import { memoOfTransfer } from '#server/modules/bank-inbox/index.ts'
import type { Db } from '#server/platform/db/database.ts'

/** Whose trail it is. */
type Who = { id: string; walletId: string }

export type StoredTrailRow = Omit<TrailRow, 'at' | 'id' | 'act'> & { key: string; micros: string }

type Source = {
  kind: TrailRow['kind']
  at: string
  ref: string
  what: string
  amount?: string
  note?: string | RawBuilder<string | null>
  by?: string
  /** FROM and the condition that leads to the player, along an index. */
  rows: (who: Who) => RawBuilder<unknown>
}

const OTHER_SIDE = `(SELECT p.username FROM ledger_transfer t
  JOIN ledger_account c ON c.id = CASE WHEN l.amount < 0 THEN t.credit_account ELSE t.debit_account END
  JOIN users p ON p.id = c.user_id
 WHERE t.id = l.transfer_id AND t.kind = 'p2p')`

/** One source of each kind; what of it belongs to the player is found by an index and is in the order of time. */
const sources: readonly Source[] = [
  {
    kind: 'order',
    at: 'o.created_at',
    ref: 'o.code',
    what: `CASE WHEN o.status = 'pending' AND o.expires_at <= now() THEN 'expired' ELSE o.status END`,
    amount: 'o.amount',
    rows: ({ id }) => sql`FROM payment_order o WHERE o.user_id = ${id}::bigint`,
  },
  {
    kind: 'bank-transfer',
    at: 'b.created_at',
    ref: 'b.id::text',
    what: 'b.state',
    amount: 'b.amount',
    note: memoOfTransfer,
    rows: ({ id }) => sql`FROM bank_transaction b WHERE b.user_id = ${id}::bigint`,
  },
  {
    kind: 'ledger',
    at: 'l.created_at',
    ref: 'l.transfer_id::text',
    what: 'l.kind',
    amount: 'l.amount',
    by: OTHER_SIDE,
    // Wallets have indexes that the portal's own accounts are not in.
    rows: ({ walletId }) =>
      sql`FROM ledger_entry l WHERE l.account_id = ${walletId}::bigint AND l.account_id < 9000000000000000`,
  },
  {
    kind: 'delivery',
    at: 'd.created_at',
    ref: 'd.id::text',
    what: 'd.state',
    amount: 'd.amount',
    note: 'd.character_name',
    rows: ({ id }) => sql`FROM delivery d WHERE d.user_id = ${id}::bigint`,
  },
  {
    kind: 'claim',
    at: 'q.created_at',
    ref: 'q.id::text',
    what: `CASE WHEN q.status = 'settled' THEN q.status ELSE coalesce(
      (SELECT CASE WHEN h.state = 'closed' THEN 'rejected' WHEN h.state = 'answered' AND q.status = 'rejected' THEN 'rejected' ELSE h.state END
         FROM help_case h WHERE h.about_kind = 'claim' AND h.about_id = q.id::text), 'rejected') END`,
    amount: 'q.amount',
    note: 'q.bank_reference',
    rows: ({ id }) => sql`FROM recharge_claim q WHERE q.user_id = ${id}::bigint`,
  },
  {
    kind: 'case',
    at: 'h.created_at',
    ref: 'h.id::text',
    what: 'h.state',
    note: 'h.about_title',
    rows: ({ id }) => sql`FROM help_case h WHERE h.user_id = ${id}::bigint AND h.about_kind <> 'claim'`,
  },
  {
    kind: 'sign-in',
    at: 'n.at',
    ref: 'n.id::text',
    what: 'n.outcome',
    note: `n.user_agent || chr(10) || n.place`,
    rows: ({ id }) => sql`FROM sign_in n WHERE n.user_id = ${id}::bigint`,
  },
  {
    kind: 'act',
    at: 'g.at',
    ref: 'g.seq::text',
    what: `CASE WHEN g.subject_type = 'user' THEN g.action ELSE g.action || ' ' || g.subject_type END`,
    note: 'g.reason',
    by: `(SELECT p.username FROM users p WHERE p.id = g.actor_id)`,
    // What waited for a second person stands under what it was about. Step-ups come with other acts.
    rows: ({ id }) => sql`FROM audit_log g
      WHERE g.subject_type IN ('user', 'adjustment', 'second-factor', 'account-return') AND g.subject_id = ${id}
        AND g.action <> 'second-factor.step-up'`,
  },
]

/** The newest rows of each kind behind a mark, together in the order of time; at most `limit`. */
export async function selectTrail(
  db: Db,
  who: Who,
  { mark, limit }: { mark: TrailMark; limit: number },
): Promise<StoredTrailRow[]> {
  const newest = sources.map(({ kind, at, rows, ...cells }) => {
    const { amount = 'NULL::bigint', note = 'NULL::text', by = 'NULL::text' } = cells
    const key = sql`(${`${kind}:`}::text || ${sql.raw(cells.ref)}) COLLATE "C"`
    const moment = sql.raw(at)
    const last = sql`timestamptz 'epoch' + ${mark.micros}::bigint * interval '1 microsecond'`
    return sql`(
      SELECT ${key} AS key, (extract(epoch FROM ${moment}) * 1000000)::bigint AS micros, ${kind}::text AS kind,
             ${sql.raw(cells.ref)} AS ref, ${sql.raw(cells.what)} AS what, ${sql.raw(amount)} AS amount,
             ${typeof note === 'string' ? sql.raw(note) : note} AS note, ${sql.raw(by)} AS by
        ${rows(who)} AND ${moment} <= ${last} AND (${moment} < ${last} OR ${key} < ${mark.key})
       ORDER BY ${moment} DESC, 1 DESC LIMIT ${limit})`
  })
  const { rows } = await sql<Omit<StoredTrailRow, 'amount'> & { amount: string | null }>`
    SELECT * FROM (${sql.join(newest, sql` UNION ALL `)}) AS trail
     ORDER BY micros DESC, key DESC LIMIT ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, amount: row.amount === null ? null : Number(row.amount) }))
}

/** Behind which row a trail goes on: its moment in microseconds, and its key among those of one moment. */
type TrailMark = { micros: string; key: string }

/** Behind no row: later than all, in the year 2255. */
const START: TrailMark = { micros: '9000000000000000', key: '' }

export function readMark(before: string | undefined): TrailMark {
  if (before === undefined) return START
  const [micros = '', key = ''] = before.split('~')
  return { micros, key }
}

export const writeMark = ({ micros, key }: TrailMark): string => `${micros}~${key}`

/** Whether a row stands behind another in a trail: earlier, or of the same moment with a smaller key. */
export function isBehind(row: TrailMark, mark: TrailMark): boolean {
  const [at, last] = [BigInt(row.micros), BigInt(mark.micros)]
  return at < last || (at === last && row.key < mark.key)
}

export const microsOf = (moment: string): string => `${Date.parse(moment)}000`

export const momentOf = (micros: string): string => new Date(Number(BigInt(micros) / 1000n)).toISOString()
