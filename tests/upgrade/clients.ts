import { setTimeout as sleep } from 'node:timers/promises'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import { createEventReader } from '#client/live/event-stream.ts'
import { anAddress } from '#tests/support/addresses.ts'
import { act, enter, sendClaim, takeGift, type Actor, type Context, type Seen } from '../torture/actors.ts'
import { PortalClient, type Answer, type Request } from '../torture/portal-client.ts'
import { seeded, type Random } from '../torture/random.ts'
import type { Attempt, Door } from './doors.ts'

const TIMEOUT_MS = 15_000
const COINS = 5_000_000

/** A stream that ended before the client ended it. */
export type EndedStream = Attempt & { isWhole: boolean }

/** Everything clients saw, kept outside the portal. */
export type ClientLog = {
  attempts: Attempt[]
  streams: EndedStream[]
  /** How many events came over streams. */
  events: number
  seen: Seen[]
  unexpected: string[]
}

export const emptyClientLog = (): ClientLog => ({
  attempts: [],
  streams: [],
  events: 0,
  seen: [],
  unexpected: [],
})

const begun = (sent: Pick<Attempt, 'from' | 'method' | 'path'>): Attempt => ({
  ...sent,
  startedAt: Date.now(),
  endedAt: 0,
  status: null,
  code: '',
  requestId: '',
  via: null,
})

/** A client of the door that writes down each attempt. */
class LoggedClient extends PortalClient {
  readonly #door: Door
  readonly #log: ClientLog

  constructor(door: Door, log: ClientLog) {
    super('')
    this.#door = door
    this.#log = log
  }

  override async try(request: Request): Promise<Answer | null> {
    const { method, path, token, key, from = anAddress(), body, headers } = request
    const attempt = begun({ from, method, path })
    try {
      const answer = await this.#door.send({
        method,
        path,
        from,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      attempt.status = answer.status
      attempt.via = answer.via
      const isJson = answer.headers['content-type']?.startsWith('application/json') === true
      const content = isJson ? JSON.parse(answer.text) : answer.text
      attempt.code = content?.code ?? ''
      attempt.requestId = content?.requestId ?? ''
      return {
        status: answer.status,
        body: content,
        retryAfterMs: Number(answer.headers['retry-after'] ?? 0) * 1_000,
      }
    } catch {
      return null
    } finally {
      attempt.endedAt = Date.now()
      this.#log.attempts.push(attempt)
    }
  }
}

export type Crowd = { context: Context; actors: Actor[]; client: PortalClient }

/** New players with TCoin, activated, each with characters in the game. */
export async function gather(
  door: Door,
  log: ClientLog,
  { seed, players, sepaySecret }: { seed: number; players: number; sepaySecret: string },
): Promise<Crowd> {
  const client = new LoggedClient(door, log)
  const context = { client, sepaySecret, seen: log.seen }
  const random = seeded(seed)
  const actors: Actor[] = []
  for (let player = 0; player < players; player++) {
    actors.push(await enter(context, `nangcap${seed}x${player}`.slice(0, 20), random, COINS))
  }
  return { context, actors, client }
}

type Working = {
  crowd: Crowd
  door: Door
  log: ClientLog
  seed: number
  signal: AbortSignal
  /** So long a player stays until a new one takes the place; all stay to the end when left out. */
  stayMs?: number
  /** What a player reads after each act, beside what all read. */
  readsPerAct?: number
  /** Whether each player also sends a claim with a picture. */
  withUploads?: boolean
}

/** Payments, purchases, gifts, transfers, logins, statements, pages and event streams, until the signal. */
export async function work(working: Working): Promise<void> {
  const { crowd, log, seed, signal } = working
  const { actors, client } = crowd
  const until = (name: number, pauseMs: number, step: (random: Random) => Promise<unknown>) =>
    again({ random: seeded(seed * 1_000 + name), pauseMs, signal }, step)
  await Promise.all([
    ...actors.map((_, index) => play(working, index)),
    until(101, 60, (random) => read(client, log, random)),
    until(102, 60, (random) => read(client, log, random)),
    until(103, 2_000, (random) => signIn(client, log, random.pick(actors))),
    until(104, 300, (random) => statement(client, log, random.pick(actors))),
  ])
}

type Pace = { random: Random; pauseMs: number; signal: AbortSignal }

async function again({ random, pauseMs, signal }: Pace, step: (random: Random) => Promise<unknown>) {
  while (!signal.aborted) {
    await step(random)
    await sleep(random.below(2 * pauseMs))
  }
}

const NEVER_MS = 2 ** 31 - 1

/** One place among the players, and who takes it one after the other. */
async function play(working: Working, index: number): Promise<void> {
  const { crowd, door, log, seed, signal, stayMs = NEVER_MS, readsPerAct = 0, withUploads = false } = working
  const { context, actors } = crowd
  const random = seeded(seed * 1_000 + index)
  for (let turn = 0; !signal.aborted; turn++) {
    if (turn > 0) actors[index] = await enter(context, `moi${seed}x${index}x${turn}`, random, COINS)
    const actor = actors[index] as Actor
    // The first ones leave at different times.
    const left = AbortSignal.timeout(turn === 0 && stayMs < NEVER_MS ? 1 + random.below(stayMs) : stayMs)
    const over = AbortSignal.any([signal, left])
    await Promise.all([
      again({ random, pauseMs: 150, signal: over }, async (own) => {
        await act(context, actors, actor, own)
        for (let left = readsPerAct; left > 0 && !over.aborted; left--) await read(crowd.client, log, own)
      }),
      follow({ door, log, signal: over, actor }),
      (async () => {
        await sleep(turn === 0 ? 2_000 * (index + 1) : 0)
        if (over.aborted) return
        await takeGift(context, actor, GIFT_PACKAGES[0]?.amount ?? 0)
        if (withUploads) await sendClaim(context, actor)
      })(),
    ])
  }
}

const READ = [
  '/home',
  '/download',
  '/exchange',
  '/api/posts',
  '/api/settings',
  '/api/servers',
  '/favicon.svg',
]

const OK_OR_TOO_FAST = new Set([200, 429])

/** One try: nobody presses a link again by themselves. */
async function expectAnswer(client: PortalClient, log: ClientLog, request: Request): Promise<unknown> {
  const answer = await client.try(request)
  // What failed is in the log of attempts.
  if (answer === null || answer.status >= 500) return null
  if (OK_OR_TOO_FAST.has(answer.status)) return answer.body
  log.unexpected.push(`${request.method} ${request.path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return null
}

const FILE_OF_PAGE = /["\s](\/static\/[^"\s]+\.(?:js|css))(?=["\s])/g

/** A page, or data, and some of the files that the page names: another process may have another program's. */
async function read(client: PortalClient, log: ClientLog, random: Random): Promise<void> {
  // Pages are kept by nginx only for readers who come back.
  const headers: Record<string, string> = random.below(2) === 0 ? { cookie: 'XSRF-TOKEN=from-before' } : {}
  const get = (path: string) => expectAnswer(client, log, { method: 'GET', path, headers })
  const text = await get(random.pick(READ))
  const files = typeof text === 'string' ? [...text.matchAll(FILE_OF_PAGE)].map(([, path = '']) => path) : []
  for (let count = 0; count < 2 && files.length > 0; count++) await get(random.pick(files))
}

const signIn = (client: PortalClient, log: ClientLog, { username }: Actor) =>
  expectAnswer(client, log, {
    method: 'POST',
    path: '/api/auth/login',
    body: { username, password: 'tho-ren-12' },
  })

const statement = (client: PortalClient, log: ClientLog, { token, address: from }: Actor) =>
  expectAnswer(client, log, { method: 'GET', path: '/api/user/transactions', token, from })

const RECONNECT_MS = 1_000
const EVENTS = '/api/user/deliveries/events'

/** An event stream of one's own purchases, opened again a second after its end, as the site does. */
async function follow(given: {
  door: Door
  log: ClientLog
  signal: AbortSignal
  actor: Actor
}): Promise<void> {
  const { door, log, signal, actor } = given
  while (!signal.aborted) {
    const attempt = begun({ from: actor.address, method: 'GET', path: EVENTS })
    const isWhole = await listen(door, { attempt, signal, token: actor.token, onEvent: () => log.events++ })
    if (signal.aborted) return
    attempt.endedAt = Date.now()
    if (attempt.status === 200) log.streams.push({ ...attempt, isWhole })
    else log.attempts.push(attempt)
    await sleep(RECONNECT_MS)
  }
}

type Listening = { attempt: Attempt; signal: AbortSignal; token: string; onEvent(): void }

/** True when the portal ended the stream in order. */
async function listen(door: Door, { attempt, signal, token, onEvent }: Listening): Promise<boolean> {
  try {
    const headers = { authorization: `Bearer ${token}` }
    const { answer, via } = await door.open({ path: EVENTS, from: attempt.from, headers, signal })
    attempt.via = via
    attempt.status = answer?.statusCode ?? 502
    if (answer === null) return false
    const push = createEventReader(onEvent)
    for await (const piece of answer) push(String(piece))
    return answer.complete
  } catch {
    return false
  }
}
