import type { Client, ClientBase, QueryResult } from 'pg'

/** How often a text is sent before it is prepared on a server: only what is sent all the time is worth its memory. */
const SENT_BEFORE = 10
const NAMED_MAX = 200
/** Texts that are still counted. Some differ with each request, such as a search's; they never get that far. */
const COUNTED_MAX = 1_000
/**
 * A search: for a pattern that it does not know PostgreSQL may plan to read the whole table (975 ms instead of 6 for a
 * player among a million).
 */
const HAS_PATTERN = /\b(?:i?like|similar\s+to)\b|~/i
/** What a star stands for changes with the next migration, and a server does not run such a statement again after it. */
const HAS_STAR = /(?:\bselect|\breturning|\.)\s*\*/i

/** The names of a pool's prepared statements: a text has the same name on all of its connections. */
function statementNames() {
  const named = new Map<string, string>()
  const counted = new Map<string, number>()
  let names = 0
  return {
    /** The name under which a server may prepare a statement; undefined for one that is sent seldom. */
    nameOf(text: string): string | undefined {
      const name = named.get(text)
      if (name !== undefined || named.size >= NAMED_MAX) return name
      const sent = (counted.get(text) ?? 0) + 1
      // Looked at once: a text with a star or a pattern has passed the number by the next time.
      if (sent === SENT_BEFORE + 1 && !HAS_STAR.test(text) && !HAS_PATTERN.test(text)) {
        counted.delete(text)
        named.set(text, `portal-${++names}`)
        return named.get(text)
      }
      if (counted.size >= COUNTED_MAX) counted.clear()
      counted.set(text, sent)
      return undefined
    },
    /** What the servers prepared under its name is outdated; it may be given another name. */
    forget: (text: string): boolean => named.delete(text),
  }
}

/** How long a statement of the portal's role may run, where its transaction sets nothing else. */
export const STATEMENT_MS = 5_000

/** How much later than its time-out on the server a statement is given up. */
const ANSWER_MS_MORE = 3_000
const RAISED = /set_config\('statement_timeout', '(\d+)s', true\)/
const ENDS = /^(commit|rollback)$/i
/**
 * PostgreSQL's function in which a commit, also that of a single statement, waits for its standby. It only warns when the
 * wait ends before, as by the statement's time-out: what was committed is lost when the standby is promoted.
 */
const STANDBY_WAIT = 'SyncRepWaitForLSN'
/** PostgreSQL's code, among others, for a prepared statement whose columns have changed. */
const OUTDATED = '0A000'
/** PostgreSQL's code for a change in a transaction that may only read. */
const ONLY_READS = '25006'

/** COMMIT was sent, and no answer says that it will last: the work may or may not have been committed. */
export class UnknownOutcome extends Error {
  constructor(cause: unknown) {
    super('the outcome of a commit is unknown', { cause })
  }
}

/** A statement that begins so is sent together with the one after it. */
export const WITH_NEXT = '/* with the next */ '
const nothing = (): QueryResult => ({ command: '', rowCount: 0, oid: 0, fields: [], rows: [] })

/** The rows of statements that wait for the next one, or were never sent. */
const unanswered = new WeakSet<readonly unknown[]>()

/** Whether the server has answered the statement whose rows these are. */
export const isAnswered = (rows: readonly unknown[]): boolean => !unanswered.has(rows)

const preparesStatements = new WeakSet<ClientBase>()

/**
 * Whether a connection leads to one server only. A pooler gives its client a process id of its own, and may send each
 * transaction to another server.
 */
export async function isServerItself(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid === (client as unknown as { processID: number }).processID
}

/** Finds out whether the server behind a new connection may prepare statements. */
export async function meetServer(client: ClientBase): Promise<void> {
  if (await isServerItself(client)) preparesStatements.add(client)
}

type Stream = { cork(): void; uncork(): void; destroy(error: Error): void }
const streamOf = (client: Client) =>
  (client as unknown as { connection: { stream: Stream } }).connection.stream

type Statement = { text: string; values?: unknown[] | undefined; answer: QueryResult }

/** The pool takes back none that is ending. */
function leave<Answer>(client: Client, answer: Answer): Answer {
  void client.end().catch(() => {})
  return answer
}

function resultOf(answer: PromiseSettledResult<QueryResult>): QueryResult {
  if (answer.status === 'rejected') throw answer.reason
  return answer.value
}

/** Puts what the server answered into the answer that was given at once. */
function fill({ rows }: QueryResult, result: QueryResult | undefined): void {
  rows.push(...(result?.rows ?? []))
  unanswered.delete(rows)
}

/** Answers the warning, if there was one, that a commit was done without the standby that it has to wait for; each once. */
function watchStandby(client: Client): () => Error | null {
  let warning: Error | null = null
  client.on('notice', (notice) => {
    if (notice.routine === STANDBY_WAIT) warning = notice as Error
  })
  return () => {
    const taken = warning
    warning = null
    return taken
  }
}

/**
 * A pool's client whose statements always come to an end. The server ends them after their time-out; when it or the
 * network in between is gone, nothing else would: TCP waits for a quarter of
 * an hour, and the connection would be missing in the pool for as long.
 *
 * What nobody waits for, BEGIN and whatever begins with `WITH_NEXT`, is held until the next statement and goes with
 * it in one write. When it fails, so does that one, with its error; the rows it is answered with are put into the answer
 * that it was given at once.
 */
export function boundedClient(kind: typeof Client, statementTimeoutMs: number): typeof Client {
  const names = statementNames()
  return class extends kind {
    #timeoutMs = statementTimeoutMs
    #held: Statement[] = []
    #isInTransaction = false
    /** It goes on refusing changes even if the setting of the database that it began with is taken back. */
    #onlyReads = false

    readonly #takeUnconfirmed = watchStandby(this)

    /** Its many shapes are those of the original; other than these there is only what pg sends by itself. */
    override query(...given: never[]): never {
      const [text, values] = given as unknown[]
      if (typeof text !== 'string') return Reflect.apply(super.query, this, given) as never
      return this.#take({ text, values: values as unknown[] | undefined, answer: nothing() }) as never
    }

    async #take(statement: Statement): Promise<QueryResult> {
      const { text, answer } = statement
      const isHeld = text.startsWith(WITH_NEXT)
      if (isHeld || text === 'begin') {
        unanswered.add(answer.rows)
        this.#held.push({ ...statement, text: isHeld ? text.slice(WITH_NEXT.length) : text })
        return answer
      }
      const before = this.#held
      this.#held = []
      const isUndone = /^rollback$/i.test(text)
      // The server knows nothing of a transaction that never sent anything.
      if (before[0]?.text === 'begin' && (isUndone || (ENDS.test(text) && before.length === 1))) return answer
      if (!isUndone) return this.#send([...before, statement])
      // Undone it is in any case, by the end of the connection at the latest; what led to it is the error to report.
      return this.#send([statement]).catch(() => leave(this, answer))
    }

    async #send(statements: Statement[]): Promise<QueryResult> {
      const stream = streamOf(this)
      stream.cork()
      const sent = statements.map((statement) => this.#inTime(this.#queue(statement), statement.text))
      stream.uncork()
      const answers = await Promise.allSettled(sent)
      const unconfirmed = this.#takeUnconfirmed()
      const results = answers.map(resultOf)
      if (unconfirmed !== null) throw new UnknownOutcome(unconfirmed)
      for (const [index, { answer }] of statements.entries()) fill(answer, results[index])
      return results.at(-1) as QueryResult
    }

    #queue({ text, values }: Statement): Promise<QueryResult> {
      const name = values?.length && preparesStatements.has(this) ? names.nameOf(text) : undefined
      return name === undefined
        ? super.query(text, values)
        : super.query({ name, text, values: values ?? [] })
    }

    async #inTime<Answer>(answer: Promise<Answer>, text: string): Promise<Answer> {
      const raised = RAISED.exec(text)?.[1]
      if (raised !== undefined) this.#timeoutMs = Number(raised) * 1_000
      const timer = setTimeout(() => this.#giveUp(), this.#timeoutMs + ANSWER_MS_MORE)
      try {
        return await answer
      } catch (error) {
        // A migration changed a column meanwhile. Under another name it is prepared again, on every connection.
        const { code } = error as { code?: unknown }
        if (code === OUTDATED) names.forget(text)
        this.#onlyReads ||= code === ONLY_READS
        throw error
      } finally {
        clearTimeout(timer)
        if (ENDS.test(text)) this.#timeoutMs = statementTimeoutMs
        this.#isInTransaction = text === 'begin' || (this.#isInTransaction && !ENDS.test(text))
        if (this.#onlyReads && !this.#isInTransaction) leave(this, null)
      }
    }

    /** The statement fails like one of a lost connection, and the pool drops the client. */
    #giveUp(): void {
      streamOf(this).destroy(new Error('Query read timeout: the database does not answer'))
    }
  }
}
