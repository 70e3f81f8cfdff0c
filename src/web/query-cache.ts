import { QueryEntry, type Query, type QueryKey } from '#web/query-entry.ts'

type Settings = {
  isServer: boolean
  isPassing: (error: unknown) => boolean
  onError?: ((error: unknown) => void) | undefined
}

type Named = { queryKey: QueryKey }

/**
 * What the pages have read, each answer under its key. A read that is under way is shared, and an older answer never follows a
 * newer one. Its names and rules are those of TanStack Query, which the console uses (ADR 0060).
 */
export class QueryClient {
  readonly #entries = new Map<string, QueryEntry<unknown>>()
  readonly #listeners = new Set<() => void>()
  readonly #settings: Settings

  constructor(settings: Settings) {
    this.#settings = settings
  }

  entryOf<T>(query: Named | Query<T>): QueryEntry<T> {
    const hash = JSON.stringify(query.queryKey)
    let entry = this.#entries.get(hash) as QueryEntry<T> | undefined
    if (!entry) {
      const { isServer, isPassing, onError } = this.#settings
      const made: QueryEntry<T> = new QueryEntry(query.queryKey, {
        client: this,
        isServer,
        isPassing,
        onError,
        onChange: () => {
          for (const listener of this.#listeners) listener()
        },
        remove: () => {
          if (this.#entries.get(hash) === made) this.#entries.delete(hash)
        },
      })
      entry = made
      this.#entries.set(hash, made as QueryEntry<unknown>)
    }
    if ('queryFn' in query) entry.query = query
    return entry
  }

  entries = (): QueryEntry<unknown>[] => [...this.#entries.values()]

  isFetching = (): boolean => this.entries().some(({ state }) => state.fetchStatus === 'fetching')

  /** Calls with every change of any answer. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  getQueryData<T>(queryKey: QueryKey): T | undefined {
    return this.#entries.get(JSON.stringify(queryKey))?.state.data as T | undefined
  }

  setQueryData(queryKey: QueryKey, data: unknown, { updatedAt = Date.now() } = {}): void {
    this.entryOf({ queryKey }).setData(data, { dataUpdatedAt: updatedAt })
  }

  /** Reads unless the answer is known and fresh. */
  async prefetchQuery<T>(query: Query<T>): Promise<void> {
    const entry = this.entryOf(query)
    if (entry.isStale(query)) await entry.readQuietly(query)
  }

  /** The answer that is known, however old; otherwise it is read. */
  async ensureQueryData<T>(query: Query<T>): Promise<T> {
    const entry = this.entryOf(query)
    return entry.state.data ?? entry.read(query)
  }

  async invalidateQueries({ queryKey }: Named): Promise<void> {
    await Promise.all(this.#under(queryKey).map((entry) => entry.invalidate()))
  }

  cancelQueries({ queryKey }: Named): void {
    for (const entry of this.#under(queryKey)) entry.cancel()
  }

  removeQueries({ queryKey }: Named): void {
    for (const entry of this.#under(queryKey)) this.#entries.delete(JSON.stringify(entry.queryKey))
  }

  /** The entry of this key and those whose keys begin with it. */
  #under(queryKey: QueryKey): QueryEntry<unknown>[] {
    const hash = JSON.stringify(queryKey)
    return this.entries().filter((entry) => JSON.stringify(entry.queryKey.slice(0, queryKey.length)) === hash)
  }
}
