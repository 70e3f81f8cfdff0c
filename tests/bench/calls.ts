import { availableParallelism } from 'node:os'
import { answerOf, startPlainServer, type PlainServer, type PlainAnswer } from './plain-server.ts'
import { settle, withDatabase } from '../harness/verification.ts'
import { inHundredths, median, type Rate, rateOf } from '../harness/numbers.ts'
import { costOf, cpuMs, idleOf } from '../harness/resources.ts'
import { insertRows } from './ledger/ledger.ts'
import { type Cost, type MeasuredPortal, withMeasuredPortal } from './bench-portal.ts'
import { benchNotices } from './notices.ts'
import { requestsOf, thePlayers } from './processes.ts'
import { steadyLoad, type Ready } from './steady-load.ts'

const CONNECTIONS = 16
const WARM_UP_SECONDS = 3
const DELIVERED_MS_MAX = 60_000

/** Processor time of one answer in all, with what it sets off. */
const CPU_MS_MAX = { posts: 0.25, verify: 0.8, statement: 1.5, purchase: 8 }
const STATEMENTS_MAX = { posts: 0.1, verify: 1.1, statement: 2 }
type Call = keyof typeof CPU_MS_MAX

const CALLS = Object.keys(CPU_MS_MAX) as Call[]

type Taken = Rate & Cost
type Yardstick = { perSecond: number; cpuMs: number }
type CallFigures = Taken & {
  /** Node's own server with the same bytes, in turn with it. */
  plain: Yardstick
  ofPlainRate: number
  cpuMs: number
}

/** The four calls that players' pages make all the time, and what one of each costs. */
export async function benchCalls(options: { pairs: number; seconds: number }) {
  return withMeasuredPortal(async (measured) => {
    const { portal } = measured
    const requests = requestsOf(await thePlayers(portal))
    const ready: Record<Call, () => Ready> = requests
    const plain = await startPlainServer(await answersOf(new URL(portal.url), ready))
    try {
      const figures = await measure(measured, { ready, plain, ...options })
      const notices = await benchNotices(measured, { notices: 50 * options.pairs * 2, perSecond: 50 })
      const isWithin =
        notices.isWithin &&
        CALLS.every((call) => figures.calls[call].cpuMs <= CPU_MS_MAX[call]) &&
        (['posts', 'verify', 'statement'] as const).every(
          (call) => figures.calls[call].statements <= STATEMENTS_MAX[call],
        )
      return { cores: availableParallelism(), pairs: options.pairs, ...figures, notices, isWithin }
    } finally {
      plain.end()
    }
  })
}

type Options = { ready: Record<Call, () => Ready>; plain: PlainServer; pairs: number; seconds: number }

async function measure(measured: MeasuredPortal, { ready, plain, pairs, seconds }: Options) {
  const portal = new URL(measured.portal.url)
  for (const call of CALLS)
    await steadyLoad({
      url: portal,
      next: ready[call],
      connections: CONNECTIONS,
      seconds: WARM_UP_SECONDS,
    })
  await delivered(measured)
  // As autovacuum does each minute: until then plans are those of tables that were empty.
  await measured.gatherStatistics()
  const idle = await idleOf(measured.spent)
  const taken = {} as Record<Call, Taken[]>
  const yardsticks = {} as Record<Call, Yardstick[]>
  const rows: number[] = []
  for (let pair = 0; pair < pairs; pair++) {
    for (const call of CALLS) {
      const both = [
        async () => (taken[call] ??= []).push(await take(measured, ready[call], { seconds, idle })),
        async () => (yardsticks[call] ??= []).push(await takePlain(plain, ready[call], seconds)),
      ]
      for (const one of pair % 2 === 0 ? both : both.toReversed()) await one()
    }
    rows.push(await insertRows(measured.yardUrl, seconds * 1_000))
  }
  const calls = Object.fromEntries(CALLS.map((call) => [call, figuresOf(taken[call], yardsticks[call])]))
  return { calls: calls as Record<Call, CallFigures>, rowInserts: median(rows) }
}

function figuresOf(taken: readonly Taken[], yardsticks: readonly Yardstick[]): CallFigures {
  const of = (read: (one: Taken) => number) => inHundredths(median(taken.map(read)))
  const ofPlainRate = median(
    taken.map(({ perSecond }, pair) => perSecond / (yardsticks[pair]?.perSecond ?? 0)),
  )
  return {
    perSecond: of((one) => one.perSecond),
    p50Ms: of((one) => one.p50Ms),
    p99Ms: of((one) => one.p99Ms),
    nodeMs: of((one) => one.nodeMs),
    postgresMs: of((one) => one.postgresMs),
    statements: of((one) => one.statements),
    plain: {
      perSecond: median(yardsticks.map((one) => one.perSecond)),
      cpuMs: inHundredths(median(yardsticks.map((one) => one.cpuMs))),
    },
    ofPlainRate: inHundredths(ofPlainRate),
    cpuMs: of((one) => one.nodeMs + one.postgresMs),
  }
}

async function take(
  measured: MeasuredPortal,
  next: () => Ready,
  { seconds, idle }: { seconds: number; idle: Cost },
): Promise<Taken> {
  const url = new URL(measured.portal.url)
  const { cost, load } = await costOf(measured.spent, idle, async () => {
    const answered = await steadyLoad({ url, next, connections: CONNECTIONS, seconds })
    if (answered.failed > 0) throw new Error(`${answered.failed} of ${answered.answered} were refused`)
    await delivered(measured)
    return answered
  })
  const { p50Ms, p99Ms } = rateOf(load.latenciesMs, load.seconds * 1_000)
  return { perSecond: Math.round(load.perSecond), p50Ms, p99Ms, ...cost }
}

/** Waits until everything that was bought is with its character. */
async function delivered({ ownerUrl }: MeasuredPortal): Promise<void> {
  const seconds = await withDatabase(ownerUrl, (db) => settle(db, DELIVERED_MS_MAX))
  if (seconds >= DELIVERED_MS_MAX / 1_000) throw new Error('deliveries were not done in time')
}

async function takePlain({ url, pids }: PlainServer, next: () => Ready, seconds: number): Promise<Yardstick> {
  const before = await cpuMs(pids)
  const load = await steadyLoad({ url, next, connections: CONNECTIONS, seconds })
  return {
    perSecond: Math.round(load.perSecond),
    cpuMs: ((await cpuMs(pids)) - before) / load.answered,
  }
}

/** What the portal answers each call, by its path. */
async function answersOf(
  portal: URL,
  ready: Record<Call, () => Ready>,
): Promise<Record<string, PlainAnswer>> {
  const answers: Record<string, PlainAnswer> = {}
  for (const call of CALLS) {
    const request = ready[call]().toString('latin1')
    const [head = '', content = ''] = request.split('\r\n\r\n')
    const [line = '', ...lines] = head.split('\r\n')
    const [method = '', path = ''] = line.split(' ')
    const headers = lines.map((each) => each.split(': ') as [string, string])
    answers[path] = await answerOf(new URL(path, portal), {
      method,
      headers: headers.filter(([name]) => !/^(host|content-length|accept-encoding)$/.test(name)),
      ...(content === '' ? {} : { body: content }),
    })
  }
  return answers
}
