import type { ActAnswer } from '#contract/operator/bank-transfers.ts'
import { appendAudit } from '#server/modules/audit/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { notFound, type Refusal } from '#server/platform/http/refusal.ts'
import { once, type Once } from '#server/platform/idempotency.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import { invariant } from '#server/platform/invariant.ts'
import { insertAct, lockTransfer, type LockedTransfer } from './acts.queries.ts'
import type { BankInboxDeps, Operator } from './bank-inbox-deps.ts'
import { alreadyHandled, notIncoming, waitsForMomo, waitsForSecondPerson } from './bank-transfers.errors.ts'
import { sumRefunds, type StoredRefund } from './gateway-refunds.queries.ts'
import { describeRefund } from './inbox.service.ts'
import { listStoredTransfers } from './inbox.queries.ts'
import { findWaitingProposal } from './proposals.queries.ts'

/** Far above what a person does, far below what a script with a stolen session would. */
const ACTS_PER_OPERATOR = sharedLimit('bank-transfer-acts', 120, 60)

/** What an operator asked for, and how. */
export type Asked<Body> = {
  id: string
  body: Body & { reason: string }
  operator: Operator
  key: string | null
  overLimit: Refusal | null
}

/** `details` goes into the transfer's history and the audit trail; no text that payers wrote. */
export type Acted = { status: 'done' | 'waiting'; lent?: number; details: Record<string, unknown> }

/**
 * One operator's act on one transfer: under its lock, once for a key, with its line in the transfer's history and in
 * the audit trail. Locks go transfer, order, wallet.
 */
export async function actOnTransfer<Body>(
  deps: BankInboxDeps,
  asked: Asked<Body> & { act: string },
  work: (tx: Tx, transfer: LockedTransfer) => Promise<Acted>,
): Promise<ActAnswer> {
  return onceFor(deps, asked, async (tx) => {
    const before = await lockTransfer(tx, asked.id)
    if (before === undefined) throw notFound()
    const acted = await work(tx, before)
    const answer = await answerOf(tx, asked.id, acted)
    // What waits for a second person has not been done.
    const act = acted.status === 'waiting' ? 'propose' : asked.act
    await recordAct(tx, { ...asked, act }, { before, answer, details: acted.details })
    return { answer, resultType: 'bank_transaction', resultId: asked.id }
  })
}

/** At most once for the operator's key, and not oftener than a person clicks. */
export async function onceFor<Answer>(
  deps: BankInboxDeps,
  { act, id, body, operator, key, overLimit }: Asked<unknown> & { act: string },
  work: (tx: Tx) => Promise<Once<Answer>>,
): Promise<Answer> {
  const operation =
    key === null ? null : { scope: `operator:${operator.id}:bank-transfers`, key, body: { act, id, body } }
  const pace = { limits: deps.limits, limit: ACTS_PER_OPERATOR, of: operator.id, overLimit }
  return once<Answer>(deps.db, operation, work, pace)
}

/** Guards a decision about received money: it is undecided, and no proposal about it waits. */
export async function assertOpen(tx: Tx, transfer: LockedTransfer): Promise<void> {
  if (transfer.direction === 'out') throw notIncoming()
  if (transfer.state !== 'review' && transfer.state !== 'ignored') throw alreadyHandled()
  await assertNothingWaits(tx, transfer.id)
}

export async function assertNothingWaits(tx: Tx, transferId: string): Promise<void> {
  if ((await findWaitingProposal(tx, transferId)) !== undefined) throw waitsForSecondPerson()
  if ((await sumRefunds(tx, transferId)).asked > 0) throw waitsForMomo()
}

export async function answerOf(
  tx: Tx,
  id: string,
  { status, lent = 0, refund }: Pick<Acted, 'status' | 'lent'> & { refund?: StoredRefund },
): Promise<ActAnswer> {
  const [row] = await listStoredTransfers(tx, { ids: [id] }, { order: 'asc', from: 0, to: 0 })
  invariant(row, 'a locked transfer is there')
  return {
    status,
    id: row.id,
    state: row.state,
    reason: row.reason,
    order_code: row.order_code,
    user: row.user,
    credited: row.credited,
    lent,
    proposal: row.waiting,
    ...(refund === undefined ? {} : { refund: describeRefund(refund) }),
  }
}

type Recorded = { before: LockedTransfer; answer: ActAnswer; details: Record<string, unknown> }

/** The line in the transfer's history and that in the audit trail; the last thing a transaction does. */
export async function recordAct(
  tx: Tx,
  asked: Asked<unknown> & { act: string },
  { before, answer, details }: Recorded,
): Promise<void> {
  const { id, act, operator } = asked
  const { reason } = asked.body
  await insertAct(tx, { bank_transaction_id: id, act, operator_id: operator.id, reason, details })
  await auditAct(tx, asked, {
    action: `bank-transfers.${act}`,
    subject: { type: 'bank_transaction', id },
    details: {
      ...details,
      before: { state: before.state, reason: before.reason, credited: before.credited },
      after: { state: answer.state, reason: answer.reason, credited: answer.credited },
    },
  })
}

/** The line of an operator's act in the audit trail. */
export async function auditAct(
  tx: Tx,
  { operator, body: { reason } }: Pick<Asked<unknown>, 'operator' | 'body'>,
  line: { action: string; subject: { type: string; id: string }; details: Record<string, unknown> },
): Promise<void> {
  const actor = { kind: 'operator', id: operator.id } as const
  await appendAudit(tx, { ...line, actor, reason, requestId: operator.requestId })
}
