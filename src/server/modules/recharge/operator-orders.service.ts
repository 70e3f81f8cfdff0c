import * as z from 'zod/mini'
import type { AnswerOf } from '#contract/endpoint.ts'
import { parseJson } from '#contract/operator/fields.ts'
import type {
  OperatorOrder,
  OperatorOrderDetail,
  operatorRechargeOrders,
} from '#contract/operator/recharge.ts'
import type { operatorSettings } from '#contract/operator/setting-calls.ts'
import { ACCOUNT_SHAPE, bankAccountSchema } from '#contract/operator/setting-kinds.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import { findTraderByUsername } from '#server/modules/traders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { PART_ROWS, partOf, type ListPage, type ListRows } from '#server/platform/http/list.ts'
import { invalidField, notFound, orNotFound } from '#server/platform/values/errors.ts'
import {
  countStoredOrders,
  findStoredOrder,
  findStoredOrderId,
  type GivenFilter,
  insertOrderNote,
  listStoredOrders,
  selectOrderNotes,
} from './operator-orders.queries.ts'
import { renderTestQr } from './order.rules.ts'
import type { RechargeDeps } from './checkout.service.ts'

/** Orders in the order they were made, which is that of their ids. */
export async function listOperatorOrders(
  db: Db,
  { user, ...given }: GivenFilter,
  page: ListPage,
): Promise<ListRows<OperatorOrder>> {
  const player = user === undefined ? undefined : await findTraderByUsername(db, user)
  if (user !== undefined && player === undefined) return { total: 0, rows: [] }
  const filter = { ...given, userId: player?.id }
  return { rows: await listStoredOrders(db, filter, page), total: () => countStoredOrders(db, filter) }
}

export async function getOperatorOrder(db: Db, code: string): Promise<OperatorOrderDetail> {
  return orNotFound(await findStoredOrder(db, code))
}

/** An order's id by its code, as it is written. */
export const findOrderId = (db: Db, code: string): Promise<string | undefined> => findStoredOrderId(db, code)

type Calls = typeof operatorRechargeOrders

export async function listOrderNotes(
  db: Db,
  code: string,
  before: string | undefined,
): Promise<AnswerOf<Calls['notes']>> {
  const orderId = orNotFound(await findOrderId(db, code))
  return partOf(await selectOrderNotes(db, { orderId, before, limit: PART_ROWS + 1 }))
}

/** The text is stored in the note alone: it may name people, and the audit trail records only that there is a note. */
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

/** The QR of a receiving account as it was typed, before anybody pays by it. */
export async function previewQr(text: string): Promise<AnswerOf<typeof operatorSettings.previewQr>> {
  const account = z.safeParse(bankAccountSchema, parseJson(text))
  if (account.success) return renderTestQr(account.data)
  throw invalidField('value', text === '' ? 'Chưa có tài khoản nhận' : ACCOUNT_SHAPE)
}
