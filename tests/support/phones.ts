import { createHmac, randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { canonicalPhone } from '#contract/fields.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { SMS_SECRET, type TestApp } from './app.ts'
import type { TestPlayer } from './players.ts'

/** A phone number used once in the test run, in national format. */
export const aPhone = () => `09${String(randomInt(100_000_000)).padStart(8, '0')}`

export type Texting = {
  text?: string
  messageId?: string
  receivedAt?: Date
  /** More of the body, or another in its place. */
  body?: Record<string, unknown>
  secret?: string
  signedAt?: Date
  provider?: string
  headers?: Record<string, string>
}

export type Texted = { status: number; text: string; reply: string; body: Record<string, unknown> }

/** A text message to the short code as an SMS provider forwards it: signed, to the public endpoint. */
export async function sendText(portal: TestApp, phone: string, texting: Texting = {}): Promise<Texted> {
  const raw = JSON.stringify({
    message_id: texting.messageId ?? randomUUID(),
    short_code: '7039',
    msisdn: phone,
    text: texting.text ?? 'THN OTP',
    received_at: (texting.receivedAt ?? portal.deps.clock.now()).toISOString(),
    ...texting.body,
  })
  const timestamp = String(Math.floor((texting.signedAt ?? portal.deps.clock.now()).getTime() / 1_000))
  const mac = createHmac('sha256', texting.secret ?? SMS_SECRET).update(`${timestamp}.${raw}`)
  const answer = await portal.app.inject({
    method: 'POST',
    url: '/api/sms/mo',
    headers: {
      'content-type': 'application/json',
      'x-sms-provider': texting.provider ?? 'tests',
      'x-sms-timestamp': timestamp,
      'x-sms-signature': `v1=${mac.digest('hex')}`,
      ...texting.headers,
    },
    payload: raw,
  })
  const body = answer.json() as Record<string, unknown>
  return { status: answer.statusCode, text: answer.body, reply: String(body['reply'] ?? ''), body }
}

export const codeIn = (reply: string): string | undefined => /\b\d{6}\b/.exec(reply)?.[0]

/** A new code for a phone, as long as its limits allow one. */
export async function receiveCode(portal: TestApp, phone: string): Promise<string> {
  const { reply } = await sendText(portal, phone)
  const code = codeIn(reply)
  invariant(code, `a phone gets a code: ${reply}`)
  return code
}

/** What is not the code. */
export const wrongCode = (code: string, step = 1) =>
  String((Number(code) + step) % 1_000_000).padStart(6, '0')

/** Every attempt comes from another address by default: limits per address have their own test. */
export async function tryCode(
  portal: TestApp,
  { phone, code, address, device }: { phone: string; code: string; address?: string; device?: string },
): Promise<{ status: number; body: Record<string, unknown>; headers: Record<string, unknown> }> {
  const answer = await portal.app.inject({
    method: 'POST',
    url: '/api/one-time-password/verify',
    remoteAddress: address ?? `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`,
    headers: device === undefined ? {} : { cookie: `device=${device}` },
    payload: { phone, code },
  })
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers }
}

/** A code that has been verified and waits for its act. */
export async function verifiedCode(portal: TestApp, phone: string): Promise<string> {
  const code = await receiveCode(portal, phone)
  const { status, body } = await tryCode(portal, { phone, code })
  invariant(status === 200, `a right code is verified: ${JSON.stringify(body)}`)
  return code
}

/** Makes everything that a phone did older. */
export async function letTimePass(portal: TestApp, phone: string, seconds: number): Promise<void> {
  const { vault } = portal.deps
  const number = canonicalPhone(phone)
  const target = await vault.hash('code target phone', number)
  const sender = await vault.hash('sms sender', number)
  const ago = sql`make_interval(secs => ${seconds})`
  await sql`
    UPDATE one_time_code SET made_at = made_at - ${ago}, verified_at = verified_at - ${ago},
           tries_since = tries_since - ${ago} WHERE target = ${target}`.execute(portal.db)
  await sql`
    UPDATE sms_message SET received_at = received_at - ${ago} WHERE sender = ${sender}`.execute(portal.db)
}

/** As if the player had proved that the phone they registered with is theirs. */
export async function provePhone(portal: TestApp, player: TestPlayer): Promise<string> {
  const { phone } = await portal.db
    .updateTable('user_contacts')
    .set({ phone_verified_at: sql<Date>`now()` })
    .where('user_id', '=', player.id)
    .returning('phone')
    .executeTakeFirstOrThrow()
  invariant(phone, 'a player registers with a phone')
  return phone
}
