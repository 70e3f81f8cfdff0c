import { setImmediate } from 'node:timers/promises'
import { Piscina } from 'piscina'
import { Refusal } from '../values/errors.ts'
import { safeHtml } from './safe-html.rules.ts'

/** In letters: a shorter text takes 10 ms at most and is sanitised at once. */
const AT_ONCE_MAX = 20_000
const TURN_AFTER = 1_000

const WAITING_MAX = 16
/** Including the time in the queue. The slowest text that a schema lets through takes about 0.3 s. */
const MS_MAX = 10_000

let threads: Piscina<string, string> | undefined

/** One thread is enough for the texts of a few editors, and leaves the other cores to the players. */
const openThreads = () =>
  (threads ??= new Piscina<string, string>({
    filename: new URL('safe-html.rules.ts', import.meta.url).href,
    name: 'safeHtml' satisfies keyof typeof import('./safe-html.rules.ts'),
    minThreads: 0,
    maxThreads: 1,
    maxQueue: WAITING_MAX,
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
    // Neither the flags nor the secrets of the portal are of use there.
    execArgv: [],
    env: {},
  }))

const isTooMuch = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' || /queue is at limit|memory limit/.test(error.message))

/** Throws UNAVAILABLE when the queue is full, or a text takes too long: its thread is ended then. */
async function inThread(html: string): Promise<string> {
  try {
    return await openThreads().run(html, { signal: AbortSignal.timeout(MS_MAX) })
  } catch (error) {
    throw isTooMuch(error) ? new Refusal('UNAVAILABLE', { retryAfterSeconds: 5 }) : error
  }
}

/** In letters, of cached texts and their sources. */
const CACHE_MAX = 2_000_000
const cache = new Map<string, string>()
let cachedLength = 0

function addToCache(html: string, safe: string): void {
  const length = html.length + safe.length
  if (length > CACHE_MAX / 4 || cache.has(html)) return
  if (cachedLength + length > CACHE_MAX) {
    cache.clear()
    cachedLength = 0
  }
  cache.set(html, safe)
  cachedLength += length
}

/** Sanitises HTML by the policy of `safe-html.rules.ts`, without blocking other requests. */
export async function makeSafe(html: string): Promise<string> {
  const safe = html.length > AT_ONCE_MAX ? await inThread(html) : safeHtml(html)
  if (html.length > TURN_AFTER) await setImmediate()
  // It is shown next, and nothing would be removed from it.
  addToCache(safe, safe)
  return safe
}

const beingMade = new Map<string, Promise<string>>()

/** The same for what is shown again and again: the answer depends on the text alone, so it is made once for it. */
export async function shownHtml(html: string): Promise<string> {
  const known = cache.get(html)
  if (known !== undefined) return known
  const safe = beingMade.get(html) ?? makeSafe(html).finally(() => beingMade.delete(html))
  beingMade.set(html, safe)
  addToCache(html, await safe)
  return safe
}
