import { ECDH } from 'node:crypto'
import type { PushContent } from '#contract/notices.ts'

/**
 * The hosts of the push services that browsers have; one that begins with a dot is every host below it. A browser cannot name
 * another than its maker's: whoever does wants the portal to call something else.
 */
export const PUSH_SERVICES = [
  // Chrome, Edge on phones, Brave, Opera, Cốc Cốc, Samsung Internet; builds of Chromium that are not Google's.
  'fcm.googleapis.com',
  'jmt17.google.com',
  // Firefox.
  '.push.services.mozilla.com',
  // Safari, and sites on the home screen of an iPhone.
  '.push.apple.com',
  // Edge on Windows.
  '.notify.windows.com',
] as const

const AUTH_BYTES = 16

type BrowserKeys = { p256dh: string; auth: string }

/** The first of a browser's keys that nothing can be encrypted with (RFC 8291): a point of P-256, and 16 bytes. */
export function unusableKey({ p256dh, auth }: BrowserKeys): keyof BrowserKeys | null {
  try {
    const point = ECDH.convertKey(p256dh, 'prime256v1', 'base64url', 'base64url', 'uncompressed')
    if (point !== p256dh.replace(/=+$/, '')) return 'p256dh'
  } catch {
    return 'p256dh'
  }
  return Buffer.from(auth, 'base64url').length === AUTH_BYTES ? null : 'auth'
}

/** How many browsers of one player are told. */
export const SUBSCRIPTIONS_MAX = 10

/** After so many failures in a row a browser is forgotten, so that endpoints that never answer hold up nobody. */
const FAILURES_MAX = 20

const TRIES_MAX = 6

/** A message of yesterday tells nobody anything. */
export const USEFUL_SECONDS = 24 * 3_600

const FIRST_DELAY_SECONDS = 5
export const DELAY_SECONDS_MAX = 3_600

const TITLE_MAX = 150
const TEXT_MAX = 600

const shortened = (text: string, max: number) => (text.length <= max ? text : `${text.slice(0, max - 1)}…`)

/** Push services take 4,096 bytes, encrypted. */
export const payloadOf = (notice: { id: string; title: string; text: string; href: string }): string =>
  JSON.stringify({
    tag: notice.id,
    title: shortened(notice.title, TITLE_MAX),
    text: shortened(notice.text, TEXT_MAX),
    href: notice.href,
  } satisfies PushContent)

/** What a push service answered; null where it was not reached. */
export type PushAnswer = { status: number; retryAfterSeconds?: number } | null

type Tried = { attempt: number; ageSeconds: number; failures: number }

export type AfterPush =
  | { outcome: 'sent' | 'given-up' | 'forgotten' }
  | { outcome: 'failed'; delaySeconds: number }

/** Besides too many or too slow ones: a signature is refused while the clock of this machine is wrong (RFC 8292). */
const PASSING = new Set([401, 403, 408, 429])

/** What follows from an answer (RFC 8030): 404 and 410 say that the browser is gone. */
export function afterPush(answer: PushAnswer, { attempt, ageSeconds, failures }: Tried): AfterPush {
  const status = answer?.status ?? 0
  if (status >= 200 && status < 300) return { outcome: 'sent' }
  if (status === 404 || status === 410) return { outcome: 'forgotten' }
  if (failures + 1 >= FAILURES_MAX) return { outcome: 'forgotten' }
  const isPassing = status === 0 || PASSING.has(status) || status >= 500
  const delaySeconds = Math.min(
    Math.max(FIRST_DELAY_SECONDS * 4 ** (attempt - 1), answer?.retryAfterSeconds ?? 0),
    DELAY_SECONDS_MAX,
  )
  if (!isPassing || attempt >= TRIES_MAX || ageSeconds + delaySeconds >= USEFUL_SECONDS)
    return { outcome: 'given-up' }
  return { outcome: 'failed', delaySeconds }
}
