import type { OperatorAct } from '#contract/operator/act-guards.ts'
import { actAsOperator, type ActCall } from '#server/modules/audit/index.ts'
import { contentChanges } from '#server/platform/content/content-versions.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
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
