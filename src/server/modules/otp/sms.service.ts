import { readSettings } from '#server/modules/settings/index.ts'
import type { Log } from '#server/platform/log/log.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { count } from '#server/domain/metrics.ts'
import { makeCode } from './codes.service.ts'
import type { OtpDeps } from './otp-deps.ts'
import {
  countSent,
  getSealedReply,
  insertMessage,
  listCodeAges,
  lockSender,
  readSentToday,
  readToday,
  updateReply,
} from './sms.queries.ts'
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
} from './sms.rules.ts'
import type { Vault } from '#server/platform/db/vault.ts'

export { removeOldMessages } from './sms.queries.ts'

const SEAL_PURPOSE = 'sms reply'

type Answer = { outcome: SmsOutcome; reply: string }
/** `sentToday` is set for a new code: how many there were today, counting it. */
type Answered = { outcome: SmsOutcome | 'repeat'; reply: string; sentToday?: number }
type Received = { message: SmsMessage; phone: string | null; sender: Buffer }

/** By which the table knows a sender. */
export const senderHash = (vault: Vault, phone: string): Promise<Buffer> => vault.hash('sms sender', phone)

/**
 * Answers one message of a player: with a code when that is what it asks for. A repeat of the message, later or at the
 * same moment, gets the first answer again, whatever it says; a code is made once.
 */
export async function answerSms(deps: OtpDeps, message: SmsMessage, log: Log): Promise<string> {
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

/** Accounts are not looked up: the reply must not reveal whether one has the number. */
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
