import { sql } from 'kysely'
import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import type { InvitationReward, operatorInvitations } from '#contract/operator/rewards/invitations.ts'
import { INVITATION_HOURS, type getInvitations } from '#contract/rewards/invitations.ts'
import { parseCoins } from '#server/domain/coins.ts'
import { inPages } from '#server/domain/personal-part.ts'
import { listDueOf } from '#server/platform/queues/due-rows.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isDue } from '#server/platform/db/due.ts'
import { allOf, countWithinReach, pageById } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'

/** A recharge has to be so old; whoever is not activated is looked at again each day. */
const WAIT_SECONDS_MAX = INVITATION_HOURS * 3_600

type Invited = AnswerOf<typeof getInvitations>['invited'][number]

/** No inviter's list is sorted further. */
const READ_MAX = 10_000

/** Who registered by a player's link, the newest first; `name` is the whole username. */
export async function selectInvited(
  db: Db,
  { inviterId, limit }: { inviterId: string; limit: number },
): Promise<Invited[]> {
  const { rows } = await sql<Invited & { reward: string | null }>`
    SELECT u.username AS name, r.inviter_coins AS reward,
           CASE WHEN r.state = 'review' THEN 'waiting' WHEN r.due_at IS NOT NULL OR r.state <> 'waiting' THEN r.state
                WHEN a.user_id IS NULL THEN 'registered' ELSE 'activated' END AS state
      FROM (SELECT id, username FROM (
              SELECT id, username FROM users WHERE referrer_id = ${inviterId}::bigint LIMIT ${READ_MAX}) invited
             ORDER BY id DESC LIMIT ${limit}) u
      LEFT JOIN invitation_reward r ON r.invited_id = u.id
      LEFT JOIN activation a ON a.user_id = u.id
     ORDER BY u.id DESC`.execute(db)
  return rows.map(({ reward, ...row }) => ({ ...row, reward: reward === null ? null : parseCoins(reward) }))
}

/** The first day of the month in Vietnam. */
const thisMonth = sql`date_trunc('month', now() AT TIME ZONE 'Asia/Ho_Chi_Minh')::date`

/** How many of a player's invitations were rewarded this month. */
export async function countOfMonth(db: Db | Tx, inviterId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM invitation_reward
     WHERE inviter_id = ${inviterId}::bigint AND state = 'granted' AND month = ${thisMonth}`.execute(db)
  return rows[0]?.count ?? 0
}

/** The invited players of rewards that are due. */
export const listDue = listDueOf({
  id: 'invitation_reward.invited_id',
  from: sql`invitation_reward`,
  isDue: isDue(sql`due_at`, WAIT_SECONDS_MAX),
  order: sql`due_at`,
})

/** One that is due. It is locked once the wallets are, as crediting locks them: another may have decided it by then. */
export async function findDue(
  db: Db,
  invitedId: string,
): Promise<{ invitedId: string; inviterId: string } | undefined> {
  const { rows } = await sql<{ invitedId: string; inviterId: string }>`
    SELECT invited_id AS "invitedId", inviter_id AS "inviterId" FROM invitation_reward
     WHERE invited_id = ${invitedId}::bigint AND ${isDue(sql`due_at`, WAIT_SECONDS_MAX)}`.execute(db)
  return rows[0]
}

export type LockedReward = {
  state: InvitationReward['state']
  isDue: boolean
  inviterId: string
  /** It was there for a month. */
  isOld: boolean
}

/** Locks a reward. The wallets of both players are locked by the caller. */
export async function lockReward(tx: Tx, invitedId: string): Promise<LockedReward | undefined> {
  const { rows } = await sql<LockedReward>`
    SELECT state, coalesce(${isDue(sql`due_at`, WAIT_SECONDS_MAX)}, false) AS "isDue", inviter_id AS "inviterId",
           created_at < now() - interval '30 days' AS "isOld"
      FROM invitation_reward WHERE invited_id = ${invitedId}::bigint FOR NO KEY UPDATE`.execute(tx)
  return rows[0]
}

/**
 * How long until the first recharge of at least so much that was not reversed is old enough; undefined where there is none.
 * Credited money counts from its ledger transfer.
 */
export async function findRechargeWait(
  tx: Tx,
  { invitedId, minimum, hours }: { invitedId: string; minimum: number; hours: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ seconds: number }>`
    SELECT greatest(0, ${hours * 3_600}::float8 - greatest(0, extract(epoch FROM now() - t.created_at)::float8)) AS seconds
      FROM bank_transaction b JOIN ledger_transfer t ON t.id = b.transfer_id
     WHERE b.user_id = ${invitedId}::bigint AND b.state = 'credited' AND b.amount >= ${minimum}::bigint
     ORDER BY t.created_at LIMIT 1`.execute(tx)
  return rows[0]?.seconds
}

export type Mark = 'device' | 'address' | 'bank-account' | 'character'

/** How many of an inviter's other players a new one is compared with, the newest. */
const COMPARED_MAX = 200

/**
 * What the invited player has in common with the inviter or with another player whom that one invited. Phones need no comparison:
 * an account has its own.
 */
export async function findMarks(
  tx: Tx,
  { invitedId, inviterId }: { invitedId: string; inviterId: string },
): Promise<Mark[]> {
  const { rows } = await sql<{ mark: Mark }>`
    WITH others AS MATERIALIZED (
      SELECT ${inviterId}::bigint AS id
       UNION ALL
      (SELECT invited_id FROM invitation_reward
        WHERE inviter_id = ${inviterId}::bigint AND invited_id <> ${invitedId}::bigint
        ORDER BY invited_id DESC LIMIT ${COMPARED_MAX})),
    own_payers AS MATERIALIZED (
      SELECT DISTINCT payer_account(body.memo, body.full_text) AS account
        FROM bank_transaction b
        JOIN payment_event e ON e.bank_transaction_id = b.id
        JOIN payment_event_body body ON body.event_id = e.id
       WHERE b.user_id = ${invitedId}::bigint AND payer_account(body.memo, body.full_text) IS NOT NULL)
    SELECT DISTINCT CASE own.kind WHEN 'cookie' THEN 'device' ELSE 'address' END AS mark
      FROM known_device own JOIN others ON true
      JOIN known_device other ON other.user_id = others.id AND other.kind = own.kind AND other.hash = own.hash
     WHERE own.user_id = ${invitedId}::bigint
     UNION
    SELECT 'bank-account' FROM own_payers JOIN others ON true
      JOIN bank_transaction b ON b.user_id = others.id
      JOIN payment_event e ON e.bank_transaction_id = b.id
      JOIN payment_event_body body ON body.event_id = e.id
       AND payer_account(body.memo, body.full_text) = own_payers.account
     UNION
    SELECT 'character' FROM delivery own JOIN others ON true
      JOIN delivery other ON other.user_id = others.id AND other.server_id = own.server_id
       AND other.character_id = own.character_id
     WHERE own.user_id = ${invitedId}::bigint
     ORDER BY mark`.execute(tx)
  return rows.map(({ mark }) => mark)
}

/** Locks a budget, and answers what it holds; undefined where there is none. */
export async function lockBudget(
  tx: Tx,
  id: number,
): Promise<{ accountId: string; balance: number } | undefined> {
  const { rows } = await sql<{ accountId: string; balance: string }>`
    SELECT budget.account_id AS "accountId", account.balance
      FROM budget JOIN ledger_account account ON account.id = budget.account_id
     WHERE budget.id = ${id}::bigint FOR NO KEY UPDATE OF budget`.execute(tx)
  return rows[0] && { ...rows[0], balance: parseCoins(rows[0].balance) }
}

type Grant = {
  invitedId: string
  inviterCoins: number
  invitedCoins: number
  number: number
  perMonth: number
  decidedBy: string | null
}

export async function markGranted(
  tx: Tx,
  { invitedId, inviterCoins, invitedCoins, number, perMonth, decidedBy }: Grant,
): Promise<void> {
  await sql`
    UPDATE invitation_reward
       SET state = 'granted', due_at = NULL, inviter_coins = ${inviterCoins}::bigint, invited_coins = ${invitedCoins}::bigint,
           month = ${thisMonth}, number = ${number}, per_month = ${perMonth}, decided_by = ${decidedBy}::bigint,
           decided_at = clock_timestamp()
     WHERE invited_id = ${invitedId}::bigint`.execute(tx)
}

type Undecided = { invitedId: string; reasons: readonly string[] }

export async function markReview(tx: Tx, { invitedId, reasons }: Undecided): Promise<void> {
  await sql`
    UPDATE invitation_reward SET state = 'review', due_at = NULL, reasons = ${reasons}::text[]
     WHERE invited_id = ${invitedId}::bigint`.execute(tx)
}

export async function markRefused(
  tx: Tx,
  { invitedId, reasons, decidedBy }: Undecided & { decidedBy: string | null },
): Promise<void> {
  await sql`
    UPDATE invitation_reward
       SET state = 'refused', due_at = NULL, reasons = ${reasons}::text[], decided_by = ${decidedBy}::bigint,
           decided_at = clock_timestamp()
     WHERE invited_id = ${invitedId}::bigint`.execute(tx)
}

/** Decides it later; null: when the player recharges again. */
export async function markDue(
  tx: Tx,
  { invitedId, afterSeconds }: { invitedId: string; afterSeconds: number | null },
): Promise<void> {
  await sql`
    UPDATE invitation_reward SET due_at = clock_timestamp() + make_interval(secs => ${afterSeconds}::float8)
     WHERE invited_id = ${invitedId}::bigint`.execute(tx)
}

type Filter = NonNullable<QueryOf<typeof operatorInvitations.list>['filter']>

const matching = ({ id, state, inviter_id }: Filter) =>
  allOf([
    id === undefined ? null : sql`r.invited_id = ANY(${id}::bigint[])`,
    state === undefined ? null : sql`r.state = ${state}`,
    inviter_id === undefined ? null : sql`r.inviter_id = ${inviter_id}::bigint`,
  ])

type Row = {
  id: string
  invited: string
  inviterId: string
  inviter: string
  state: InvitationReward['state']
  reasons: InvitationReward['reasons']
  inviterCoins: string | null
  invitedCoins: string | null
  createdAt: Date
  dueAt: Date | null
  decidedAt: Date | null
  deciderId: string | null
  decider: string | null
}

const rewards = (db: Db | Tx) =>
  db
    .selectFrom('invitation_reward as r')
    .innerJoin('users as invited', 'invited.id', 'r.invited_id')
    .innerJoin('users as inviter', 'inviter.id', 'r.inviter_id')
    .leftJoin('users as decider', 'decider.id', 'r.decided_by')
    .select(['r.invited_id as id', 'invited.username as invited', 'r.inviter_id as inviterId'])
    .select(['inviter.username as inviter', 'r.state', 'r.reasons'])
    .select(['r.inviter_coins as inviterCoins', 'r.invited_coins as invitedCoins'])
    .select(['r.created_at as createdAt', 'r.due_at as dueAt', 'r.decided_at as decidedAt'])
    .select(['r.decided_by as deciderId', 'decider.username as decider'])
    .$castTo<Row>()

const coinsOrNull = (coins: string | null) => (coins === null ? null : parseCoins(coins))

const toReward = (row: Row): InvitationReward => ({
  id: row.id,
  invited: { id: row.id, username: row.invited },
  inviter: { id: row.inviterId, username: row.inviter },
  state: row.state,
  reasons: row.reasons,
  inviter_coins: coinsOrNull(row.inviterCoins),
  invited_coins: coinsOrNull(row.invitedCoins),
  created_at: row.createdAt.toISOString(),
  due_at: row.dueAt?.toISOString() ?? null,
  decided_at: row.decidedAt?.toISOString() ?? null,
  decided_by:
    row.deciderId === null || row.decider === null ? null : { id: row.deciderId, username: row.decider },
})

export async function selectRewards(
  db: Db,
  filter: Filter,
  page: ListPage,
): Promise<ListRows<InvitationReward>> {
  const rows = await pageById(rewards(db).where(matching(filter)), 'r.invited_id', page).execute()
  const counted = db.selectFrom('invitation_reward as r').where(matching(filter))
  return { total: () => countWithinReach(db, counted), rows: rows.map(toReward) }
}

export async function findReward(db: Db | Tx, invitedId: string): Promise<InvitationReward | undefined> {
  const row = await rewards(db).where('r.invited_id', '=', invitedId).executeTakeFirst()
  return row && toReward(row)
}

/** Those of which a person was one side; the other is no concern of theirs. */
export const rewardsOfPerson = inPages(
  ({ id }, { after, limit }) => sql`
    SELECT r.invited_id::text AS cursor, CASE WHEN r.inviter_id = ${id}::bigint THEN 'inviter' ELSE 'invited' END AS side,
           r.state, CASE WHEN r.inviter_id = ${id}::bigint THEN r.inviter_coins ELSE r.invited_coins END AS coins,
           r.created_at, r.decided_at
      FROM invitation_reward r
     WHERE (r.inviter_id = ${id}::bigint OR r.invited_id = ${id}::bigint)
       AND r.invited_id > coalesce(${after}::bigint, 0)
     ORDER BY r.invited_id LIMIT ${limit}`,
)
