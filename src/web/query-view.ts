import type { Query, QueryEntry, QueryState } from '#web/query-entry.ts'

/** How a component wants to show an answer. */
export type Shown<T> = Query<T> & {
  enabled?: boolean
  /** What is known is shown as it is, however old. */
  refetchOnMount?: false
  /** Read again whenever the page comes back to the front. */
  refetchOnWindowFocus?: 'always'
  refetchInterval?: number | false | ((known: { state: QueryState<T> }) => number | false)
  /** Until the answer is there, the one shown before stands in its place. */
  keepsPrevious?: boolean
}

export type UseQueryResult<T> = Pick<
  QueryState<T>,
  'data' | 'dataUpdatedAt' | 'error' | 'fetchStatus' | 'isFetched'
> & {
  isPending: boolean
  isError: boolean
  isRefetchError: boolean
  isFetching: boolean
  /** What is shown is the answer before. */
  isPlaceholderData: boolean
  refetch: () => Promise<void>
}

/** What one component shows of the answers: it hears of what it uses, and reads as often as it asks for. */
export class QueryView<T> {
  #shown: Shown<T>
  #before: T | undefined
  #seen: UseQueryResult<T> | undefined
  #wait_ms: number | false = false
  #timer: ReturnType<typeof setInterval> | undefined
  readonly #used = new Set<string | symbol>()

  constructor(shown: Shown<T>) {
    this.#shown = shown
  }

  /** After each rendering. */
  update(entry: QueryEntry<T>, shown: Shown<T>): void {
    this.#shown = shown
    this.#before = entry.state.data ?? this.#before
    // Another interval begins its wait anew.
    if (this.#waitFor(entry) !== this.#wait_ms) this.#poll(entry)
  }

  /** The answer as it is; each part that is read of it counts as used. */
  resultOf(entry: QueryEntry<T>): UseQueryResult<T> {
    return new Proxy(this.#result(entry), {
      get: (result, name) => {
        this.#used.add(name)
        return result[name as keyof UseQueryResult<T>]
      },
    })
  }

  /** The same for as long as nothing that is used has changed. */
  seen(entry: QueryEntry<T>): unknown {
    const now = this.#result(entry)
    const before = this.#seen
    const hasChanged = ([name, value]: [string, unknown]) =>
      this.#used.has(name) && before?.[name as keyof UseQueryResult<T>] !== value
    if (!before || Object.entries(now).some(hasChanged)) this.#seen = now
    return this.#seen
  }

  readIfDue(entry: QueryEntry<T>): void {
    const isDue = entry.state.data === undefined || this.#shown.refetchOnMount !== false
    if (isDue && entry.isStale(this.#shown)) this.#read(entry)
  }

  /** Calls with every change; the returned function ends it. */
  watch(entry: QueryEntry<T>, onChange: () => void): () => void {
    const ending = new AbortController()
    const leave = entry.observe({
      wanted: () => this.#wanted(),
      onChange: () => {
        onChange()
        this.#poll(entry)
      },
    })
    const onFront = () => {
      const isWanted = this.#shown.refetchOnWindowFocus === 'always'
      if (isWanted && document.visibilityState === 'visible') this.#read(entry)
    }
    addEventListener('online', () => entry.isStale(this.#shown) && this.#read(entry), ending)
    document.addEventListener('visibilitychange', onFront, ending)
    this.#poll(entry)
    return () => {
      ending.abort()
      clearInterval(this.#timer)
      leave()
    }
  }

  #wanted(): Query<T> | undefined {
    return this.#shown.enabled === false ? undefined : this.#shown
  }

  #read(entry: QueryEntry<T>): void {
    const wanted = this.#wanted()
    if (wanted) void entry.readQuietly(wanted)
  }

  #waitFor({ state }: QueryEntry<T>): number | false {
    const { refetchInterval = false } = this.#shown
    if (!this.#wanted()) return false
    return typeof refetchInterval === 'function' ? refetchInterval({ state }) : refetchInterval
  }

  #poll(entry: QueryEntry<T>): void {
    clearInterval(this.#timer)
    this.#wait_ms = this.#waitFor(entry)
    if (this.#wait_ms === false) return
    // A page in the background asks for nothing.
    const tick = () => document.visibilityState !== 'hidden' && this.#read(entry)
    this.#timer = setInterval(tick, this.#wait_ms)
  }

  #result(entry: QueryEntry<T>): UseQueryResult<T> {
    const { data, dataUpdatedAt, error, status, fetchStatus, isFetched } = entry.state
    const before = this.#shown.keepsPrevious ? this.#before : undefined
    const isError = status === 'error'
    const isPlaceholderData = status === 'pending' && before !== undefined
    return {
      data: isPlaceholderData ? before : data,
      dataUpdatedAt,
      error,
      fetchStatus,
      isFetched,
      isPending: status === 'pending' && !isPlaceholderData,
      isError,
      isRefetchError: isError && data !== undefined,
      isFetching: fetchStatus === 'fetching',
      isPlaceholderData,
      refetch: entry.readAnew,
    }
  }
}
