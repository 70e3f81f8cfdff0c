import { formatMoment, formatNumber } from '#contract/format.ts'
import { CASE_MESSAGES_MAX, CASE_TEXT_MAX, OPEN_CASES_MAX } from '#contract/help/case-forms.ts'
import type { Case, CaseRow, PreparedCase } from '#contract/help/cases.ts'
import { lockTrader } from '#server/modules/traders/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { type Page, pageOf, type PageQuery } from '#server/platform/http/list.ts'
import { onceForPlayer } from '#server/platform/idempotency/idempotency.ts'
import { BATCH_ROWS, type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { machineLimit, overLimitOf, sharedLimit } from '#server/platform/limits/limits.ts'
import { type CleanPicture, readablePicture } from '#server/platform/pictures/reencode.ts'
import { conflict, invariant, notFound, orNotFound, Refusal } from '#server/platform/values/errors.ts'
import { sha256Hex } from '#server/platform/values/crypto.ts'
import { answersFor } from './answers.rules.ts'
import {
  closeSilent,
  countWaiting,
  deleteCases,
  eraseCasesOf,
  exportCases,
  findCaseOf,
  findCaseOfClaim,
  findPicture,
  findUnclosedCase,
  insertCase,
  insertMessage,
  type LockedCase,
  lockCase,
  listPast,
  lockPast,
  selectCasesOf,
  selectMessages,
} from './cases.queries.ts'
import { findReported, type Reported, type ThingReads } from './things.service.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'

export type CasesDeps = PlatformDeps & ThingReads & { publicUrl: string }

const CASES_PER_PLAYER = sharedLimit('cases', 10, 86_400)
export const MESSAGES_PER_PLAYER = sharedLimit('case-messages', 40, 86_400)
/** Of whoever writes from one address, with however many accounts. */
export const MESSAGES_PER_ADDRESS = sharedLimit('case-messages-address', 200, 86_400)
/** Re-encoding costs time, also of what is then refused. */
const PICTURES_PER_PLAYER = machineLimit('case-pictures', 60, 3_600)

const alreadyReported = (id: string) =>
  conflict('Bạn đã báo vấn đề này, hãy viết tiếp trong yêu cầu đang mở', { case_id: id })

const tooManyOpen = () =>
  new Refusal('LIMIT_EXCEEDED', {
    message: `Bạn đang có ${OPEN_CASES_MAX} yêu cầu chờ trả lời, vui lòng đợi đội hỗ trợ`,
  })

const isClosed = () => conflict('Yêu cầu này đã đóng. Nếu vấn đề vẫn còn, hãy báo lại từ nơi đó')

export const tooManyMessages = () =>
  new Refusal('LIMIT_EXCEEDED', { message: `Mỗi yêu cầu có tối đa ${CASE_MESSAGES_MAX} tin nhắn` })

type Writing = {
  userId: string
  address: string
  text: string
  pictures: readonly Buffer[]
  key: string | null
  overLimit: Refusal | null
}

/** What is known before anything is reported. */
export async function prepareCase(
  deps: CasesDeps,
  userId: string,
  reported: Reported,
): Promise<PreparedCase> {
  const { about, state } = await findReported(deps, userId, reported)
  const caseId = await findUnclosedCase(deps.db, userId, about)
  return { title: about.title, answers: answersFor(state), case_id: caseId ?? null }
}

/** Opens a case about a thing of the player. Banned players may write too. */
export async function createCase(
  deps: CasesDeps,
  { about_kind, about_id, ...writing }: Writing & Reported,
): Promise<Case> {
  const { userId } = writing
  const { about } = await findReported(deps, userId, { about_kind, about_id })
  const opened = await write(deps, writing, {
    scope: `case:${about.kind}:${about.id}`,
    limit: CASES_PER_PLAYER,
    async find(tx) {
      // The player's wallet is locked although nothing moves: their reports take turns, so that the limit holds.
      await lockTrader(tx, userId)
      const open = await findUnclosedCase(tx, userId, about)
      if (open !== undefined) throw alreadyReported(open)
      if ((await countWaiting(tx, userId)) >= OPEN_CASES_MAX) throw tooManyOpen()
      const caseId = await insertCase(tx, userId, about)
      invariant(caseId, 'under the lock nobody else reports')
      return caseId
    },
  })
  return getCase(deps, userId, opened)
}

/** A player's further message in a case that is not closed. */
export async function addMessage(deps: CasesDeps, caseId: string, writing: Writing): Promise<Case> {
  const { userId } = writing
  await write(deps, writing, {
    scope: `case:${caseId}`,
    limit: MESSAGES_PER_PLAYER,
    async find(tx) {
      const locked = await lockCase(tx, caseId)
      if (locked?.userId !== userId) throw notFound()
      assertWritable(locked)
      return caseId
    },
  })
  return getCase(deps, userId, caseId)
}

export function assertWritable({ state, messages }: LockedCase): void {
  if (state === 'closed') throw isClosed()
  if (messages >= CASE_MESSAGES_MAX) throw tooManyMessages()
}

type Written = { scope: string; limit: typeof CASES_PER_PLAYER; find(tx: Tx): Promise<string> }

/** Stores a player's message once for its key; answers the id of its case. */
async function write(deps: CasesDeps, writing: Writing, { scope, limit, find }: Written): Promise<string> {
  const { userId, text, key } = writing
  const overLimit =
    writing.overLimit ?? (await overLimitOf(deps.limits, MESSAGES_PER_ADDRESS, writing.address))
  const body = { text, pictures: writing.pictures.map(sha256Hex) }
  const prepare = async () => {
    // Re-encoded before the transaction, which would hold its locks that long.
    const pictures = await cleanPictures(deps, writing)
    return async (tx: Tx) => {
      const caseId = await find(tx)
      await insertMessage(tx, { caseId, authorId: userId, isStaff: false, text, pictures })
      return { answer: { id: caseId }, resultType: 'case', resultId: caseId }
    }
  }
  const operation = { userId, key, overLimit, scope, body, limit }
  return (await onceForPlayer<{ id: string }>(deps, operation, { prepare })).id
}

async function cleanPictures(
  { limits, log }: CasesDeps,
  { userId, pictures }: Writing,
): Promise<CleanPicture[]> {
  const clean: CleanPicture[] = []
  // One after the other: each takes memory while it is decoded.
  for (const picture of pictures) {
    await limits.consume(PICTURES_PER_PLAYER, userId)
    clean.push(await readablePicture(log, picture, 'pictures'))
  }
  return clean
}

export async function listCases(
  { db }: Pick<CasesDeps, 'db'>,
  userId: string,
  query: PageQuery,
): Promise<Page<CaseRow>> {
  const { limit, offset, of } = pageOf(query)
  const { total, rows } = await selectCasesOf(db, userId, { limit, offset })
  return of(total, rows)
}

export async function getCase({ db }: CasesDeps, userId: string, id: string): Promise<Case> {
  const found = orNotFound(await findCaseOf(db, userId, id))
  const messages = (await selectMessages(db, id)).map(({ is_staff, author: _author, ...message }) => ({
    ...message,
    // Players are answered by the portal's operators, not by one of them.
    author: is_staff ? ('staff' as const) : ('player' as const),
  }))
  return { ...found, messages }
}

/** A JPEG that the portal has encoded itself; `userId` null: for operators. */
export async function getPicture(
  { db }: Pick<CasesDeps, 'db'>,
  key: { caseId: string; picture: string; userId: string | null },
): Promise<Buffer> {
  return orNotFound(await findPicture(db, key))
}

type ReportedClaim = {
  id: string
  userId: string
  amount: number
  paidAt: Date
  bankReference: string | null
  note: string | null
}

/** The case of a new claim, in the claim's own transaction. */
export async function openCaseOfClaim(
  tx: Tx,
  { id, userId, amount, paidAt, bankReference, note }: ReportedClaim,
): Promise<void> {
  const title = `Khoản chuyển ${formatNumber(amount)} VND`
  const caseId = await insertCase(tx, userId, { kind: 'claim', id, title })
  invariant(caseId, 'a new claim has no case yet')
  const lines = [
    `${title}, lúc ${formatMoment(paidAt.toISOString())}.`,
    bankReference && `Mã giao dịch của ngân hàng: ${bankReference}.`,
    note,
  ]
  const text = lines.filter(Boolean).join('\n').slice(0, CASE_TEXT_MAX)
  await insertMessage(tx, { caseId, authorId: userId, isStaff: false, text, pictures: [] })
}

/** Repeats the answer of a claim in its case; answers the id of the case, null where it is past its time. */
export async function answerCaseOfClaim(
  tx: Tx,
  { claimId, operatorId, message }: { claimId: string; operatorId: string; message: string },
): Promise<string | null> {
  const caseId = await findCaseOfClaim(tx, claimId)
  const locked = caseId === undefined ? undefined : await lockCase(tx, caseId)
  if (locked === undefined) return null
  // A case that is full has its claim's answer all the same, in the claim.
  if (locked.messages >= CASE_MESSAGES_MAX) return locked.id
  const answer = { caseId: locked.id, authorId: operatorId, isStaff: true, text: message, pictures: [] }
  await insertMessage(tx, answer)
  return locked.id
}

/** How long nobody writes after an answer before its case is closed, and how long closed cases are stored. */
export const SILENT_DAYS = 14
export const CASE_DAYS_MAX = 180

export function removePast(deps: Pick<CasesDeps, 'db' | 'log'>): Promise<boolean> {
  const past = { days: CASE_DAYS_MAX, limit: BATCH_ROWS }
  const remove = (some: readonly string[]) =>
    inTransaction(deps.db, async (tx) => {
      const ids = await lockPast(tx, some, CASE_DAYS_MAX)
      await deleteCases(tx, ids)
      return ids.length
    })
  return workOff(deps, {
    job: 'past cases',
    limit: BATCH_ROWS,
    list: (db, isResting) => listPast(db, isResting, past),
    work: async (id) => (await remove([id])) > 0,
    workAll: remove,
  })
}

const HOUR_MS = 3_600_000

export const startCaseJobs = (deps: Pick<CasesDeps, 'db' | 'log'>): Loop[] =>
  startLoops(deps.log, [
    { name: 'silent cases', pauseMs: HOUR_MS, round: () => closeSilent(deps, SILENT_DAYS) },
    { name: 'past cases', pauseMs: HOUR_MS, round: () => removePast(deps) },
  ])

export const personalCases: PersonalPart = { lists: { cases: exportCases }, erase: eraseCasesOf }
