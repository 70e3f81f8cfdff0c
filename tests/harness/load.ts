import { setTimeout as sleep } from 'node:timers/promises'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import { createEventReader } from '#client/live/event-stream.ts'
import { anAddress } from '#tests/support/players.ts'
import type { Attempt, Balancer } from './balancer.ts'
import { answerOf, Client, contentOf, headersOf, methodOf, type Request } from './client.ts'
import {
  act,
  enter,
  enterAll,
  PASSWORD,
  sendClaim,
  takeGift,
  type Actor,
  type Context,
  type ConfirmedAct,
} from './players.ts'
import { type Random, seeded } from './numbers.ts'

const TIMEOUT_MS = 15_000
const COINS = 5_000_000

/** A stream that ended before the client ended it. */
export type EndedStream = Attempt & { isWhole: boolean }

/** Everything clients observed, stored outside the portal. */
export type ClientLog = {
  attempts: Attempt[]
  streams: EndedStream[]
  /** How many events came over streams. */
  events: number
  confirmed: ConfirmedAct[]
  unexpected: string[]
}

/** Without an answer, or with one that says that the portal failed. */
export const isFailed = ({ status }: Attempt) => status === null || status >= 500

const begun = (sent: Pick<Attempt, 'from' | 'method' | 'path'>): Attempt => ({
  ...sent,
  startedAt: Date.now(),
  endedAt: 0,
  status: null,
  code: '',
  requestId: '',
  via: null,
})

/** A client of the balancer; each attempt is written down. */
const loggedClient = (balancer: Balancer, log: ClientLog) =>
  new Client(async (request) => {
    const { path, from = anAddress() } = request
    const method = methodOf(request)
    const attempt = begun({ from, method, path })
    const began = performance.now()
    const content = contentOf(request)
    try {
      const sent = await balancer.send({
        method,
        path,
        from,
        headers: headersOf(request),
        ...(content === undefined ? {} : { body: content }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      Object.assign(attempt, { status: sent.status, via: sent.via })
      const answer = answerOf(sent, began)
      attempt.code = answer.body?.code ?? ''
      attempt.requestId = answer.body?.requestId ?? ''
      return answer
    } finally {
      attempt.endedAt = Date.now()
      log.attempts.push(attempt)
    }
  })

type Crowd = { context: Context; actors: Actor[]; client: Client }

export type Load = {
  balancer: Balancer
  seed: number
  players: number
  /** So long a player stays until a new one takes the place; all stay to the end when left out. */
  stayMs?: number
  /** What a player reads after each act, beside what all read. */
  readsPerAct?: number
  /** Whether each player also sends a claim with a picture. */
  withUploads?: boolean
}

/** New players with TCoin work while `meanwhile` goes on. When they fail, that is over too. */
export async function underLoad<Result>(
  load: Load,
  meanwhile: (log: ClientLog) => Promise<Result>,
): Promise<{ log: ClientLog; result: Result }> {
  const { balancer, seed, players } = load
  const log: ClientLog = { attempts: [], streams: [], events: 0, confirmed: [], unexpected: [] }
  const client = loggedClient(balancer, log)
  const context = { client, confirmed: log.confirmed }
  const traders = { name: `nangcap${seed}x`, count: players, coins: COINS }
  const crowd = { context, actors: await enterAll(context, traders, seeded(seed)), client }
  const over = new AbortController()
  const working = work({ ...load, crowd, log, signal: over.signal })
  const failing = working.then(() => Promise.reject(new Error('the clients stopped before the end')))
  try {
    const result = await Promise.race([meanwhile(log), failing])
    over.abort()
    await working
    return { log, result }
  } finally {
    over.abort()
  }
}

type Working = Load & { crowd: Crowd; log: ClientLog; signal: AbortSignal }

/** Payments, purchases, gifts, transfers, logins, statements, pages and event streams, until the signal. */
async function work(working: Working): Promise<void> {
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
  const {
    crowd,
    balancer,
    log,
    seed,
    signal,
    stayMs = NEVER_MS,
    readsPerAct = 0,
    withUploads = false,
  } = working
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
      follow({ balancer, log, signal: over, actor }),
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

/** One try: a browser does not repeat it by itself. */
async function expectAnswer(client: Client, log: ClientLog, request: Request): Promise<unknown> {
  const answer = await client.try(request)
  // What failed is in the log of attempts.
  if (answer === null || answer.status >= 500) return null
  if (OK_OR_TOO_FAST.has(answer.status)) return answer.body
  log.unexpected.push(`${request.method} ${request.path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return null
}

const FILE_OF_PAGE = /["\s](\/static\/[^"\s]+\.(?:js|css))(?=["\s])/g

/** A page, or data, and some of the files that the page names: another process may have another program's. */
async function read(client: Client, log: ClientLog, random: Random): Promise<void> {
  // Pages are cached by nginx only for readers who come back.
  const headers: Record<string, string> = random.below(2) === 0 ? { cookie: 'XSRF-TOKEN=from-before' } : {}
  const get = (path: string) => expectAnswer(client, log, { method: 'GET', path, headers })
  const text = await get(random.pick(READ))
  const files = typeof text === 'string' ? [...text.matchAll(FILE_OF_PAGE)].map(([, path = '']) => path) : []
  for (let count = 0; count < 2 && files.length > 0; count++) await get(random.pick(files))
}

const signIn = (client: Client, log: ClientLog, { username }: Actor) =>
  expectAnswer(client, log, {
    method: 'POST',
    path: '/api/auth/login',
    body: { username, password: PASSWORD },
  })

const statement = (client: Client, log: ClientLog, { token, address: from }: Actor) =>
  expectAnswer(client, log, { method: 'GET', path: '/api/user/transactions', token, from })

const RECONNECT_MS = 1_000
const EVENTS = '/api/user/deliveries/events'

/** An event stream of one's own purchases, opened again a second after its end, as the site does. */
async function follow(given: {
  balancer: Balancer
  log: ClientLog
  signal: AbortSignal
  actor: Actor
}): Promise<void> {
  const { balancer, log, signal, actor } = given
  while (!signal.aborted) {
    const attempt = begun({ from: actor.address, method: 'GET', path: EVENTS })
    const isWhole = await listen(balancer, {
      attempt,
      signal,
      token: actor.token,
      onEvent: () => log.events++,
    })
    if (signal.aborted) return
    attempt.endedAt = Date.now()
    if (attempt.status === 200) log.streams.push({ ...attempt, isWhole })
    else log.attempts.push(attempt)
    await sleep(RECONNECT_MS)
  }
}

type Listening = { attempt: Attempt; signal: AbortSignal; token: string; onEvent(): void }

/** True when the portal ended the stream in order. */
async function listen(balancer: Balancer, { attempt, signal, token, onEvent }: Listening): Promise<boolean> {
  try {
    const headers = { authorization: `Bearer ${token}` }
    const { answer, via } = await balancer.open({ path: EVENTS, from: attempt.from, headers, signal })
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
