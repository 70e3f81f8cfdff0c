import type { OperatorAct } from '#contract/operator/act-guards.ts'
import type { ActAnswer } from '#contract/operator/bank-transfers.ts'
import { actAsOperator, type ActCall, type Recorded } from '#server/modules/audit/index.ts'
import { findTransferProposal } from '#server/modules/proposals/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { notFound, invariant } from '#server/platform/values/errors.ts'
import { insertAct, lockTransfer, type LockedTransfer } from './acts.queries.ts'
import type { BankInboxDeps, Operator } from '../bank-inbox-deps.ts'
import { alreadyHandled, notIncoming, waitsForMomo, waitsForSecondPerson } from './bank-transfers.errors.ts'
import { sumRefunds, type StoredRefund } from '../gateway-refunds/gateway-refunds.queries.ts'
import { describeRefund } from './inbox.service.ts'
import { listStoredTransfers } from './inbox.queries.ts'

type ActOf<Name> = Name extends `bank-transfers.${infer Act}` ? Act : never

type TransferAct = ActOf<OperatorAct>

/** What an operator asked for. */
export type Asked<Body> = {
  id: string
  body: Body & { reason: string }
  operator: Operator
  call: ActCall
}

type Call<Body> = Pick<UserCall<never>, 'identity' | 'request' | 'key' | 'overLimit'> & {
  params: { id: string }
  body: Body
}

export const askedBy = <Body extends { reason: string }>(call: Call<Body>): Asked<Body> => ({
  id: call.params.id,
  body: call.body,
  operator: {
    id: call.identity.userId,
    permissions: call.identity.permissions,
    requestId: call.request.id,
  },
  call,
})

/**
 * `details` goes into the transfer's history and the audit trail; no text that payers wrote. `also` is what the trail says
 * of something else that was done with it.
 */
export type Acted = {
  status: 'done' | 'waiting'
  lent?: number
  details: Record<string, unknown>
  also?: Recorded | null
  /** Asked for with it, and of MoMo only after the commit. */
  refund?: StoredRefund
}

/**
 * One operator's act on one transfer: under its lock, once for a key, with its line in the transfer's history and in
 * the audit trail. Locks go transfer, order, wallet.
 */
export async function actOnTransfer<Body>(
  deps: BankInboxDeps,
  asked: Asked<Body> & { act: TransferAct },
  work: (tx: Tx, transfer: LockedTransfer) => Promise<Acted>,
): Promise<ActAnswer> {
  return actAsOperator<ActAnswer>(deps, asked.call, {
    action: `bank-transfers.${asked.act}`,
    async work(tx) {
      const before = await lockTransfer(tx, asked.id)
      if (before === undefined) throw notFound()
      const { also, ...acted } = await work(tx, before)
      const answer = await answerOf(tx, asked.id, acted)
      // What waits for a second person has not been done.
      const act = acted.status === 'waiting' ? 'propose' : asked.act
      const recorded = await recordAct(tx, { ...asked, act }, { before, answer, details: acted.details })
      return { answer, audit: also ? [recorded, also] : recorded }
    },
  })
}

/** Guards a decision about received money: it is undecided, and no proposal about it waits. */
export async function assertOpen(tx: Tx, transfer: LockedTransfer): Promise<void> {
  if (transfer.direction === 'out') throw notIncoming()
  if (transfer.state !== 'review' && transfer.state !== 'ignored') throw alreadyHandled()
  await assertNothingWaits(tx, transfer.id)
}

export async function assertNothingWaits(tx: Tx, transferId: string): Promise<void> {
  if ((await findTransferProposal(tx, transferId)) !== undefined) throw waitsForSecondPerson()
  if ((await sumRefunds(tx, transferId)).asked > 0) throw waitsForMomo()
}

export async function answerOf(
  tx: Tx,
  id: string,
  { status, lent = 0, refund }: Pick<Acted, 'status' | 'lent' | 'refund'>,
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

type Changed = { before: LockedTransfer; answer: ActAnswer; details: Record<string, unknown> }

/** Writes the line in the transfer's history; answers that for the audit trail. */
export async function recordAct(
  tx: Tx,
  asked: Asked<unknown> & { act: TransferAct | 'propose' },
  { before, answer, details }: Changed,
): Promise<Recorded> {
  const { id, act, operator } = asked
  const { reason } = asked.body
  await insertAct(tx, { bank_transaction_id: id, act, operator_id: operator.id, reason, details })
  return {
    action: `bank-transfers.${act}`,
    subject: { type: 'bank_transaction', id },
    details: {
      ...details,
      before: { state: before.state, reason: before.reason, credited: before.credited },
      after: { state: answer.state, reason: answer.reason, credited: answer.credited },
    },
  }
}
