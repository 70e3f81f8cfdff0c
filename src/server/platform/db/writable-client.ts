import { Client, type ClientConfig } from 'pg'

/**
 * Several hosts in one address, of which the one that takes writes is meant. `URL` reads no such authority, so inside the
 * program the first host stands in its place and all of them in this parameter, which pg ignores.
 */
const HOSTS = 'hosts'
const DEFAULT_PORT = 5432

export type Host = { host: string; port: number }

const AUTHORITY = /^(\w+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s
const ONE_HOST = /^(\[[\da-f:.]+\]|[^:,[\]]+)(?::(\d{1,5}))?$/i

/** `postgres://role:password@one:5432,two:5432/portal` as `URL` can read it; null when a host is not to be understood. */
export function joinHosts(text: string): string | null {
  const [, start = '', authority = '', rest = ''] = AUTHORITY.exec(text) ?? []
  const written = authority.split(',')
  if (written.length === 1) return text
  const hosts = written.map(hostOf)
  if (hosts.includes(null) || !URL.canParse(`${start}${written[0]}${rest}`)) return null
  const url = new URL(`${start}${written[0]}${rest}`)
  url.searchParams.set(HOSTS, written.join(','))
  return url.href
}

function hostOf(text: string): Host | null {
  const [, host, port = String(DEFAULT_PORT)] = ONE_HOST.exec(text) ?? []
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) return null
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }
}

/** The hosts an address may mean; empty where it means the one it names, whatever that one is. */
export function hostsOf(url: string): Host[] {
  const { searchParams, hostname, port } = new URL(url)
  const several = searchParams.get(HOSTS)
  if (several !== null) return several.split(',').flatMap((text) => hostOf(text) ?? [])
  if (searchParams.get('target_session_attrs') !== 'read-write') return []
  return [
    { host: decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1'), port: Number(port) || DEFAULT_PORT },
  ]
}

/** As people read it. */
export function namesOfHosts(url: string): string {
  const { searchParams, host } = new URL(url)
  return searchParams.get(HOSTS)?.replaceAll(',', ' or ') ?? decodeURIComponent(host)
}

/** How long one host is waited for while it is looked for the one that takes writes. */
const LOOK_MS_MAX = 2_000

/** What this process knows of the hosts of one address: the one that took writes last, and a search under way. */
type Known = { writable: Host | null; search: Promise<Host> | null }

const knownOf = new Map<string, Known>()

function known(hosts: readonly Host[]): Known {
  const key = hosts.map(({ host, port }) => `${host}:${port}`).join()
  const found = knownOf.get(key) ?? { writable: null, search: null }
  knownOf.set(key, found)
  return found
}

const isSame = (one: Host | null, other: Host) => one?.host === other.host && one.port === other.port

/** pg has no promise and no type for these: a server from PostgreSQL 14 on reports them at the start, and each change. */
type Reported = { parameterName: string; parameterValue: string }
type Inner = { on(event: 'parameterStatus', listener: (reported: Reported) => void): void }
/** Stands for the timeline of a server that is only read from. */
const REFUSES_WRITES = -1
const READ_ONLY = new Set(['in_hot_standby', 'default_transaction_read_only'])

/** No host of the address takes writes now. */
export class NoWritableHost extends Error {
  readonly code = '57P03'

  constructor(hosts: readonly Host[]) {
    super(`of ${hosts.map(({ host, port }) => `${host}:${port}`).join(', ')} none takes writes`)
  }
}

/**
 * A connection to the one host of several that takes writes: libpq's `target_session_attrs=read-write`, which pg 8 does
 * not know. That host is cached until a connection to it fails or ends; then all hosts are queried at once. A
 * server that refuses writes, from the start or from some moment on, is left, so that nothing is ever written to it.
 */
export class WritableClient extends Client {
  readonly #hosts: Host[]
  readonly #known: Known
  readonly #readOnly = new Map<string, boolean>()
  #isOpen = false

  constructor(config: ClientConfig & { connectionString: string }) {
    super({ connectionTimeoutMillis: 5_000, ...config })
    this.#hosts = hostsOf(config.connectionString)
    this.#known = known(this.#hosts)
    ;(this as unknown as { connection: Inner }).connection.on('parameterStatus', (reported) =>
      this.#note(reported),
    )
    this.on('error', () => this.#forget())
  }

  override connect(): Promise<Client>
  override connect(callback: ((error: Error) => void) | ((error: null, client: Client) => void)): void
  override connect(callback?: unknown): Promise<Client> | void {
    const connected = this.#connect()
    if (typeof callback !== 'function') return connected
    const report = callback as (error: Error | null, client?: Client) => void
    connected.then(
      (client) => report(null, client),
      (error: Error) => report(error),
    )
  }

  async #connect(): Promise<Client> {
    const { host, port } = this.#known.writable ?? (await this.#search())
    Object.assign(this, { host, port })
    try {
      await super.connect()
      if (!(await this.#takesWrites())) throw new NoWritableHost([{ host, port }])
    } catch (error) {
      this.#forget()
      this.#cut()
      throw error
    }
    this.#isOpen = true
    return this
  }

  async #takesWrites(): Promise<boolean> {
    if (this.#readOnly.size === READ_ONLY.size) return ![...this.#readOnly.values()].includes(true)
    // A pooler reports less than its server.
    const { rows } = await this.query<{ transaction_read_only: string }>('SHOW transaction_read_only')
    return rows[0]?.transaction_read_only === 'off'
  }

  #note({ parameterName, parameterValue }: Reported): void {
    if (!READ_ONLY.has(parameterName)) return
    this.#readOnly.set(parameterName, parameterValue === 'on')
    if (!this.#isOpen || parameterValue !== 'on') return
    this.#forget()
    this.#cut()
  }

  /** Its running statements fail as on any lost connection. */
  #cut(): void {
    ;(this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
  }

  /** Only its own host: another connection may have found the new one meanwhile. */
  #forget(): void {
    if (isSame(this.#known.writable, { host: this.host, port: this.port })) this.#known.writable = null
  }

  /** One search for all who wait. */
  #search(): Promise<Host> {
    this.#known.search ??= this.#findWritable().finally(() => (this.#known.search = null))
    return this.#known.search
  }

  async #findWritable(): Promise<Host> {
    const attempts = await Promise.allSettled(this.#hosts.map((host) => this.#timelineOf(host)))
    const timelines = attempts.map((attempt) =>
      attempt.status === 'fulfilled' ? attempt.value : REFUSES_WRITES,
    )
    const best = Math.max(...timelines)
    const found = this.#hosts[timelines.indexOf(best)]
    if (best !== REFUSES_WRITES && found !== undefined) {
      this.#known.writable = found
      return found
    }
    const reasons = attempts.map((attempt) => (attempt.status === 'rejected' ? attempt.reason : null))
    // A password that none accepts, or a database that none has, is what to report, not that all of them only read.
    if (reasons.every((reason) => /^(28|3D)/.test(reason?.code ?? ''))) throw reasons[0]
    throw new NoWritableHost(this.#hosts)
  }

  /** Goes up with each promotion: of two that both take writes, the former primary has the lower one. */
  async #timelineOf(host: Host): Promise<number> {
    const { user, password, database, ssl } = this as unknown as ClientConfig
    const client = new Client({
      ...host,
      ...(user === undefined ? {} : { user }),
      ...(password === undefined ? {} : { password }),
      ...(database === undefined ? {} : { database }),
      ...(ssl === undefined ? {} : { ssl }),
      application_name: 'cong-ninja look',
      connectionTimeoutMillis: LOOK_MS_MAX,
      query_timeout: LOOK_MS_MAX,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ timeline: number }>(
        `SELECT CASE WHEN current_setting('transaction_read_only') = 'on' THEN ${REFUSES_WRITES}
                     ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS timeline`,
      )
      return rows[0]?.timeline ?? REFUSES_WRITES
    } finally {
      // A host that hangs must not be waited for once more.
      void client.end().catch(() => {})
    }
  }
}

/** The client for an address: one that searches the host that takes writes where the address requires that. */
export const clientOf = (url: string): typeof Client =>
  hostsOf(url).length === 0 ? Client : (WritableClient as typeof Client)
