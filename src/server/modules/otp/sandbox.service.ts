import { randomUUID } from 'node:crypto'
import { SMS_SHORT_CODE } from '#contract/constants.ts'
import { invariant, Refusal } from '#server/platform/values/errors.ts'
import { openOutbound, type OutboundAnswer } from '#server/platform/http/outbound.ts'
import type { OtpDeps, SmsKeys } from './sms.service.ts'
import { signSms } from './sms-signatures.ts'

type SandboxSms = { phone: string; text: string }

const TIMEOUT_MS = 10_000

/**
 * Simulates a phone and its SMS provider: sends a signed message to the endpoint that real providers call, and returns
 * the portal's answer.
 */
export async function sandboxSms(
  { sms, portalUrl }: { sms: SmsKeys; portalUrl: string },
  { phone, text }: SandboxSms,
): Promise<OutboundAnswer> {
  const now = new Date()
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const body = JSON.stringify({
    message_id: `sandbox-${randomUUID()}`,
    short_code: SMS_SHORT_CODE,
    msisdn: phone,
    text,
    received_at: now.toISOString(),
  })
  const [secret] = sms.secrets
  invariant(secret, 'the endpoint for messages has a secret')
  const url = new URL('/api/sms/mo', portalUrl)
  return openOutbound([url.origin])({
    url: url.href,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-sms-provider': 'sandbox',
      'x-sms-timestamp': timestamp,
      'x-sms-signature': signSms(secret, timestamp, Buffer.from(body)),
    },
    body,
    timeoutMs: TIMEOUT_MS,
  })
}

const sandboxRefused = () =>
  new Refusal('UNAVAILABLE', {
    message: 'Cổng không nhận tin nhắn thử, vui lòng thử lại',
    retryAfterSeconds: 2,
  })

/** The same for the demo's sandbox page: answers the reply that the phone would show. */
export async function sendFromSandbox(deps: OtpDeps, message: SandboxSms): Promise<{ reply: string }> {
  invariant(deps.sandbox !== null, 'the sandbox is served in a demo only')
  if (deps.sms === null) throw sandboxRefused()
  const answer = await sandboxSms({ sms: deps.sms, portalUrl: deps.sandbox.portalUrl }, message)
  if (answer.status !== 200) {
    deps.log.error({ status: answer.status }, 'the portal refused its own sandbox')
    throw sandboxRefused()
  }
  return { reply: (JSON.parse(answer.text) as { reply: string }).reply }
}
