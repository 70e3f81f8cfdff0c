import type { OperatorAct } from '#contract/operator/act-guards.ts'
import { actAsOperator, type ActCall } from '#server/modules/audit/index.ts'
import { contentChanges } from '#server/platform/content/content-versions.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PostsDeps } from './posts.service.ts'

/** What is changed, as the audit trail keeps it and as the operator is answered. */
type Subject<Row, Answer> = {
  type: 'post' | 'category'
  audited(row: Row): unknown
  describe(row: Row): Answer
}

/** `before` is null for a new row, `after` for a deleted one. */
type Change<Row> = { before: Row | null; after: Row | null; details?: Record<string, unknown> }

type Act<Row, Answer> = Subject<Row, Answer> & {
  action: OperatorAct
  work(tx: Tx): Promise<Change<NoInfer<Row>>>
}

/** An operator's change of what pages show; answers the row as it is now, or was when it is deleted. */
export async function changeContent<Row extends { id: string }, Answer>(
  deps: PostsDeps,
  call: ActCall,
  { action, type, audited, describe, work }: Act<Row, Answer>,
): Promise<Answer> {
  return actAsOperator<Answer>(deps, call, {
    action,
    async work(tx) {
      const { before, after, details } = await work(tx)
      const row = (after ?? before) as Row
      if (type === 'category') await contentChanges(tx, 'categories')
      // A post says which categories it is in.
      await contentChanges(tx, 'posts')
      const states = { before: before && audited(before), after: after && audited(after) }
      return {
        answer: describe(row),
        audit: { subject: { type, id: row.id }, details: { ...details, ...states } },
      }
    },
  })
}
