import type { AnswerOf } from '#contract/endpoint.ts'
import type { operatorRechargeOrders } from '#contract/operator/recharge-orders.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { partOf, PART_ROWS } from '#server/platform/http/parts.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import { findOrderId } from './operator-orders.service.ts'
import { insertOrderNote, selectOrderNotes } from './order-notes.queries.ts'
import type { RechargeDeps } from './recharge-deps.ts'

type Calls = typeof operatorRechargeOrders

export async function listOrderNotes(
  db: Db,
  code: string,
  before: string | undefined,
): Promise<AnswerOf<Calls['notes']>> {
  const orderId = await findOrderId(db, code)
  if (orderId === undefined) throw notFound()
  return partOf(await selectOrderNotes(db, { orderId, before, limit: PART_ROWS + 1 }))
}

/** The text is stored in the note alone: it may name people, and the audit trail only says that there is a note. */
export async function addOrderNote(deps: RechargeDeps, call: UserCall<Calls['addNote']>): Promise<undefined> {
  const { params, body, identity } = call
  await actAsOperator(deps, call, {
    action: 'recharge-orders.note',
    work: async (tx) => {
      const noteId = await insertOrderNote(tx, { ...params, authorId: identity.userId, text: body.note })
      if (noteId === undefined) throw notFound()
      return {
        answer: null,
        audit: { subject: { type: 'payment_order', id: params.code }, details: { note_id: noteId } },
      }
    },
  })
}
