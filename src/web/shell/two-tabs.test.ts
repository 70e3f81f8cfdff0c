import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { storeExchange } from '#contract/exchange.ts'
import { everyNth } from '#tests/support/test-run.ts'
import { Browser, Server, type Name, type Tab } from './testing/two-tabs.ts'

let server: Server
let browser: Browser

beforeEach(() => {
  server = new Server()
  browser = new Browser(server)
})

afterEach(() => browser.close())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

const signIn = (tab: Tab, name: Name) =>
  tab.within(() =>
    tab.openSession(async () => ({ access_token: server.openSession(name) })).catch(() => null),
  )

const shown = (tab: Tab) => tab.session.get().user?.id as Name | undefined

const walletOf = ({
  balance,
  balance_version,
}: {
  balance: number
  balance_version?: number | undefined
}) => ({
  balance,
  balance_version,
})

let keys = 0

/** A purchase by whoever is shown, with the end that the page tells of. */
async function buy(tab: Tab) {
  const of = shown(tab)
  const body = { of } as never
  const send = () => tab.retriedCall('exchange')(storeExchange, { body, idempotencyKey: `key-${++keys}` })
  const answer = await tab.within(send).catch((error: { status: number; message: string }) => error)
  if ('balance' in answer) tab.within(() => tab.patchUser(walletOf(answer)))
  return { of, answer, shownThen: shown(tab) }
}

test('a purchase that broke off is not repeated for who has signed in meanwhile, and is when its player is back', async () => {
  const one = await browser.open('1')
  const other = await browser.open('2')
  void signIn(one, 'an')
  await pass(50)
  expect(shown(other)).toBe('an')
  server.way = () => ({ there_ms: 5, back_ms: 5, cut: 'after' })
  const bought = buy(one)
  await pass(50)
  server.way = () => ({ there_ms: 5, back_ms: 5, cut: null })
  void signIn(other, 'binh')
  await pass(20_000)
  expect(await bought).toMatchObject({ of: 'an', answer: { status: 441 } })
  expect(server.sent.filter(({ by }) => by === 'binh')).toEqual([])
  expect(shown(one)).toBe('binh')

  void signIn(one, 'an')
  await pass(20_000)
  const sent = server.sent.filter(({ path }) => path === '/api/exchange/store')
  expect(sent).toHaveLength(2)
  expect(new Set(sent.map(({ by, of, key }) => `${by} ${of} ${key}`)).size).toBe(1)
})

test('another tab’s sign-in is seen before the next act, however late its event comes', async () => {
  browser.eventDelay_ms = () => 60_000
  const one = await browser.open('1')
  const other = await browser.open('2')
  void signIn(one, 'an')
  await pass(50)
  void signIn(other, 'binh')
  await pass(50)
  const bought = buy(one)
  await pass(50)
  expect(await bought).toMatchObject({
    of: 'an',
    answer: { status: 440 },
  })
  expect(server.sent).toEqual([])
  expect(shown(one)).toBe('binh')

  // What was not sent is not bought later.
  void signIn(one, 'an')
  await pass(20_000)
  expect(server.sent).toEqual([])
})

test('another tab’s sign-out is seen before the next act, and what is verified late signs nobody in again', async () => {
  browser.eventDelay_ms = () => 60_000
  const one = await browser.open('1')
  const other = await browser.open('2')
  void signIn(one, 'an')
  await pass(50)
  other.within(() => void other.resumeSession())
  await pass(50)
  one.within(() => one.closeSession())
  const bought = buy(other)
  await pass(50)
  expect(await bought).toMatchObject({ answer: { status: 440 } })
  expect(shown(other)).toBeUndefined()
  expect(other.session.get().status).toBe('anonymous')
})

test('an expired session that this tab gives up does not end the one that another tab has opened', async () => {
  browser.eventDelay_ms = () => 60_000
  const one = await browser.open('1')
  const other = await browser.open('2')
  void signIn(one, 'an')
  await pass(50)
  void signIn(other, 'binh')
  await pass(50)
  one.within(() => one.closeSession())
  expect(localStorage.getItem('auth-react-v')).toContain('binh')
})

test('a session that cannot be verified is asked for by one timer, however often it is resumed', async () => {
  const one = await browser.open('1')
  void signIn(one, 'an')
  await pass(50)
  one.close()
  let asked = 0
  server.way = () => ({ there_ms: 0, back_ms: 0, cut: (asked++, 'before') })
  const again = await browser.open('1')
  for (let round = 0; round < 5; round += 1) again.within(() => void again.resumeSession())
  await pass(10)
  expect(asked).toBe(1)
  await pass(16_000)
  expect(asked).toBe(5)
  again.within(() => again.closeSession())
  await pass(60_000)
  expect(asked).toBe(5)
})

test('an older balance does not come back, neither by a late answer nor by that of a repeated call', async () => {
  const tab = await browser.open('1')
  void signIn(tab, 'an')
  await pass(50)
  const shownBalance = () => tab.session.get().user?.balance
  const read = (back_ms: number) => {
    server.way = () => ({ there_ms: 0, back_ms, cut: null })
    tab.within(() => void tab.refreshUser())
  }
  read(5_000)
  await pass(10)
  server.move('an', 2_000)
  read(10)
  await pass(100)
  expect(shownBalance()).toBe(1_002_000)
  await pass(10_000)
  expect(shownBalance()).toBe(1_002_000)
  tab.within(() => tab.patchUser({ balance: 1_000_000, balance_version: 1, activated: false }))
  expect(tab.session.get().user).toMatchObject({ balance: 1_002_000, activated: false })
})

/** The same numbers for the same seed. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const STEPS = 25

test('two tabs, two players and cut connections, in 200 random orders', async () => {
  const faults: string[] = []
  for (const seed of everyNth(
    Array.from({ length: 200 }, (_, seed) => seed),
    5,
  )) {
    faults.push(...(await inRandomOrder(seed)).map((fault) => `seed ${seed}: ${fault}`))
    browser.close()
    server = new Server()
    browser = new Browser(server)
  }
  expect(faults).toEqual([])
})

/** What went wrong. */
async function inRandomOrder(seed: number): Promise<string[]> {
  const next = random(seed * 7_919 + 1)
  const below = (end: number) => Math.floor(next() * end)
  const chance = (share: number) => next() < share
  server.way = () => ({
    there_ms: below(400),
    back_ms: below(400),
    cut: chance(0.2) ? (chance(0.5) ? 'before' : 'after') : null,
  })
  browser.eventDelay_ms = () => below(1_500)
  const tabs = [await browser.open('1'), await browser.open('2')]
  const known: Known = new Map()
  const faults: string[] = []
  const watch = (tab: Tab) => tab.session.subscribe(() => faults.push(...faultsOf(tab, known)))
  tabs.forEach(watch)

  const ends: ReturnType<typeof buy>[] = []
  for (let step = 0; step < STEPS; step += 1) {
    const at = below(2)
    const tab = tabs[at] as Tab
    const name: Name = chance(0.5) ? 'an' : 'binh'
    const act = below(9)
    if (act <= 2 && tab.session.get().status === 'player') ends.push(buy(tab))
    if (act === 3) void signIn(tab, name)
    if (act === 4) tab.within(() => tab.closeSession())
    if (act === 5) server.move(name, chance(0.5) ? 1_000 + below(1_000) : -below(1_000) - 1)
    if (act >= 6 && act <= 7) tab.within(() => void tab.refreshUser())
    if (act === 8) {
      tab.close()
      tabs[at] = await browser.open(tab.state.id, tab.state.stored)
      watch(tabs[at] as Tab)
    }
    await pass(below(700))
  }
  server.way = () => ({ there_ms: 1, back_ms: 1, cut: null })
  await pass(60_000)
  for (const tab of tabs) tab.within(() => void tab.refreshUser())
  await pass(10)

  for (const { by, of, path } of server.sent) {
    if (by !== null && of !== null && by !== of) faults.push(`${path} of ${of} was sent by ${by}`)
  }
  const [one, other] = tabs.map(({ session }) => session.get())
  if (one?.token !== other?.token) faults.push('the tabs have different sessions')
  for (const state of [one, other]) {
    if (!state || !['anonymous', 'player'].includes(state.status)) faults.push(`${state?.status} at the end`)
    if (state?.user && state.user.balance !== server.accounts[state.user.id as Name].balance)
      faults.push('an old balance at the end')
  }
  for (const { of, answer, shownThen } of await settled(ends)) {
    const { of: answered = of } = answer as { of?: Name }
    if (answered !== of) faults.push(`${of} was given the answer of ${answered}`)
    if ('of' in answer && shownThen !== of) faults.push(`${shownThen} was shown the answer of ${of}`)
  }
  return faults
}

/** Those of documents that were closed have no end. */
const settled = async <T>(ends: Promise<T>[]): Promise<T[]> =>
  (await Promise.all(ends.map((end) => Promise.race([end, Promise.resolve(null)])))).filter(
    (end) => end !== null,
  )

type Known = Map<Tab, { token: string | null; version: number }>

/** What is wrong with what a tab shows: another's player, or a balance older than the one before. */
function faultsOf(tab: Tab, known: Known): string[] {
  const { user, token } = tab.session.get()
  if (!user) return []
  const version = server.balances.get(`${user.id} ${user.balance}`) ?? 0
  const before = known.get(tab)
  known.set(tab, { token, version })
  return [
    ...(server.ownerOf(token) === user.id ? [] : [`${user.id} is shown with the session ${token}`]),
    ...(before?.token === token && version < before.version
      ? [`version ${version} of ${user.id} after ${before.version}`]
      : []),
  ]
}
