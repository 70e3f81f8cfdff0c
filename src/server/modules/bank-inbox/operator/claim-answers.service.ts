import { formatNumber } from '#contract/format.ts'
import type { OperatorClaim, OperatorClaimDetail, operatorClaims } from '#contract/operator/recharge.ts'
import { paths } from '#contract/pages.ts'
import { findVerifiedAddress } from '#server/modules/accounts/index.ts'
import { actAsOperator, type Recorded } from '#server/modules/audit/index.ts'
import { type Mail, queueMail } from '#server/modules/mail/index.ts'
import { addNotice } from '#server/modules/notices/index.ts'
import { comparableReference, markClaimAnswered } from '#server/modules/recharge-claims/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { conflict, invalidField, orNotFound, invariant } from '#server/platform/values/errors.ts'
import type { BankInboxDeps } from '../bank-inbox-deps.ts'
import { listUnassigned } from '../intake/payment-events.queries.ts'
import { lockTransfer } from './bank-transfers.queries.ts'
import {
  CLAIM_HOURS,
  findClaim,
  findPicture,
  isClaimed,
  listCandidates,
  lockClaim,
} from './claim-answers.queries.ts'

const unknownClaim = () => invalidField('claim_id', 'Không tìm thấy yêu cầu này')

const claimAnswered = () => conflict('Yêu cầu này đã được trả lời theo cách khác')

const onlySettledByTransfer = () =>
  invalidField('bank_transaction_id', 'Chỉ yêu cầu được xử lý mới gắn với khoản chuyển')

const transferNotCredited = () =>
  invalidField('bank_transaction_id', 'Khoản chuyển này chưa được cộng vào ví của người chơi')

const transferTaken = () =>
  invalidField('bank_transaction_id', 'Khoản chuyển này đã gắn với một yêu cầu khác')

export async function getOperatorClaim(db: Db, id: string): Promise<OperatorClaimDetail> {
  const claim = orNotFound(await findClaim(db, id))
  const reference = claim.bank_reference === null ? null : comparableReference(claim.bank_reference)
  const { amount, paid_at: at } = claim
  return {
    ...claim,
    candidates: await listCandidates(db, claim, reference),
    notices: await listUnassigned(db, { amount, at, hours: CLAIM_HOURS, reference }),
  }
}

/** A JPEG that the portal has encoded itself. */
export async function getPicture(db: Db, claimId: string): Promise<Buffer> {
  return orNotFound(await findPicture(db, claimId))
}

/**
 * Answers a claim in a transaction of its own. It credits nothing: a picture proves nothing, and what a transfer is
 * worth is decided where transfers are. The same answer again changes nothing; another one is refused until the player has written
 * again, or the case was opened again.
 */
export async function answerClaim(
  deps: BankInboxDeps,
  call: UserCall<typeof operatorClaims.answer>,
): Promise<OperatorClaim> {
  const { outcome, message, bank_transaction_id } = call.body
  const bankTransactionId = bank_transaction_id ?? null
  if (outcome === 'rejected' && bankTransactionId !== null) throw onlySettledByTransfer()
  return actAsOperator<OperatorClaim>(deps, call, {
    action: ANSWER,
    work: (tx) =>
      storeAnswer(deps, tx, {
        claimId: call.params.id,
        status: outcome,
        bankTransactionId,
        message,
        operatorId: call.identity.userId,
      }),
  })
}

const ANSWER = 'recharge-claims.answer'

type ClaimSettlement = {
  operatorId: string
  claimId: string
  /** Credited to the claim's player already, in this transaction or before. */
  bankTransactionId: string
  /** What the player reads. */
  message: string
}

/**
 * Settles a claim within the act that credits its transfer; answers its audit row. Locks the transfer, then
 * the claim.
 */
export async function settleClaim(
  deps: BankInboxDeps,
  tx: Tx,
  settlement: ClaimSettlement,
): Promise<Recorded | null> {
  if ((await findClaim(tx, settlement.claimId)) === undefined) throw unknownClaim()
  return (await storeAnswer(deps, tx, { ...settlement, status: 'settled' })).audit
}

type Answered = { answer: OperatorClaim; audit: Recorded | null }

type Answer = Omit<ClaimSettlement, 'bankTransactionId'> & {
  status: 'settled' | 'rejected'
  bankTransactionId: string | null
}

async function storeAnswer(deps: BankInboxDeps, tx: Tx, answer: Answer): Promise<Answered> {
  const { claimId, status, bankTransactionId, message } = answer
  const transfer = bankTransactionId === null ? null : await lockTransfer(tx, bankTransactionId)
  const before = orNotFound(await lockClaim(tx, claimId))
  if (before.status !== 'open' && before.status !== 'answered') {
    const isSame =
      before.status === status &&
      before.message === message &&
      before.bank_transaction_id === bankTransactionId
    if (isSame) return { answer: before, audit: null }
    throw claimAnswered()
  }
  // A transfer that left an account is never credited.
  if (transfer !== null) {
    if (transfer?.state !== 'credited' || transfer.userId !== before.user_id) throw transferNotCredited()
    if (await isClaimed(tx, transfer.id)) throw transferTaken()
  }
  const caseId = await markClaimAnswered(tx, answer)
  await addNotice(tx, before.user_id, {
    event: 'claim-answered',
    // Decided again, it is told again.
    subject: before.answered_at === null ? claimId : `${claimId} ${before.answered_at}`,
    data: { amount: before.amount, isSettled: status === 'settled', caseId },
  })
  // Only to an address the player has proved: another may be somebody else's.
  const address = await findVerifiedAddress(tx, before.user_id)
  if (address !== undefined) {
    const { amount } = before
    const { publicUrl } = deps
    const mail = claimAnsweredMail({ ...address, claimId, caseId, amount, status, message, publicUrl })
    await queueMail(deps.vault, tx, mail)
  }
  const after = await findClaim(tx, claimId)
  invariant(after?.status === status, 'an answered claim is as it was answered')
  return {
    answer: after,
    audit: {
      action: ANSWER,
      subject: { type: 'recharge_claim', id: claimId },
      details: {
        before: before.status,
        after: status,
        amount: before.amount,
        user_id: before.user_id,
        bank_transaction_id: bankTransactionId,
      },
      personal: { message },
    },
  }
}

type AnsweredClaim = {
  username: string
  email: string
  claimId: string
  caseId: string | null
  amount: number
  status: 'settled' | 'rejected'
  message: string
  publicUrl: string
}

/** What the operators answered. The message is theirs; the rest is ours. */
const claimAnsweredMail = (answered: AnsweredClaim): Mail => ({
  kind: 'claim-answered',
  to: answered.email,
  subject: `Yêu cầu kiểm tra khoản nạp số ${answered.claimId} đã có câu trả lời`,
  username: answered.username,
  paragraphs: [
    answered.status === 'settled'
      ? `Yêu cầu kiểm tra khoản chuyển ${formatNumber(answered.amount)} VND của bạn đã được xử lý.`
      : `Đội vận hành chưa thể xác nhận khoản chuyển ${formatNumber(answered.amount)} VND mà bạn đã báo.`,
    `Lời nhắn của đội vận hành: ${answered.message}`,
  ],
  action: {
    label: 'Xem yêu cầu của bạn',
    url: answered.publicUrl + (answered.caseId === null ? paths.claim : paths.help(answered.caseId)),
  },
})
