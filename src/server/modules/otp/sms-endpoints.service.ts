import type { Log } from '#server/platform/log/log.ts'
import { badSignature, messagesClosed, unreadableMessage, wrongTime } from './otp.errors.ts'
import type { OtpDeps, SmsKeys } from './otp-deps.ts'
import { isSignedByEsms, isSignedByOnepay, verifySms, type Parameters } from './sms-signatures.ts'
import { answerSms } from './sms.service.ts'
import { isTooEarly, type SmsMessage } from './sms.rules.ts'
import { readEsms, readOnepay, readSmsMo, type ReadMessage } from './sms-shapes.rules.ts'

export type SmsDelivery = {
  /** The bytes as they came. */
  raw: Buffer
  provider: string
  timestamp: string | undefined
  signature: string | undefined
  /** The log of the request. */
  log: Log
}

export type SmsReply = { message_id: string; reply: string }

/** The portal's own endpoint: checks signature and time, then the shape, then answers. */
export async function receiveSms(deps: OtpDeps, delivery: SmsDelivery): Promise<SmsReply> {
  const { raw, provider, timestamp, signature, log } = delivery
  const { secrets } = openKeys(deps)
  const verdict = verifySms({ secrets, timestamp, signature, raw, now: deps.clock.now() })
  if (verdict === 'bad') throw refused(log, 'mo')
  if (verdict === 'stale') throw wrongTime()
  const message = readable(readSmsMo(parseJson(raw), provider))
  return { message_id: message.messageId, reply: await answerSms(deps, message, log) }
}

export type Query = { given: Parameters; log: Log }

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
