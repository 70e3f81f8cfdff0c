import { fetchAnswer } from '../harness/client.ts'
import { countsOf, secondsSince, seeded, type Random } from '../harness/numbers.ts'
import { isVerified, reconciled, settle, shown } from '../harness/verification.ts'
import { insertScenario, openSetup, type Setup, type SetupOptions } from '../torture/notices/setup.ts'
import { startPortalProcess } from '#tests/support/processes.ts'
import { setSetting } from '#tests/support/settings.ts'
import { ACB } from '#tests/support/payment-keys.ts'
import type { Call } from './calls.ts'
import { findAll } from './console.ts'
import { ACCOUNTS, HOUR, Lane, LIMITS, PARTNER_CODE, RATE, type Sending } from './lanes.ts'
import { pullDays } from './lists.ts'
import { readCall } from './rules/reading.ts'
import { Rules } from './rules/rules.ts'
import { tellOfTooMany, tellStory } from './stories.ts'
import { compareLedger, compareRows, compareSums, countFates, storedRows } from './verification.ts'

export type NoticesOptions = {
  seed: number
  count: number
  lanes: number
  processes: number
  /** How many of the notices are looked for in the console, each by all that it says. */
  searches: number
  setup?: SetupOptions
}

const SETTLE_MS_MAX = 120_000

/**
 * Calls of four providers, as odd as they come, are sent to the portal's own addresses; each notice has to end as a
 * second implementation of docs/decisions/0079 says.
 */
export async function proveNotices({
  seed,
  count,
  lanes: size,
  processes,
  searches,
  setup: where = {},
}: NoticesOptions) {
  const random = seeded(seed)
  const players = Math.max(20, Math.ceil(count / 20))
  const banned = new Set(
    Array.from({ length: players }, (_, player) => player).filter(() => random.below(30) === 0),
  )
  const now = Math.floor(Date.now() / 1_000) * 1_000
  const lanes = Array.from({ length: size }, (_, at) => new Lane(random, at, { now, players }))
  fill(lanes, { count, random })
  await using cleanup = new AsyncDisposableStack()
  const setup = await openSetup(cleanup, where)
  const urls = [setup.portal.url]
  while (urls.length < processes) {
    const { environment } = setup
    const another = await startPortalProcess({ dataDir: environment.DATA_DIR, environment })
    cleanup.defer(async () => void (await another.end()))
    urls.push(another.url)
  }
  const orders = lanes.flatMap((lane) => lane.orders)
  await insertOrders(setup, { orders, players, banned })
  const rules = new Rules({
    accounts: Object.values(ACCOUNTS),
    partnerCode: PARTNER_CODE,
    rate: RATE,
    ...LIMITS,
    orders: new Map(orders.map((order) => [order.code, order])),
    banned,
  })
  const began = performance.now()
  const sent = await sendAll(urls, lanes, rules)
  // What a request left undecided is decided by the sweeper.
  const settleSeconds = await settle(setup.db, SETTLE_MS_MAX)
  const seconds = secondsSince(began)
  const days = await pullDays(
    setup,
    lanes.flatMap(({ listed }) => listed),
    rules,
  )
  const rows = await storedRows(setup.owner)
  const wrong = [
    ...sent.wrong,
    ...compareRows(rows, rules.rows, sent.atOnce),
    ...compareSums(rows, rules.rows),
    ...(await compareLedger(setup.owner, rules.rows, new Map(orders.map((order) => [order.code, order])))),
    ...(await findAll(setup, { rows, searches, random })),
  ]
  const verification = { acknowledged: rules.rows.length, books: {}, reconcile: await reconciled(setup.db) }
  const { reconcile } = shown(verification)
  return {
    seed,
    calls: sent.calls,
    notices: rules.rows.length,
    refused: sent.refused,
    days,
    seconds,
    settleSeconds,
    fates: countFates(rules.rows),
    providers: Object.fromEntries(countsOf(rules.rows.map(({ read }) => read.provider))),
    reconcile,
    wrong,
    isClean: wrong.length === 0 && isVerified(verification),
  }
}

const ODD_OF_A_HUNDRED = 12

function fill(lanes: readonly Lane[], { count, random }: { count: number; random: Random }): void {
  const [odd] = lanes as [Lane]
  const told = () =>
    lanes.reduce(
      (all, { sendings, listed }) => all + sendings.flatMap(({ calls }) => calls).length + listed.length,
      0,
    )
  if (count >= 1_000) tellOfTooMany(odd)
  while (told() < count) {
    for (let times = lanes.length; times > 0; times--) {
      const isOdd = random.below(100) < ODD_OF_A_HUNDRED
      tellStory(isOdd ? odd : random.pick(lanes), isOdd)
    }
  }
}

type People = { orders: Lane['orders']; players: number; banned: ReadonlySet<number> }

async function insertOrders(setup: Setup, { orders, players, banned }: People): Promise<void> {
  await insertScenario(setup, {
    players: Array.from({ length: players }, (_, player) => ({ isBanned: banned.has(player) })),
    orders: orders.map(({ isAtMomo, account, ...order }) => ({
      ...order,
      account,
      channel: isAtMomo ? 1 : account === ACCOUNTS.acb ? 3 : 2,
    })),
  })
  await setSetting(setup, 'bank_account_acb', JSON.stringify({ ...ACB, number: ACCOUNTS.acb }))
}

const STATUS = { right: 200, wrong: 401, old: 401, 'no json': 400 }

/** Lane beside lane; a call's notices are told to the rules when it was answered. */
async function sendAll(urls: readonly string[], lanes: readonly Lane[], rules: Rules) {
  const report = { calls: 0, refused: 0, wrong: [] as string[], atOnce: [] as string[][] }
  let turn = 0
  const send = async (call: Call) => {
    const at = new Date(Date.now() - (call.signature === 'old' ? HOUR : 0))
    const status = await post(urls[turn++ % urls.length] as string, call, at)
    const right = call.provider === 'momo' && call.signature === 'right' ? 204 : STATUS[call.signature]
    report.calls++
    if (call.signature === 'wrong' || call.signature === 'no json') report.refused++
    if (status !== right)
      report.wrong.push(`${call.provider}: ${status}, not ${right}: ${call.body.toString()}`)
  }
  const sendOne = async ({ calls }: Sending) => {
    await Promise.all(calls.map(send))
    const places: string[] = []
    for (const { provider, body, contentType, signature } of calls) {
      if (signature === 'wrong' || signature === 'no json') continue
      for (const read of readCall(provider, body, contentType)) {
        rules.tell(read, signature === 'old' ? 'stale' : 'signed', new Date())
        places.push(`${provider} ${read.id} `)
      }
    }
    if (calls.length > 1 && new Set(places).size > 1) report.atOnce.push(places)
  }
  await Promise.all(
    lanes.map(async (lane) => {
      for (const sending of lane.shuffled()) await sendOne(sending)
    }),
  )
  return report
}

async function post(
  url: string,
  { provider, body, contentType, headersAt }: Call,
  at: Date,
): Promise<number> {
  const headers = { 'content-type': contentType, ...headersAt(at) }
  const request = { method: 'POST' as const, path: `/api/webhooks/${provider}`, headers, body }
  return (await fetchAnswer(url, request, 30_000)).status
}
