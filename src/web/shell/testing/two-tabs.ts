import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import { vi } from 'vitest'
import { createPortalClient } from '#web/query-client.ts'

export type Name = 'an' | 'binh'

type Account = { version: number; balance: number; bought: Map<string, { balance: number; version: number }> }

/** How a request travels: its way there and back in milliseconds, and where the connection is cut. */
type Way = { there_ms: number; back_ms: number; cut: 'before' | 'after' | null }

export type Sent = { path: string; by: Name | null; of: Name | null; key: string | null }

/** The portal as far as sessions and balances are concerned. */
export class Server {
  readonly accounts: Record<Name, Account> = {
    an: { version: 1, balance: 1_000_000, bought: new Map() },
    binh: { version: 1, balance: 5_000_000, bought: new Map() },
  }
  readonly sent: Sent[] = []
  readonly balances = new Map<string, number>()
  way: () => Way = () => ({ there_ms: 5, back_ms: 5, cut: null })
  readonly #sessions = new Map<string, Name>()

  constructor() {
    this.#note('an')
    this.#note('binh')
  }

  openSession(name: Name): string {
    const token = `${name}-${this.#sessions.size}`
    this.#sessions.set(token, name)
    return token
  }

  ownerOf = (token: string | null | undefined): Name | null => this.#sessions.get(token ?? '') ?? null

  move(name: Name, amount: number): void {
    const account = this.accounts[name]
    account.balance += amount
    account.version += 1
    this.#note(name)
  }

  async answer(path: string, { headers, body }: { headers: Headers; body?: string }): Promise<Response> {
    const { there_ms, back_ms, cut } = this.way()
    await sleep(there_ms)
    if (cut === 'before') throw new TypeError('network')
    const reply = this.#act(path, headers, JSON.parse(body ?? '{}') as Record<string, string>)
    await sleep(back_ms)
    if (cut === 'after') throw new TypeError('network')
    return new Response(JSON.stringify(reply.body), { status: reply.status })
  }

  #act(path: string, headers: Headers, body: Record<string, string>): { status: number; body: object } {
    if (path === '/api/auth/verify') {
      const name = this.ownerOf(body['access_token'])
      return name ? { status: 200, body: this.#user(name) } : REFUSED
    }
    const by = this.ownerOf(headers.get('authorization')?.replace('Bearer ', ''))
    const key = headers.get('idempotency-key')
    this.sent.push({ path, by, of: (body['of'] as Name | undefined) ?? null, key })
    if (by === null) return REFUSED
    if (path !== '/api/exchange/store') return { status: 200, body: { of: by } }
    const { bought } = this.accounts[by]
    if (key !== null && !bought.has(key)) {
      this.move(by, -1)
      bought.set(key, { balance: this.accounts[by].balance, version: this.accounts[by].version })
    }
    const { balance, version } = bought.get(key ?? '') ?? { balance: 0, version: 0 }
    const delivery = { id: `of-${by}`, status: 'pending' }
    return { status: 200, body: { report: true, balance, balance_version: version, delivery, of: by } }
  }

  #user(name: Name): object {
    const { balance, version } = this.accounts[name]
    return { id: name, username: name, balance, balance_version: version, activated: true, ban_until: null }
  }

  /** Amounts repeat in no account, so that a balance tells its version. */
  #note(name: Name): void {
    const { balance, version } = this.accounts[name]
    this.balances.set(`${name} ${balance}`, version)
  }
}

const REFUSED = { status: 401, body: { code: 'UNAUTHENTICATED', message: 'x' } }

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

type TabState = {
  id: string
  isClosed: boolean
  stored: Map<string, string>
  listeners: Map<string, ((event: object) => void)[]>
}

const currentTab = new AsyncLocalStorage<TabState>()

const storageOf = (map: () => Map<string, string>, changed = (_key: string) => {}) => ({
  getItem: (key: string) => map().get(key) ?? null,
  setItem(key: string, value: string) {
    map().set(key, value)
    changed(key)
  },
  removeItem(key: string) {
    map().delete(key)
    changed(key)
  },
})

/** One browser with its tabs: each has the modules of the site for itself, all share one storage. */
export class Browser {
  readonly server: Server
  readonly tabs: TabState[] = []
  /** How late another tab learns of a change of the storage. */
  eventDelay_ms = () => 0

  constructor(server: Server) {
    this.server = server
    vi.useFakeTimers()
    const fake = setTimeout
    const shared = new Map<string, string>()
    const listen = (type: string, listener: (event: object) => void) => {
      const { listeners } = currentTab.getStore() ?? {
        listeners: new Map<string, ((event: object) => void)[]>(),
      }
      listeners.set(type, [...(listeners.get(type) ?? []), listener])
    }
    vi.stubGlobal('setTimeout', (run: () => void, ms: number) => fake(AsyncResource.bind(run), ms))
    vi.stubGlobal(
      'localStorage',
      storageOf(
        () => shared,
        (key) => this.#tell(key),
      ),
    )
    vi.stubGlobal(
      'sessionStorage',
      storageOf(() => currentTab.getStore()?.stored ?? new Map()),
    )
    vi.stubGlobal('addEventListener', listen)
    vi.stubGlobal('removeEventListener', () => {})
    vi.stubGlobal('window', globalThis)
    vi.stubGlobal('dispatchEvent', () => true)
    vi.stubGlobal('scrollTo', () => {})
    vi.stubGlobal('scrollY', 0)
    vi.stubGlobal('location', { href: 'http://portal/home', pathname: '/home', search: '', hash: '' })
    vi.stubGlobal('history', { state: null, pushState() {}, replaceState() {} })
    vi.stubGlobal('document', {
      cookie: '',
      visibilityState: 'hidden',
      addEventListener: listen,
      documentElement: { getAttribute: () => null, setAttribute() {}, removeAttribute() {} },
    })
    vi.stubGlobal('fetch', async (path: string, init: { headers: Headers; body?: string }) => {
      const tab = currentTab.getStore()
      const answer = await server.answer(path, init)
      // What belongs to a closed document goes nowhere.
      return tab?.isClosed ? new Promise<never>(() => {}) : answer
    })
  }

  /** A new tab, or the document that replaces that of a tab which is reloaded. */
  async open(id: string, stored = new Map<string, string>()) {
    const state: TabState = { id, isClosed: false, stored, listeners: new Map() }
    this.tabs.push(state)
    vi.resetModules()
    return currentTab.run(state, async () => {
      const [sessions, retried, resuming, money, keeping, watching] = await Promise.all([
        import('#web/session/session-store.ts'),
        import('#web/parts/sending/retried-call.tsx'),
        import('#web/parts/sending/resume-call.ts'),
        import('#web/session/read-money-again.ts'),
        import('#web/shell/tell-keeping.ts'),
        import('#web/shell/watch-session.ts'),
      ])
      const { browserCall } = await import('#web/browser-call.ts')
      // Loaded here: what is imported later would be the modules of the tab that was opened last.
      watching.watchSession(createPortalClient({ call: browserCall }), {
        resume: async () => resuming,
        money: async () => money,
        keeping: async () => keeping,
      })
      const within = <T>(run: () => T): T => currentTab.run(state, run)
      const close = () => {
        state.isClosed = true
        state.listeners.clear()
      }
      return { ...sessions, ...retried, browserCall, within, close, state }
    })
  }

  #tell(key: string): void {
    const writer = currentTab.getStore()
    for (const tab of this.tabs) {
      if (tab === writer || tab.isClosed) continue
      currentTab.run(tab, () =>
        setTimeout(() => {
          for (const listener of tab.listeners.get('storage') ?? []) listener({ key })
        }, this.eventDelay_ms()),
      )
    }
  }

  close(): void {
    // In this order: the timers that were there before are the fake ones.
    vi.unstubAllGlobals()
    vi.useRealTimers()
    vi.resetModules()
  }
}

export type Tab = Awaited<ReturnType<Browser['open']>>
