export type Log = {
  info(event: string, fields?: Record<string, unknown>): void
  warn(event: string, fields?: Record<string, unknown>): void
  error(event: string, error: unknown): void
}

/** One JSON object a line. Of an error its code and message: neither the driver nor we put values or secrets into them. */
export function openLog(write: (line: string) => void): Log {
  const print = (level: string, event: string, fields: Record<string, unknown> = {}) =>
    write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`)
  return {
    info: (event, fields) => print('info', event, fields),
    warn: (event, fields) => print('warn', event, fields),
    error(event, error) {
      const { code, message } =
        error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) }
      print('error', event, { ...(code === undefined ? {} : { code }), message })
    },
  }
}

const SUBJECTS_MAX = 10_000
const NAMED_AT_ONCE = 3

/** Rows that cannot be used: each is reported once, and of many found together the first few by name. */
export class UnusableRows {
  readonly #log: Log
  readonly #known = new Set<string>()

  constructor(log: Log) {
    this.#log = log
  }

  report(why: string, rows: readonly string[]): void {
    const fresh = [...new Set(rows)].filter((row) => !this.#known.has(`${why} ${row}`))
    if (fresh.length === 0 || this.#known.size >= SUBJECTS_MAX) return
    for (const row of fresh) this.#known.add(`${why} ${row}`)
    this.#log.warn(why, { count: fresh.length, first: fresh.slice(0, NAMED_AT_ONCE) })
  }
}
