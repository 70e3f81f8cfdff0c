import { sql } from 'kysely'
import type { QueryOf } from '#contract/endpoint.ts'
import { type ProposalTerms, storedTerms } from '#contract/operator/proposal-terms.ts'
import {
  OBJECTION_HOURS,
  type OperatorProposal,
  type operatorProposals,
  type ProposalKind,
} from '#contract/operator/proposals.ts'
import { listDueOf } from '#server/platform/queues/due-rows.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countWithinReach, pageById } from '#server/platform/db/list.ts'
import { notify } from '#server/domain/notices.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { invariant } from '#server/platform/values/errors.ts'
import type { Person } from '#server/domain/personal-part.ts'

type ProposalState = OperatorProposal['state']

/** Those about bank transfers are made and decided by the module bank-inbox (`transfer-proposals.service.ts`). */
export type OwnKind = Exclude<ProposalKind, 'bank-transfer'>

const TRANSFER = 'bank-transfer'

/** One change; a proposal makes its parts before its own. */
export type OwnChange = Pick<OperatorProposal, 'subject' | 'payload'> & { kind: OwnKind }

export type OwnProposal = OperatorProposal & OwnChange & { parts: OwnChange[] }

export type NewProposal = OwnChange & { parts?: OwnChange[]; reason: string; operatorId: string }

/** Terms and parts are stored within the payload, which older programs read too. */
type StoredPayload = OperatorProposal['payload'] & { terms?: ProposalTerms; parts?: OwnChange[] }

/** Undefined when another change of the same thing waits already. */
export async function insertProposal(
  tx: Tx,
  { kind, subject, payload, parts = [], terms, reason, operatorId }: NewProposal & { terms: ProposalTerms },
  hoursToEffect: number | null,
): Promise<string | undefined> {
  const stored: StoredPayload = { ...payload, terms, ...(parts.length > 0 && { parts }) }
  const { rows } = await sql<{ id: string }>`
    INSERT INTO proposal (kind, subject, payload, reason, proposed_by, takes_effect_at)
    VALUES (${kind}, ${subject}, ${JSON.stringify(stored)}::jsonb, ${reason}, ${operatorId}::bigint,
            clock_timestamp() + make_interval(hours => ${hoursToEffect}::integer))
    ON CONFLICT (kind, subject) WHERE state = 'waiting' DO NOTHING RETURNING id`.execute(tx)
  if (rows.length > 0) notify(tx, 'operator_event', 'proposals')
  return rows[0]?.id
}

type AgreedRow = OperatorProposal['agreed_by'][number]

const named = (db: Db | Tx) =>
  db
    .selectFrom('proposal')
    .innerJoin('users as proposer', 'proposer.id', 'proposal.proposed_by')
    .leftJoin('users as decider', 'decider.id', 'proposal.decided_by')
    .selectAll('proposal')
    .select(['proposer.username as proposer', 'decider.username as decider'])
    .select(
      sql<string | null>`CASE proposal.kind
        WHEN 'budget' THEN (SELECT title FROM budget WHERE id = proposal.subject::bigint)
        WHEN 'promotion' THEN (SELECT title FROM promotion WHERE id = proposal.subject::bigint)
        WHEN 'milestones' THEN (SELECT title FROM milestone_program WHERE id = proposal.subject::bigint)
        WHEN 'gift-codes' THEN (SELECT title FROM gift_code_batch WHERE id = proposal.subject::bigint)
        ELSE (SELECT username FROM users WHERE id = CASE proposal.kind
          WHEN 'setting' THEN NULL
          WHEN 'planned-price' THEN NULL
          WHEN 'invite' THEN NULL
          WHEN 'give-again' THEN NULL
          WHEN 'bank-transfer' THEN (proposal.payload ->> 'user_id')::bigint
          ELSE proposal.subject::bigint END)
        END`.as('subject_name'),
    )
    .select(
      sql<AgreedRow[]>`(
        SELECT coalesce(json_agg(json_build_object('id', one.operator_id::text, 'username', person.username, 'at', one.at)
                                 ORDER BY one.at, one.operator_id), '[]')
          FROM proposal_agreement one JOIN users person ON person.id = one.operator_id
         WHERE one.proposal_id = proposal.id)`.as('agreed_by'),
    )
    .$narrowType<Pick<OperatorProposal, 'kind' | 'state'>>()

const CAMPAIGN_TABLES = {
  promotion: 'promotion',
  milestones: 'milestone_program',
  'gift-codes': 'gift_code_batch',
} as const satisfies Partial<Record<OwnKind, string>>

export type CampaignKind = keyof typeof CAMPAIGN_TABLES

/** So many are named. */
const RUNNING_NAMED = 5

/** The titles of the campaigns of a kind that run and are not over, the newest of them. */
export async function findRunningTitles(db: Db | Tx, kind: CampaignKind): Promise<string[]> {
  const rows = await db
    .selectFrom(CAMPAIGN_TABLES[kind])
    .select('title')
    .where('state', '=', 'running')
    .where('ends_at', '>', sql<Date>`clock_timestamp()`)
    .orderBy('id', 'desc')
    .limit(RUNNING_NAMED)
    .execute()
  return rows.map(({ title }) => title)
}

/** The titles and states of campaigns, by their ids. */
export async function findCampaigns(
  db: Db | Tx,
  kind: CampaignKind,
  ids: readonly string[],
): Promise<Map<string, { title: string; state: string }>> {
  const rows = await db
    .selectFrom(CAMPAIGN_TABLES[kind])
    .select(['id', 'title', 'state'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}

type Row = Awaited<ReturnType<ReturnType<typeof named>['executeTakeFirstOrThrow']>>

/** Without whom it waits for, which the service adds. */
const toProposal = ({ proposer, decider, ...row }: Row): OperatorProposal => ({
  ...row,
  ...contentOf(row),
  proposed_by: { id: row.proposed_by, username: proposer },
  proposed_at: row.proposed_at.toISOString(),
  takes_effect_at: row.takes_effect_at?.toISOString() ?? null,
  agreed_by: row.agreed_by.map(({ at, ...person }) => ({ ...person, at: new Date(at).toISOString() })),
  asked: null,
  decided_by: row.decided_by === null ? null : { id: row.decided_by, username: decider ?? '' },
  decided_at: row.decided_at?.toISOString() ?? null,
})

function contentOf({ kind, payload }: Pick<Row, 'kind' | 'payload'>) {
  if (kind === 'bank-transfer') return { payload: coinsOf(payload), parts: [], terms: null }
  const { terms, parts = [], ...rest } = payload as StoredPayload
  return { payload: rest, parts, terms: storedTerms(terms) }
}

/** What the player would get, or lose by a reversal, as in the payload of an adjustment. */
function coinsOf(payload: unknown): OperatorProposal['payload'] {
  const { act, coins, amount } = payload as { act: string; coins: number; amount?: number }
  if (amount !== undefined) return { before: '0', after: '0', refund: amount }
  return { before: '0', after: String(act === 'reverse-credit' ? -coins : coins) }
}

export async function getProposal(db: Db | Tx, id: string): Promise<OperatorProposal> {
  const found = await findProposal(db, id)
  invariant(found, 'a proposal that was just made or locked is there')
  return found
}

export async function findProposal(db: Db | Tx, id: string): Promise<OperatorProposal | undefined> {
  const row = await named(db).where('proposal.id', '=', id).executeTakeFirst()
  return row && toProposal(row)
}

/** Locks a proposal against a second decision before it is read. */
export async function lockProposal(tx: Tx, id: string): Promise<OwnProposal | undefined> {
  const row = await tx
    .selectFrom('proposal')
    .select('id')
    .where('id', '=', id)
    .where('kind', '<>', 'bank-transfer')
    .forUpdate()
    .executeTakeFirst()
  return row && ((await getProposal(tx, row.id)) as OwnProposal)
}

/** The ids of what waits about this subject; locked. */
export async function lockWaiting(
  tx: Tx,
  { kind, subject }: Pick<OwnChange, 'kind' | 'subject'>,
): Promise<string[]> {
  const rows = await tx
    .selectFrom('proposal')
    .select('id')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('state', '=', 'waiting')
    .forUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/** Does it or, where it answers false or throws, leaves the transaction as it was before. */
export async function wholeOrNothing(tx: Tx, work: () => Promise<boolean>): Promise<boolean> {
  await sql`SAVEPOINT whole_or_nothing`.execute(tx)
  let isDone = false
  try {
    isDone = await work()
    return isDone
  } finally {
    if (!isDone) await sql`ROLLBACK TO SAVEPOINT whole_or_nothing`.execute(tx)
  }
}

/** Ids of those whose time has come, the longest due first. */
export const listDueProposals = listDueOf({
  id: 'proposal.id',
  from: sql`proposal`,
  isDue: sql`state = 'waiting' AND takes_effect_at <= clock_timestamp()`,
  order: sql`takes_effect_at`,
})

/** One that is still due and not being decided at the moment; locked. */
export async function lockDueProposal(tx: Tx, id: string): Promise<OwnProposal | undefined> {
  const row = await tx
    .selectFrom('proposal')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('takes_effect_at', '<=', sql<Date>`clock_timestamp()`)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row && ((await getProposal(tx, row.id)) as OwnProposal)
}

/**
 * Records that somebody agreed while others are asked still. True when those have had their time to refuse already, so that
 * it can be done at once; the time is counted from the proposal, of which everybody was told.
 */
export async function insertAgreement(
  tx: Tx,
  { id, by, reason }: { id: string; by: string; reason: string },
): Promise<boolean> {
  await tx.insertInto('proposal_agreement').values({ proposal_id: id, operator_id: by, reason }).execute()
  const { rows } = await sql<{ isDue: boolean }>`
    UPDATE proposal
       SET takes_effect_at = coalesce(takes_effect_at, proposed_at + make_interval(hours => ${OBJECTION_HOURS}::integer))
     WHERE id = ${id}::bigint
    RETURNING takes_effect_at <= clock_timestamp() AS "isDue"`.execute(tx)
  notify(tx, 'operator_event', 'proposals')
  return rows[0]?.isDue === true
}

/** Makes approvals of adjustments take turns until the transaction's end, so that each counts those before it. */
export const lockAdjustments = (tx: Tx) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('proposal:adjustments', 0))`.execute(tx)

/** TCoin of the adjustments that were approved in the last 24 hours, those that took away counted like those that gave. */
export async function sumApprovedAdjustments(db: Db | Tx): Promise<number> {
  const { rows } = await sql<{ coins: string }>`
    SELECT coalesce(sum(abs((payload ->> 'after')::bigint)), 0)::text AS coins FROM proposal
     WHERE kind = 'adjustment' AND state = 'approved' AND decided_at > clock_timestamp() - interval '24 hours'`.execute(
    db,
  )
  return Number(rows[0]?.coins)
}

type Decided = { id: string; state: ProposalState; by: string | null; reason: string | null }

/** False when there is no such proposal. `topic`: which pages of operators read again. */
export async function markProposal(
  tx: Tx,
  { id, state, by, reason }: Decided,
  topic: 'proposals' | 'bank-transfers' = 'proposals',
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('proposal')
    .set({ state, decided_by: by, decision_reason: reason, decided_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('kind', topic === 'bank-transfers' ? '=' : '<>', TRANSFER)
    .executeTakeFirst()
  notify(tx, 'operator_event', topic)
  return numUpdatedRows === 1n
}

/** The filter of the list's query. */
export type ProposalFilter = NonNullable<QueryOf<typeof operatorProposals.list>['filter']>

type ListedProposals = ProposalFilter & { kinds: readonly ProposalKind[] }

const matching = (db: Db, { id, state, kinds }: ListedProposals) =>
  named(db)
    .where('proposal.kind', 'in', kinds)
    .$if(id !== undefined, (query) => query.where('proposal.id', 'in', id as string[]))
    .$if(state !== undefined, (query) => query.where('proposal.state', '=', state as ProposalState))

export async function listProposals(
  db: Db,
  filter: ListedProposals,
  page: ListPage,
): Promise<ListRows<OperatorProposal>> {
  const rows = await pageById(matching(db, filter), 'proposal.id', page).execute()
  return { total: await countWithinReach(db, matching(db, filter)), rows: rows.map(toProposal) }
}

export async function selectTransferProposal(tx: Tx, transferId: string) {
  return tx
    .selectFrom('proposal')
    .leftJoin('payment_order as placed', (join) =>
      join.on(sql`placed.id`, '=', sql`(proposal.payload ->> 'order_id')::bigint`),
    )
    .select(['proposal.id', 'proposal.proposed_by as proposedBy', 'placed.code as orderCode'])
    .select('proposal.reason')
    .select([
      sql<string>`proposal.payload ->> 'act'`.as('act'),
      sql<string | null>`proposal.payload ->> 'order_id'`.as('orderId'),
      sql<string | null>`proposal.payload ->> 'user_id'`.as('userId'),
      sql<string | null>`proposal.payload ->> 'rate'`.as('rate'),
      sql<string | null>`proposal.payload ->> 'amount'`.as('amount'),
      sql<string>`proposal.payload ->> 'coins'`.as('coins'),
    ])
    .where('proposal.kind', '=', TRANSFER)
    .where('proposal.subject', '=', transferId)
    .where('proposal.state', '=', 'waiting')
    .executeTakeFirst()
}

type NewTransferRow = { subject: string; payload: string; reason: string; proposed_by: string }

export async function insertTransferRow(tx: Tx, row: NewTransferRow): Promise<string> {
  const { id } = await tx
    .insertInto('proposal')
    .values({ kind: TRANSFER, ...row })
    .returning('id')
    .executeTakeFirstOrThrow()
  notify(tx, 'operator_event', 'bank-transfers')
  return id
}

export async function countOpenProposals(tx: Tx, { id }: Person): Promise<number> {
  const { rows } = await sql`
    SELECT FROM proposal
     WHERE state = 'waiting' AND kind IN ('adjustment', 'second-factor', 'account-return', 'roles') AND subject = ${id}`.execute(
    tx,
  )
  return rows.length
}
