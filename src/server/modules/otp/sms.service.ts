import { readSettings } from '#server/modules/settings/index.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { Refusal, invariant } from '#server/platform/values/errors.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import type { Log } from '#server/platform/log/log.ts'
import { count } from '#server/domain/metrics.ts'
import { makeCode } from './codes.service.ts'
import {
  countSent,
  getSealedReply,
  insertMessage,
  listCodeAges,
  lockSender,
  readSentToday,
  readToday,
  removeOldCodes,
  removeOldMessages,
  senderHash,
  updateReply,
} from './otp.queries.ts'
import { readEsms, readOnepay, readSmsMo, type ReadMessage } from './sms-shapes.rules.ts'
import { isSignedByEsms, isSignedByOnepay, verifySms, type Parameters } from './sms-signatures.ts'
import {
  CODES_PER_DAY,
  isCodeRequest,
  isLate,
  maskMsisdn,
  mayMakeCode,
  prefixOf,
  reachedPercent,
  repliesOf,
  vietnameseMobile,
  waitBeforeNext,
  type SmsMessage,
  type SmsOutcome,
  isTooEarly,
} from './sms.rules.ts'

/** The secrets that sign providers' messages: the one in use and, during a change, the one before. */
export type SmsKeys = { secrets: string[] }

export type OtpDeps = PlatformDeps & {
  /** Null: no message is accepted. */
  sms: SmsKeys | null
  /** Null: there is no sandbox. Else its messages go to the public endpoint at this address. */
  sandbox: { portalUrl: string } | null
}

const CLOSED_RETRY_SECONDS = 600

const messagesClosed = () =>
  new Refusal('DISABLED', {
    message: 'Cổng chưa được cấu hình để nhận tin nhắn',
    retryAfterSeconds: CLOSED_RETRY_SECONDS,
  })

const badSignature = () => new Refusal('UNAUTHENTICATED', { message: 'Chữ ký của tin nhắn không hợp lệ' })

const wrongTime = () =>
  new Refusal('UNAUTHENTICATED', { message: 'Tin nhắn được ký vào thời điểm quá xa hiện tại' })

const unreadableMessage = (field: string) =>
  new Refusal('BAD_REQUEST', {
    message:
      field === '' ? 'Tin nhắn phải là một đối tượng JSON' : `Trường ${field} của tin nhắn không hợp lệ`,
    ...(field === '' ? {} : { errors: { [field]: ['Giá trị không hợp lệ'] } }),
  })

const SEAL_PURPOSE = 'sms reply'

type Answer = { outcome: SmsOutcome; reply: string }
/** `sentToday` is set for a new code: how many there were today, counting it. */
type Answered = { outcome: SmsOutcome | 'repeat'; reply: string; sentToday?: number }
type Received = { message: SmsMessage; phone: string | null; sender: Buffer }

/**
 * Answers one message of a player: with a code when it requests one. A repeat of the message, later or at the
 * same moment, gets the first answer again, whatever its text; a code is made once.
 */
async function answerSms(deps: OtpDeps, message: SmsMessage, log: Log): Promise<string> {
  const phone = vietnameseMobile(message.msisdn)
  const sender = await senderHash(deps.vault, phone ?? message.msisdn)
  const answered = await inTransaction(deps.db, (tx) => answerOnce(deps, tx, { message, phone, sender }))
  log.info(
    {
      event: 'otp.sms',
      provider: message.provider,
      msisdn: maskMsisdn(phone ?? message.msisdn),
      outcome: answered.outcome,
    },
    'a message was answered',
  )
  if (answered.sentToday !== undefined) {
    count('portal_codes_total', { outcome: 'sent' })
    warnAtCeiling(answered.sentToday, log)
  }
  return answered.reply
}

async function answerOnce(deps: OtpDeps, tx: Tx, received: Received): Promise<Answered> {
  const { message, phone, sender } = received
  const key = { provider: message.provider, messageId: message.messageId }
  if (!(await insertMessage(tx, { ...key, sender }))) {
    const sealed = await getSealedReply(tx, key)
    invariant(sealed, 'a message is stored together with its reply')
    return { outcome: 'repeat', reply: await deps.vault.open(SEAL_PURPOSE, sealed) }
  }
  const { outcome, reply } = await compose(deps, tx, received)
  await updateReply(tx, { ...key, outcome, sealedReply: await deps.vault.seal(SEAL_PURPOSE, reply) })
  if (outcome !== 'code' || phone === null) return { outcome, reply }
  return { outcome, reply, sentToday: await countSent(tx, prefixOf(phone)) }
}

/** No account is read: the reply must not reveal whether one has the number. */
async function compose(deps: OtpDeps, tx: Tx, { message, phone, sender }: Received): Promise<Answer> {
  if (phone === null) return { outcome: 'foreign', reply: '' }
  const replies = repliesOf((await readSettings(tx)).siteName)
  if (!isCodeRequest(message.text)) return { outcome: 'help', reply: replies.help }
  if (isLate(message.receivedAt, deps.clock.now())) return { outcome: 'late', reply: replies.late }
  await lockSender(tx, sender)
  const waitSeconds = waitBeforeNext(await listCodeAges(tx, sender))
  if (waitSeconds > 0) return { outcome: 'too-often', reply: replies.tooOften(waitSeconds) }
  if (!mayMakeCode(await readSentToday(tx, prefixOf(phone))))
    return { outcome: 'closed', reply: replies.closed }
  return { outcome: 'code', reply: replies.code(await makeCode(deps.vault, tx, { channel: 'phone', phone })) }
}

function warnAtCeiling(sentToday: number, log: Log): void {
  const percent = reachedPercent(sentToday)
  if (percent === null) return
  log.warn(
    { event: 'otp.ceiling', percent, sent: sentToday, ceiling: CODES_PER_DAY },
    'the day’s codes by SMS are running out',
  )
}

/** One line of figures: when codes are paid for and hardly any is verified, somebody is pumping messages. */
export async function logRatio({ db, log }: OtpDeps): Promise<void> {
  const { sent, verified } = await readToday(db)
  const ratio = sent === 0 ? null : Math.round((verified / sent) * 1_000) / 1_000
  log.info({ event: 'otp.ratio', sent, verified, ratio }, 'codes by SMS today')
}

type SmsDelivery = {
  /** The bytes as they came. */
  raw: Buffer
  provider: string
  timestamp: string | undefined
  signature: string | undefined
  /** The log of the request. */
  log: Log
}

type SmsReply = { message_id: string; reply: string }

/** The portal's own endpoint: checks signature and time, then the shape, then answers. */
export async function receiveSms(deps: OtpDeps, delivery: SmsDelivery): Promise<SmsReply> {
  const { raw, provider, timestamp, signature, log } = delivery
  const { secrets } = openKeys(deps)
  const signed = verifySms({ secrets, timestamp, signature, raw, now: deps.clock.now() })
  if (signed === 'bad') throw refused(log, 'mo')
  if (signed === 'stale') throw wrongTime()
  const message = readable(readSmsMo(parseJson(raw), provider))
  return { message_id: message.messageId, reply: await answerSms(deps, message, log) }
}

type Query = { given: Parameters; log: Log }

export type EsmsReply = { reply: string; smsid: string; sender: string }

/** eSMS's shape. What a query signs is the time of the message, so an old one is answered as late, not refused. */
export async function receiveEsms(deps: OtpDeps, { given, log }: Query): Promise<EsmsReply> {
  if (!isSignedByEsms(openKeys(deps).secrets, given)) throw refused(log, 'esms')
  const message = timely(deps, readable(readEsms(given)))
  const reply = await answerSms(deps, message, log)
  return { reply, smsid: given['smsid'] ?? '', sender: given['sender'] ?? '' }
}

/** 1pay's shape. */
export async function receiveOnepay(deps: OtpDeps, { given, log }: Query): Promise<string> {
  if (!isSignedByOnepay(openKeys(deps).secrets, given)) throw refused(log, '1pay')
  return answerSms(deps, timely(deps, readable(readOnepay(given))), log)
}

function openKeys({ sms }: OtpDeps): SmsKeys {
  if (sms === null) throw messagesClosed()
  return sms
}

function refused(log: Log, endpoint: string): Error {
  log.warn({ event: 'otp.sms-refused', endpoint }, 'a message with a bad signature was refused')
  return badSignature()
}

function readable(read: ReadMessage): SmsMessage {
  if (!read.ok) throw unreadableMessage(read.field)
  return read.message
}

function timely({ clock }: OtpDeps, message: SmsMessage): SmsMessage {
  if (isTooEarly(message.receivedAt, clock.now())) throw wrongTime()
  return message
}

function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch {
    // Whatever is wrong with the bytes, the sender gets the same answer, and undefined is no JSON value.
    return undefined
  }
}

const HOUR_MS = 3_600_000

/** The hourly figure, and what is past its time. */
export function startOtpJobs(deps: OtpDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'codes by SMS, figures', pauseMs: HOUR_MS, round: () => logRatio(deps) },
    { name: 'old messages', pauseMs: HOUR_MS, round: () => removeOldMessages(deps) },
    { name: 'old codes', pauseMs: HOUR_MS, round: () => removeOldCodes(deps) },
  ])
}
