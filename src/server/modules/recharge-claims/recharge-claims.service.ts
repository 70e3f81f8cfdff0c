import {
  type ClaimStatus,
  type NewClaim,
  OPEN_CLAIMS_MAX,
  type RechargeClaim,
  CLAIM_AGE_DAYS_MAX,
} from '#contract/recharge-claims.ts'
import { answerCaseOfClaim, openCaseOfClaim } from '#server/modules/cases/index.ts'
import { lockTrader } from '#server/modules/traders/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import { type Page, pageOf, type PageQuery } from '#server/platform/http/list.ts'
import { Refusal, invalidField } from '#server/platform/values/errors.ts'
import { onceForPlayer } from '#server/platform/idempotency/idempotency.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { machineLimit, sharedLimit } from '#server/platform/limits/limits.ts'
import { type CleanPicture, readablePicture } from '#server/platform/pictures/reencode.ts'
import { sha256Hex } from '#server/platform/values/crypto.ts'
import {
  claimsOfPerson,
  countClaims,
  countOpenClaims,
  eraseClaimsOf,
  insertClaim,
  listClaimsOf,
  removePictures,
  updateAnswered,
  type StoredAnswer,
} from './recharge-claims.queries.ts'

/** The statement that `bank-inbox` extends for operators, and its rows as the API has them. */
export { claims, toClaim } from './recharge-claims.queries.ts'

const CLAIMS_PER_PLAYER = sharedLimit('recharge-claims', 10, 86_400)

/** Re-encoding pictures costs time, also for refused ones; they are limited apart from claims. */
const PICTURES_PER_PLAYER = machineLimit('claim-pictures', 30, 3_600)

type ClaimRequest = {
  userId: string
  claim: NewClaim
  picture: Buffer | null
  key: string | null
  overLimit: Refusal | null
}

type CreatedClaim = { id: string; status: ClaimStatus }

/**
 * Stores a player's claim about money that was not credited, for operators to look at. Banned players may claim too: the
 * money is theirs.
 */
export async function createClaim(deps: PlatformDeps, request: ClaimRequest): Promise<CreatedClaim> {
  const { userId, key, overLimit } = request
  const values = {
    amount: request.claim.amount,
    paidAt: readPaidAt(request.claim.paid_at, deps.clock.now()),
    bankReference: request.claim.bank_reference || null,
    note: request.claim.note || null,
  }
  const body = {
    ...values,
    paidAt: values.paidAt.toISOString(),
    picture: request.picture && sha256Hex(request.picture),
  }
  // Re-encoded before the transaction, which would hold its locks that long.
  const picture = await cleanPicture(deps, request)
  const work = async (tx: Tx) => {
    // The player's wallet is locked although nothing moves: it makes their claims take turns, so that the limit holds.
    await lockTrader(tx, userId)
    if ((await countOpenClaims(tx, userId)) >= OPEN_CLAIMS_MAX) throw tooManyOpenClaims()
    const { amount, paidAt, bankReference, note } = values
    const claim = { user_id: userId, amount, paid_at: paidAt, bank_reference: bankReference }
    const id = await insertClaim(tx, claim, { note, picture })
    await openCaseOfClaim(tx, { id, userId, ...values })
    return { answer: { id, status: 'open' as const }, resultType: 'recharge_claim', resultId: id }
  }
  const limited = { userId, key, overLimit, limit: CLAIMS_PER_PLAYER }
  return onceForPlayer(deps, { ...limited, scope: 'recharge-claim', body }, work)
}

/** The picture of a claim, re-encoded as JPEG. */
async function cleanPicture(
  { limits, log }: PlatformDeps,
  { userId, picture }: ClaimRequest,
): Promise<CleanPicture | null> {
  if (picture === null) return null
  await limits.consume(PICTURES_PER_PLAYER, userId)
  return readablePicture(log, picture)
}

export async function listClaims(
  deps: PlatformDeps,
  userId: string,
  query: PageQuery,
): Promise<Page<RechargeClaim>> {
  const { limit, offset, of } = pageOf(query)
  const total = await countClaims(deps.db, userId)
  return of(total, await listClaimsOf(deps.db, userId, { limit, offset }))
}

/** Of a locked claim; answers the id of its case, null where there is none any more. */
export async function markClaimAnswered(tx: Tx, answer: StoredAnswer): Promise<string | null> {
  await updateAnswered(tx, answer)
  return answerCaseOfClaim(tx, answer)
}

const PICTURE_DAYS = 90

/** Erases expired pictures. Returns whether there may be more. */
export const eraseOldPictures = (deps: PlatformDeps): Promise<boolean> =>
  removePictures(deps, new Date(deps.clock.now().getTime() - PICTURE_DAYS * 86_400_000))

const ERASE_PAUSE_MS = 3_600_000

/** Pictures of claims that were answered long ago. */
export function startClaimJobs(deps: PlatformDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'claim pictures', pauseMs: ERASE_PAUSE_MS, round: () => eraseOldPictures(deps) },
  ])
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Clocks of phones and banks differ a little. */
const GRACE_MS = 5 * MINUTE_MS

/** When the money was sent, if that may be: neither still to come nor too long ago to be found. */
export function readPaidAt(text: string, now: Date): Date {
  const paidAt = new Date(text)
  if (paidAt.getTime() > now.getTime() + GRACE_MS) throw paidInTheFuture()
  // Also what is no moment at all, like the 61st second of a minute.
  if (!(paidAt.getTime() >= now.getTime() - CLAIM_AGE_DAYS_MAX * DAY_MS)) throw paidTooLongAgo()
  return paidAt
}

/** References are written with and without gaps, in large and small letters. */
export const comparableReference = (reference: string): string => reference.replace(/\s/g, '').toUpperCase()

const paidInTheFuture = () => invalidField('paid_at', 'Thời gian chuyển khoản chưa tới')

const paidTooLongAgo = () =>
  invalidField('paid_at', `Chỉ nhận khoản chuyển trong ${CLAIM_AGE_DAYS_MAX} ngày gần đây`)

const tooManyOpenClaims = () =>
  new Refusal('LIMIT_EXCEEDED', {
    message: `Bạn đang có ${OPEN_CLAIMS_MAX} yêu cầu chờ kiểm tra, vui lòng đợi đội vận hành trả lời`,
  })

/** In place of what an operator wrote to the player. */
const ERASED_MESSAGE = 'Đã xóa'

/** That money was claimed and how it ended stays; texts, picture and the bank's reference go. */
export const personalClaims: PersonalPart = {
  lists: { recharge_claims: claimsOfPerson },
  erase: (tx, { id }) => eraseClaimsOf(tx, id, ERASED_MESSAGE),
  open: { claim: (tx, { id }) => countOpenClaims(tx, id) },
}
