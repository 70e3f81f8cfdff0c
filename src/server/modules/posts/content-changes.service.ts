import type { OperatorAct } from '#contract/operator/act-guards.ts'
import { actAsOperator, type ActCall } from '#server/modules/audit/index.ts'
import { contentChanges } from '#server/domain/content.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { timeToNextPost } from './posts.queries.ts'
import type { PostsDeps } from './posts.service.ts'

/** What is changed, as the audit trail keeps it and as the operator is answered. */
type Subject<Row, Answer> = {
  type: 'post' | 'category'
  audited(row: Row): unknown
  describe(row: Row): Answer | Promise<Answer>
}

/** `before` is null for a new row, `after` for a deleted one. */
type Change<Row> = { before: Row | null; after: Row | null; details?: Record<string, unknown> }

type Act<Row, Answer, Facts> = Subject<Row, Answer> & {
  action: OperatorAct
  /** What takes long, before the transaction. */
  prepare?: () => Promise<Facts>
  work(tx: Tx, facts: Facts): Promise<Change<NoInfer<Row>>>
}

/** An operator's change of what pages show; answers the row as it is now, or was when it is deleted. */
export async function changeContent<Row extends { id: string }, Answer, Facts = undefined>(
  deps: PostsDeps,
  call: ActCall,
  { action, type, audited, describe, prepare, work }: Act<Row, Answer, Facts>,
): Promise<Answer> {
  return actAsOperator<Answer, Facts>(deps, call, {
    action,
    ...(prepare && { prepare }),
    async work(tx, facts) {
      const { before, after, details } = await work(tx, facts)
      const row = (after ?? before) as Row
      if (type === 'category') await contentChanges(tx, 'categories')
      // A post says which categories it is in.
      await contentChanges(tx, 'posts')
      const states = { before: before && audited(before), after: after && audited(after) }
      return {
        answer: await describe(row),
        audit: { subject: { type, id: row.id }, details: { ...details, ...states } },
      }
    },
  })
}

/** Longer waits are measured again: timers take no more than 24 days, and clocks are corrected. */
const WAIT_MS_MAX = 600_000
const RETRY_MS = 5_000

export type Publishing = { plan(): void; close(): void }

/**
 * Calls `onPublished` in this process when the moment of a scheduled post comes. Nothing is written then, so nothing
 * notifies the processes: each waits by itself. `plan` looks again, after posts changed.
 */
export function watchPublishing(
  { db, log }: Pick<PlatformDeps, 'db' | 'log'>,
  onPublished: () => void,
): Publishing {
  let timer: NodeJS.Timeout | undefined
  let newest = 0

  async function plan(): Promise<void> {
    const plan = ++newest
    const wait = await timeToNextPost(db).catch((error: unknown) => {
      log.warn({ err: error }, 'the next scheduled post is not known yet')
      return 'unknown' as const
    })
    // A later plan knows more.
    if (plan !== newest) return
    clearTimeout(timer)
    if (wait === null) return
    if (wait === 'unknown') wake(RETRY_MS, () => {})
    else if (wait > WAIT_MS_MAX) wake(WAIT_MS_MAX, () => {})
    // A timer may come a millisecond early.
    else wake(wait + 5, onPublished)
  }

  function wake(afterMs: number, act: () => void): void {
    timer = setTimeout(() => {
      act()
      void plan()
    }, afterMs).unref()
  }

  void plan()
  return {
    plan: () => void plan(),
    close() {
      newest++
      clearTimeout(timer)
    },
  }
}
