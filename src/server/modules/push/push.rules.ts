import type { PushContent } from '#contract/notices.ts'

/** How many browsers of one player are told. */
export const SUBSCRIPTIONS_MAX = 10

/** After so many failures in a row a browser is forgotten, so that endpoints that never answer hold up nobody. */
const FAILURES_MAX = 20

const TRIES_MAX = 6

/** A message of yesterday tells nobody anything. */
export const USEFUL_SECONDS = 24 * 3_600

const FIRST_DELAY_SECONDS = 5
const DELAY_SECONDS_MAX = 3_600

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

/** What follows from an answer (RFC 8030): 404 and 410 say that the browser is gone. */
export function afterPush(answer: PushAnswer, { attempt, ageSeconds, failures }: Tried): AfterPush {
  const status = answer?.status ?? 0
  if (status >= 200 && status < 300) return { outcome: 'sent' }
  if (status === 404 || status === 410) return { outcome: 'forgotten' }
  if (failures + 1 >= FAILURES_MAX) return { outcome: 'forgotten' }
  const isPassing = status === 0 || status === 408 || status === 429 || status >= 500
  const delaySeconds = Math.min(
    Math.max(FIRST_DELAY_SECONDS * 4 ** (attempt - 1), answer?.retryAfterSeconds ?? 0),
    DELAY_SECONDS_MAX,
  )
  if (!isPassing || attempt >= TRIES_MAX || ageSeconds + delaySeconds >= USEFUL_SECONDS)
    return { outcome: 'given-up' }
  return { outcome: 'failed', delaySeconds }
}
