export type QueryKey = readonly unknown[]

/** What a read may ask for besides. */
type Reader = { ensureQueryData: <T>(query: Query<T>) => Promise<T> }

/** A read: its key, how it is made, and how long its answer is good for. */
export type Query<T> = {
  queryKey: QueryKey
  queryFn: (context: { client: Reader }) => Promise<T>
  /** An answer of this age is read again when it is shown anew. */
  staleTime?: number
  /** How long an answer that nobody shows is kept. */
  gcTime?: number
  retry?: boolean
  /** Makes the answer that is kept out of the known one and a new one. */
  structuralSharing?: (known: unknown, read: unknown) => unknown
}

export type QueryState<T> = {
  data: T | undefined
  dataUpdatedAt: number
  error: Error | null
  status: 'pending' | 'success' | 'error'
  /** Paused: there is no network, and the read waits for it. */
  fetchStatus: 'idle' | 'fetching' | 'paused'
  /** It was answered, or has failed, once. */
  isFetched: boolean
  /** Something has changed since: it is read again when it is shown next. */
  isInvalidated: boolean
}

/** Who shows an answer. Without a read, nothing is wanted now. */
type Observer<T> = { wanted: () => Query<T> | undefined; onChange: () => void }

/** The cache that an entry is in. */
type Cache = {
  client: Reader
  /** Pages are rendered once: nothing is read twice, and nothing is kept for later. */
  isServer: boolean
  /** Whether a failed read is worth another try. */
  isPassing: (error: unknown) => boolean
  onError: ((error: unknown) => void) | undefined
  onChange: () => void
  remove: () => void
}

const FRESH_MS = 60_000
const KEPT_MS = 300_000
const RETRY_MS = 1_000

/** One answer: what is known of it, how it is read, and who shows it. */
export class QueryEntry<T> {
  readonly queryKey: QueryKey
  state: QueryState<T> = {
    data: undefined,
    dataUpdatedAt: 0,
    error: null,
    status: 'pending',
    fetchStatus: 'idle',
    isFetched: false,
    isInvalidated: false,
  }
  query: Query<T> | undefined
  readonly #cache: Cache
  readonly #observers = new Set<Observer<T>>()
  #running: Promise<T> | undefined
  /** Of the read that counts: an older one, or one that was called off, finds another here. */
  #turn = 0
  #removal: ReturnType<typeof setTimeout> | undefined

  constructor(queryKey: QueryKey, cache: Cache) {
    this.queryKey = queryKey
    this.#cache = cache
  }

  change(state: Partial<QueryState<T>>): void {
    this.state = { ...this.state, ...state }
    for (const { onChange } of this.#observers) onChange()
    this.#cache.onChange()
  }

  setData(read: T, state: Partial<QueryState<T>> = {}): void {
    const share = this.query?.structuralSharing ?? keepSame
    this.change({
      data: share(this.state.data, read) as T,
      dataUpdatedAt: Date.now(),
      error: null,
      status: 'success',
      isFetched: true,
      isInvalidated: false,
      ...state,
    })
    this.#keepForNow()
  }

  isStale({ staleTime = FRESH_MS }: Query<T>): boolean {
    const { data, isInvalidated, dataUpdatedAt } = this.state
    return data === undefined || isInvalidated || Date.now() - dataUpdatedAt >= staleTime
  }

  /** Begins to read, unless a read is under way; `isAnew`: also then, and the answer of that one counts for nothing. */
  read(query: Query<T>, isAnew = false): Promise<T> {
    if (this.#running && !(isAnew && this.state.data !== undefined)) return this.#running
    this.query = query
    this.#turn += 1
    this.#running = this.#answer(query, this.#turn)
    return this.#running
  }

  /** A failure is in the state. */
  async readQuietly(query: Query<T>, isAnew = false): Promise<void> {
    await this.read(query, isAnew).catch(() => undefined)
  }

  /** Reads now, whatever is known. Stable, so that components may use it. */
  readAnew = async (): Promise<void> => {
    if (this.query) await this.readQuietly(this.query, true)
  }

  /** Reads again at once where it is shown, otherwise when it is shown next. */
  async invalidate(): Promise<void> {
    this.change({ isInvalidated: true })
    const wanted = [...this.#observers].map((one) => one.wanted()).find((query) => query !== undefined)
    if (wanted) await this.readQuietly(wanted, true)
  }

  /** An answer that is still on its way counts for nothing. */
  cancel(): void {
    if (!this.#running) return
    this.#running = undefined
    this.#turn += 1
    this.change({ fetchStatus: 'idle' })
  }

  /** The returned function ends it. */
  observe(observer: Observer<T>): () => void {
    clearTimeout(this.#removal)
    this.#observers.add(observer)
    return () => {
      this.#observers.delete(observer)
      this.#keepForNow()
    }
  }

  async #answer(query: Query<T>, turn: number): Promise<T> {
    this.change({
      fetchStatus: 'fetching',
      ...(this.state.data === undefined && { error: null, status: 'pending' }),
    })
    try {
      const answer = await this.#attempt(query, turn)
      if (turn === this.#turn) {
        this.#running = undefined
        this.setData(answer, { fetchStatus: 'idle' })
      }
      return answer
    } catch (error) {
      if (turn === this.#turn) {
        this.#running = undefined
        this.change({ error: error as Error, status: 'error', fetchStatus: 'idle', isFetched: true })
        this.#cache.onError?.(error)
        this.#keepForNow()
      }
      throw error
    }
  }

  async #attempt(query: Query<T>, turn: number): Promise<T> {
    const { client, isServer, isPassing } = this.#cache
    await this.#network(turn)
    try {
      return await query.queryFn({ client })
    } catch (error) {
      if (isServer || query.retry === false || turn !== this.#turn || !isPassing(error)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    await this.#network(turn)
    return query.queryFn({ client })
  }

  async #network(turn: number): Promise<void> {
    if (navigator.onLine !== false) return
    this.change({ fetchStatus: 'paused' })
    await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
    if (turn === this.#turn) this.change({ fetchStatus: 'fetching' })
  }

  /** What nobody shows is forgotten after a while. */
  #keepForNow(): void {
    clearTimeout(this.#removal)
    if (this.#cache.isServer || this.#observers.size > 0 || this.#running) return
    this.#removal = setTimeout(this.#cache.remove, this.query?.gcTime ?? KEPT_MS)
  }
}

/** Answers are JSON: one that says the same leaves what is shown as it is. */
const keepSame = (known: unknown, read: unknown) =>
  known !== undefined && known !== read && JSON.stringify(known) === JSON.stringify(read) ? known : read
