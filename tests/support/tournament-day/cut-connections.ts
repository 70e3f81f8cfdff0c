import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { vi } from 'vitest'

export type Cut = {
  /** The statement of a transaction at which its connection is ended, from 1; the last one where there are fewer. */
  at: number
  /** Whether that statement was carried out, so that only its answer is lost. */
  isAnswerLost: boolean
  /** How often; a transaction that is tried again is counted anew. */
  times: number
}

type Acting = Cut & { sent: number; done: number }

const acting = new AsyncLocalStorage<Acting>()

type Query = (this: pg.Client, ...given: unknown[]) => Promise<unknown>

/** What has to be over before the next statement of a connection is sent: they keep their order. */
const before = new WeakMap<pg.Client, Promise<unknown>>()

const textOf = ([statement]: readonly unknown[]): string =>
  typeof statement === 'string' ? statement : (statement as { text: string }).text

/**
 * Ends connections in the middle of transactions, as `pg_terminate_backend` does: `during(cut, act)` runs the act so, and
 * answers what it answers and how often it was cut. `end` takes that back.
 */
export function openCuts(adminUrl: string) {
  const send = pg.Client.prototype.query as unknown as Query
  const admin = new pg.Pool({ connectionString: adminUrl, max: 2 })
  const terminate = async (client: pg.Client) => {
    const { processID } = client as unknown as { processID: number }
    await acting.exit(() => admin.query('SELECT pg_terminate_backend($1, 5000)', [processID]))
  }
  const query = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const cut = acting.getStore()
    const waited = before.get(this)
    const go = () => Reflect.apply(send, this, given)
    const isCut = cut !== undefined && isHere(cut, textOf(given))
    if (!isCut) return (waited === undefined ? go() : waited.then(go)) as never
    cut.done++
    cut.sent = 0
    const sent = cut.isAnswerLost
      ? (waited ?? Promise.resolve()).then(go).then(async () => {
          await terminate(this)
          throw new Error('Connection terminated unexpectedly')
        })
      : (waited ?? Promise.resolve()).then(() => terminate(this)).then(go)
    before.set(
      this,
      sent.catch(() => {}),
    )
    return sent as never
  })
  return {
    async during<Answer>(
      cut: Cut | null,
      act: () => Promise<Answer>,
    ): Promise<{ answer: Answer; cuts: number }> {
      if (cut === null) return { answer: await act(), cuts: 0 }
      const state = { ...cut, sent: 0, done: 0 }
      const answer = await acting.run(state, act)
      return { answer, cuts: state.done }
    },
    async end() {
      query.mockRestore()
      await admin.end()
    },
  }
}

/** Counts the statements of a transaction, which begins anew with each BEGIN. */
function isHere(cut: Acting, text: string): boolean {
  if (/^begin/i.test(text)) cut.sent = 1
  else if (cut.sent > 0) cut.sent++
  if (cut.sent === 0 || cut.done >= cut.times) return false
  const isLast = /^commit$/i.test(text)
  const isReached = cut.sent >= cut.at || isLast
  // A statement whose answer is lost is done only if it is the last one.
  return isReached && (!cut.isAnswerLost || isLast)
}
