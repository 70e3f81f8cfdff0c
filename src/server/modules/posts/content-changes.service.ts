import { appendAudit } from '#server/modules/audit/index.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { notifyContentChanged } from './operator-posts.queries.ts'
import type { PostsDeps } from './posts.service.ts'

export type Operator = { operatorId: string; requestId: string }

type Subject<Row> = {
  type: 'post' | 'category'
  /** What the audit trail keeps of a row. */
  audited(row: Row): unknown
}

/** `before` is null for a new row, `after` for a deleted one. */
type Change<Row> = { action: string; before: Row | null; after: Row | null }

/** Changes what pages show, with its row in the audit trail; answers the row as it is now, or was when it is deleted. */
export async function changeContent<Row extends { id: string }>(
  deps: PostsDeps,
  operator: Operator,
  { type, audited }: Subject<Row>,
  work: (tx: Tx) => Promise<Change<NoInfer<Row>>>,
): Promise<Row> {
  const changed = await inTransaction(deps.db, async (tx) => {
    const { action, before, after } = await work(tx)
    const row = (after ?? before) as Row
    await notifyContentChanged(tx)
    await appendAudit(tx, {
      actor: { kind: 'operator', id: operator.operatorId },
      action,
      subject: { type, id: row.id },
      details: { before: before && audited(before), after: after && audited(after) },
      requestId: operator.requestId,
    })
    return row
  })
  deps.onContentChanged()
  return changed
}
