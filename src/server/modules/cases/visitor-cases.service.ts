import { timingSafeEqual } from 'node:crypto'
import type { BodyOf } from '#contract/endpoint.ts'
import { errorCatalogue } from '#contract/errors.ts'
import { NO_ID, TOPIC_WORDS } from '#contract/help/case-forms.ts'
import type { CaseRow } from '#contract/help/cases.ts'
import {
  type addVisitorMessage as addCall,
  type createVisitorCase as createCall,
  type listVisitorCases as listCall,
  type VisitorCase,
  VISITOR_OPEN_CASES_MAX,
} from '#contract/help/visitor-cases.ts'
import { paths } from '#contract/pages.ts'
import { queueMail } from '#server/modules/mail/index.ts'
import {
  checkCode,
  CODE_AGE_MINUTES_MAX,
  type CodeTarget,
  makeCode,
  spendCode,
  tryPhoneCode,
  VISITOR,
} from '#server/modules/otp/index.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import { consumeAll, sharedLimit } from '#server/platform/limits/limits.ts'
import { invalidField, invariant, Refusal } from '#server/platform/values/errors.ts'
import { insertMessage, lockCase, selectMessages } from './cases.queries.ts'
import { assertWritable, type CasesDeps } from './cases.service.ts'
import {
  countWaitingLocked,
  findVisitor,
  findVisitorCase,
  insertVisitorCase,
  selectCasesWith,
  type Visitor,
} from './visitor-cases.queries.ts'

export { findVisitor } from './visitor-cases.queries.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

/** Wide, since carriers put many behind one address: a contact that is proved has its own count. */
const CASES_PER_ADDRESS = sharedLimit('visitor cases address', 30, DAY)
const CASES_PER_CONTACT = sharedLimit('visitor cases contact', 5, DAY)
const MESSAGES_PER_CONTACT = sharedLimit('visitor messages contact', 40, DAY)
const CODES_PER_EMAIL = [sharedLimit('visitor code hour', 3, HOUR), sharedLimit('visitor code day', 6, DAY)]
const CODES_PER_ADDRESS = sharedLimit('visitor code address', 30, HOUR)
/** A new code brings new tries: so many of one address, whatever it names. */
const TRIES_PER_ADDRESS = sharedLimit('visitor try address', 60, HOUR)
const LISTED_MAX = 20

const wrongCode = () => new Refusal('OTP_INVALID', { errors: { code: [errorCatalogue.OTP_INVALID.message] } })

const tooManyOpen = () =>
  new Refusal('LIMIT_EXCEEDED', {
    message: `Bạn đang có ${VISITOR_OPEN_CASES_MAX} yêu cầu chờ trả lời, vui lòng đợi đội hỗ trợ`,
  })

/** Mails a code to an address, whoever has it. */
export async function sendVisitorCode(deps: CasesDeps, given: string, address: string) {
  const email = given.toLowerCase()
  await deps.limits.consume(CODES_PER_ADDRESS, clientKey(address))
  await consumeAll(deps.limits, CODES_PER_EMAIL, email)
  await inTransaction(deps.db, async (tx) => {
    const code = await makeCode(deps.vault, tx, targetOf({ channel: 'email', contact: email }))
    await queueMail(deps.vault, tx, {
      kind: 'email-code',
      to: email,
      username: 'bạn',
      subject: 'Mã OTP để nhờ hỗ trợ',
      paragraphs: ['Đây là mã OTP để gửi hoặc mở lại yêu cầu hỗ trợ bằng địa chỉ email này.'],
      code,
      closing: [
        `Mã có hiệu lực trong ${CODE_AGE_MINUTES_MAX} phút. Đừng đưa mã cho bất kỳ ai, kể cả người tự xưng là ban quản trị.`,
        'Nếu bạn không yêu cầu mã này, hãy bỏ qua thư này.',
      ],
      usefulMinutes: CODE_AGE_MINUTES_MAX,
    })
  })
  return {
    message: `Đã gửi mã OTP đến email của bạn. Mã có hiệu lực trong ${CODE_AGE_MINUTES_MAX} phút.`,
    notify: true,
  }
}

const targetOf = ({ channel, contact }: Visitor): CodeTarget =>
  channel === 'phone' ? { channel, phone: contact } : { channel, userId: VISITOR, email: contact }

type Proof = Pick<BodyOf<typeof listCall>, 'phone' | 'email' | 'code'>

function visitorOf({ phone, email }: Proof): Visitor {
  if (phone) return { channel: 'phone', contact: phone }
  if (email) return { channel: 'email', contact: email.toLowerCase() }
  throw invalidField('email', 'Vui lòng nhập email hoặc số điện thoại')
}

/** Whoever brings the code of a phone or an address; throws OTP_INVALID, and counts the try outside of any transaction. */
async function proved(deps: CasesDeps, proof: Proof, address: string): Promise<Visitor> {
  const visitor = visitorOf(proof)
  await deps.limits.consume(TRIES_PER_ADDRESS, clientKey(address))
  const { code } = proof
  const isRight =
    visitor.channel === 'phone'
      ? await tryPhoneCode(
          deps,
          { phone: visitor.contact, code, use: 'act' },
          { address, isKnownDevice: false },
        )
      : await checkCode(deps.vault, deps.db, { target: targetOf(visitor), code })
  if (!isRight) throw wrongCode()
  return visitor
}

const spend = async (deps: CasesDeps, tx: Tx, visitor: Visitor, { code }: Proof): Promise<void> => {
  if (!(await spendCode(deps.vault, tx, { target: targetOf(visitor), code }))) throw wrongCode()
}

export async function createVisitorCase(
  deps: CasesDeps,
  body: BodyOf<typeof createCall>,
  address: string,
): Promise<VisitorCase> {
  const visitor = await proved(deps, body, address)
  await deps.limits.consume(CASES_PER_ADDRESS, clientKey(address))
  await deps.limits.consume(CASES_PER_CONTACT, visitor.contact)
  const { about_kind: kind, text } = body
  const id = await inTransaction(deps.db, async (tx) => {
    await spend(deps, tx, visitor, body)
    if ((await countWaitingLocked(tx, visitor)) >= VISITOR_OPEN_CASES_MAX) throw tooManyOpen()
    const caseId = await insertVisitorCase(tx, visitor, { kind, id: NO_ID, title: TOPIC_WORDS[kind] })
    await insertMessage(tx, { caseId, authorId: null, isStaff: false, text, pictures: [] })
    await mailVisitor(deps, tx, caseId, {
      subject: `Đã nhận yêu cầu hỗ trợ số ${caseId}`,
      paragraphs: [`Về: ${TOPIC_WORDS[kind]}.`, 'Đội hỗ trợ sẽ trả lời vào địa chỉ email này.'],
      label: 'Xem yêu cầu',
    })
    return caseId
  })
  return readById(deps, id)
}

/** All of a contact's cases, for whoever has lost the link. */
export async function listVisitorCases(
  deps: CasesDeps,
  body: BodyOf<typeof listCall>,
  address: string,
): Promise<(CaseRow & { token: string })[]> {
  const visitor = await proved(deps, body, address)
  await inTransaction(deps.db, (tx) => spend(deps, tx, visitor, body))
  const rows = await selectCasesWith(deps.db, visitor, LISTED_MAX)
  return Promise.all(rows.map(async (row) => ({ ...row, token: await tokenOf(deps, row.id) })))
}

export async function readVisitorCase(deps: CasesDeps, token: string): Promise<VisitorCase> {
  return readById(deps, await idIn(deps, token))
}

export async function addVisitorMessage(
  deps: CasesDeps,
  { token, text }: BodyOf<typeof addCall>,
): Promise<VisitorCase> {
  const caseId = await idIn(deps, token)
  const visitor = await findVisitor(deps.db, caseId)
  if (visitor === undefined) throw new Refusal('TOKEN_INVALID')
  await deps.limits.consume(MESSAGES_PER_CONTACT, visitor.contact)
  await inTransaction(deps.db, async (tx) => {
    const locked = await lockCase(tx, caseId)
    if (locked === undefined) throw new Refusal('TOKEN_INVALID')
    assertWritable(locked)
    await insertMessage(tx, { caseId, authorId: null, isStaff: false, text, pictures: [] })
  })
  return readById(deps, caseId)
}

async function readById(deps: CasesDeps, id: string): Promise<VisitorCase> {
  const found = await findVisitorCase(deps.db, id)
  if (found === undefined) throw new Refusal('TOKEN_INVALID')
  const messages = (await selectMessages(deps.db, id)).map(({ is_staff, author: _author, ...message }) => ({
    ...message,
    author: is_staff ? ('staff' as const) : ('player' as const),
  }))
  return { ...found, messages, token: await tokenOf(deps, id) }
}

/** The id of a case with a keyed hash of it: nothing is stored that would open it, and its link stays the same. */
const tokenOf = async ({ vault }: Pick<CasesDeps, 'vault'>, id: string): Promise<string> =>
  `${id}.${(await vault.hash('visitor case', id)).toString('base64url')}`

async function idIn(deps: CasesDeps, token: string): Promise<string> {
  const [, id] = /^([1-9]\d{0,17})\.[\w-]{43}$/.exec(token) ?? []
  if (id === undefined) throw new Refusal('TOKEN_INVALID')
  const right = Buffer.from(await tokenOf(deps, id))
  const given = Buffer.from(token)
  if (right.length !== given.length || !timingSafeEqual(right, given)) throw new Refusal('TOKEN_INVALID')
  return id
}

/** What visitors are written to with. */
export type CaseLetters = Pick<CasesDeps, 'vault' | 'publicUrl'>

type Letter = { subject: string; paragraphs: readonly string[]; label: string }

/** To a visitor who proved an address; one with a phone reads the case by its link. */
export async function mailVisitor(
  deps: CaseLetters,
  tx: Tx,
  caseId: string,
  { subject, paragraphs, label }: Letter,
): Promise<void> {
  const visitor = await findVisitor(tx, caseId)
  invariant(visitor, 'a case without a player is a visitor’s')
  if (visitor.channel !== 'email') return
  await queueMail(deps.vault, tx, {
    kind: 'visitor-case',
    to: visitor.contact,
    username: 'bạn',
    subject,
    paragraphs,
    // Behind the mark: browsers send it to no server, and no log has it.
    action: { label, url: `${deps.publicUrl}${paths.askForHelp}#${await tokenOf(deps, caseId)}` },
    closing: ['Ai có đường dẫn này đều đọc được yêu cầu: đừng chuyển cho người khác.'],
  })
}
