import * as z from 'zod/mini'
import { readVietnamClock } from '#server/platform/values/vietnam-time.rules.ts'
import type { SmsMessage } from './sms.rules.ts'

export type ReadMessage = { ok: true; message: SmsMessage } | { ok: false; field: string }

const TEXT_MAX = 1_000

const messageId = z.string().check(z.regex(/^[\x21-\x7e]{1,128}$/))
const msisdn = z.string().check(z.regex(/^\+?\d{3,20}$/))
const text = z.string().check(z.maxLength(TEXT_MAX))
const shortCode = z.string().check(z.regex(/^\d{3,8}$/))
const providerName = z.string().check(z.regex(/^[a-z0-9][a-z0-9._-]{0,31}$/))

const smsMo = z.object({
  message_id: messageId,
  short_code: shortCode,
  msisdn,
  text,
  received_at: z.iso.datetime({ offset: true }),
  operator: z.nullish(z.string().check(z.maxLength(64))),
})

/** The portal's own shape: the parsed body, and the provider's name from its header. */
export function readSmsMo(body: unknown, provider: string): ReadMessage {
  const name = providerName.safeParse(provider.toLowerCase())
  if (!name.success) return { ok: false, field: 'X-Sms-Provider' }
  return reading(smsMo, body, (fields) => ({
    provider: name.data,
    messageId: fields.message_id,
    msisdn: fields.msisdn,
    text: fields.text,
    receivedAt: new Date(fields.received_at),
  }))
}

/*
 * The adapters' shapes are strict about every value but the text. What those providers sign runs several values
 * together, so a loose shape would let somebody who saw one signed address cut it apart elsewhere.
 */
const esms = z.object({
  sender: msisdn,
  content: text,
  cpid: z.string().check(z.regex(/^[\w-]{0,32}$/)),
  smsid: z.string().check(z.regex(/^[\w-]{1,64}$/)),
  receiverTime: z.string().check(z.refine((time) => vietnamTime(time) !== null)),
})

/** eSMS's short code. Where its `cpid` ends and its `smsid` begins is not signed, so both together name the message. */
export function readEsms(query: unknown): ReadMessage {
  return reading(esms, query, (fields) => ({
    provider: 'esms',
    messageId: fields.cpid + fields.smsid,
    msisdn: fields.sender,
    text: fields.content,
    receivedAt: vietnamTime(fields.receiverTime) ?? new Date(Number.NaN),
  }))
}

const onepay = z.object({
  access_key: z.string().check(z.regex(/^[\w-]{1,64}$/)),
  command: z.string().check(z.regex(/^\w{1,32}$/)),
  mo_message: text,
  msisdn,
  request_id: z.string().check(z.regex(/^[\w-]{1,128}$/)),
  request_time: z.iso.datetime({ offset: true }),
  short_code: shortCode,
})

/** 1pay's short code. */
export function readOnepay(query: unknown): ReadMessage {
  return reading(onepay, query, (fields) => ({
    provider: '1pay',
    messageId: fields.request_id,
    msisdn: fields.msisdn,
    text: fields.mo_message,
    receivedAt: new Date(fields.request_time),
  }))
}

function reading<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  toMessage: (fields: z.output<Schema>) => SmsMessage,
): ReadMessage {
  const read = schema.safeParse(input)
  if (read.success) return { ok: true, message: toMessage(read.data) }
  return { ok: false, field: String(read.error.issues[0]?.path[0] ?? '') }
}

/** `20261120100000` in the time zone of Vietnam. An impossible date is refused instead of rolled over. */
function vietnamTime(text: string): Date | null {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text)
  if (!parts) return null
  const [, year, month, day, hour, minute, second] = parts
  return readVietnamClock(`${year}-${month}-${day} ${hour}:${minute}:${second}`) ?? null
}
