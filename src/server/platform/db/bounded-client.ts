import type { Client, ClientBase } from 'pg'
import { forgetStatement, nameOfStatement } from './named-statements.ts'

/** How long a statement of the portal's role may run, where its transaction says nothing else. */
export const STATEMENT_MS = 5_000

/** How much later than its time-out on the server a statement is given up. */
const ANSWER_MS_MORE = 3_000
const RAISED = /set_config\('statement_timeout', '(\d+)s', true\)/
const ENDS = /^(commit|rollback)$/i

/** PostgreSQL's word, among others, when the columns of a statement it kept have become others. */
const OUTDATED = '0A000'

const keepsStatements = new WeakSet<ClientBase>()

/**
 * Finds out whether a new connection leads to one server only, which then may keep statements. A pooler gives its client
 * a process id of its own, and may send each transaction to another server.
 */
export async function meetServer(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  if (rows[0]?.pid === (client as unknown as { processID: number }).processID) keepsStatements.add(client)
}

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
      const [text, values] = given as unknown[]
      const isKept =
        typeof text === 'string' && Array.isArray(values) && values.length > 0 && keepsStatements.has(this)
      const name = isKept ? nameOfStatement(text) : undefined
      const sent = name === undefined ? given : [{ name, text, values }]
      const answer: unknown = Reflect.apply(super.query, this, sent)
      return (answer instanceof Promise ? this.#inTime(answer, String(text)) : answer) as never
    }

    async #inTime<Answer>(answer: Promise<Answer>, text: string): Promise<Answer> {
      const raised = RAISED.exec(text)?.[1]
      if (raised !== undefined) this.#timeoutMs = Number(raised) * 1_000
      const timer = setTimeout(() => this.#giveUp(), this.#timeoutMs + ANSWER_MS_MORE)
      try {
        return await answer
      } catch (error) {
        // A migration changed a column meanwhile. Under another name it is prepared anew, on every connection.
        if ((error as { code?: unknown }).code === OUTDATED) forgetStatement(text)
        throw error
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
