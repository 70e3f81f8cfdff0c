import type { Client } from 'pg'

/** How long a statement of the portal's role may run, where its transaction says nothing else. */
export const STATEMENT_MS = 5_000

/** How much later than its time-out on the server a statement is given up. */
const ANSWER_MS_MORE = 3_000
const RAISED = /set_config\('statement_timeout', '(\d+)s', true\)/
const ENDS = /^(commit|rollback)$/i

/**
 * A pool's client whose statements always come to an end. The server ends them after their time-out; when it cannot say so
 * any more, because it or the network in between is gone without a word, nothing else would: TCP waits for a quarter of
 * an hour, and the connection would be missing in the pool for as long.
 */
export function boundedClient(kind: typeof Client, statementTimeoutMs: number): typeof Client {
  return class extends kind {
    #timeoutMs = statementTimeoutMs

    /** Its many shapes are those of the original; what is not a promise is a cursor or a callback, which no pool here uses. */
    override query(...given: never[]): never {
      const answer: unknown = Reflect.apply(super.query, this, given)
      return (answer instanceof Promise ? this.#inTime(answer, String(given[0])) : answer) as never
    }

    async #inTime<Answer>(answer: Promise<Answer>, text: string): Promise<Answer> {
      const raised = RAISED.exec(text)?.[1]
      if (raised !== undefined) this.#timeoutMs = Number(raised) * 1_000
      const timer = setTimeout(() => this.#giveUp(), this.#timeoutMs + ANSWER_MS_MORE)
      try {
        return await answer
      } finally {
        clearTimeout(timer)
        if (ENDS.test(text)) this.#timeoutMs = statementTimeoutMs
      }
    }

    /** The statement fails like one of a lost connection, and the pool drops the client. */
    #giveUp(): void {
      const { stream } = (this as unknown as { connection: { stream: { destroy(error: Error): void } } })
        .connection
      stream.destroy(new Error('Query read timeout: the database does not answer'))
    }
  }
}
