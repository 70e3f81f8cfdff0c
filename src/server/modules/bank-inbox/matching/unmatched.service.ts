import type { Unmatched } from '#contract/operator/users.ts'
import { findOrderCodes, nearOrderCodes } from '#server/modules/recharge/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { personsIn } from './bank-transfers.rules.ts'
import { REASON_TEXTS } from './suggestions.rules.ts'
import {
  listTransfersInReview,
  listUnpaidOrdersOf,
  type TransferInReview,
  type UnpaidOrder,
} from './unmatched.queries.ts'

const SHOWN_MAX = 10
const DAY_MS = 86_400_000
/** An order is open for half an hour. */
const ORDER_MS = 1_800_000

type Player = { id: string; username: string; phone: string | null }

type Clue = { why: string; order: UnpaidOrder | undefined }

/** Bank transfers in review that may be a player's, the newest first, each beside the unpaid order it may be for. */
export async function listUnmatchedOf(db: Db, player: Player): Promise<Unmatched[]> {
  const orders = await listUnpaidOrdersOf(db, player.id)
  const transfers = await listTransfersInReview(db, { userId: player.id, orders })
  const found: Unmatched[] = []
  for (const transfer of transfers) {
    const clue = clueIn(transfer, player, orders)
    if (clue === null) continue
    const { user_id: _user, order_code: _code, texts: _texts, ...shown } = transfer
    found.push({ ...shown, why: clue.why, order: clue.order ? toShown(clue.order) : null })
    if (found.length === SHOWN_MAX) break
  }
  return found
}

const toShown = ({ code, amount, created_at }: UnpaidOrder) => ({
  code,
  amount,
  created_at: created_at.toISOString(),
})

/** Why a transfer may be this player's, the strongest reason first; null when nothing speaks for it. */
function clueIn(transfer: TransferInReview, player: Player, orders: readonly UnpaidOrder[]): Clue | null {
  const { texts } = transfer
  const similar = orders.find((order) => isLike(transfer, order))
  const byCode = orders.find(
    ({ code }) => code === transfer.order_code || findOrderCodes(...texts).includes(code),
  )
  if (byCode) return { why: REASON_TEXTS.code(byCode.code), order: byCode }
  if (transfer.user_id === player.id) return { why: 'Đang giữ lại cho người chơi này', order: similar }
  // It belongs to somebody else.
  if (transfer.user_id !== null) return null
  const near = orders.length === 0 ? undefined : byNearCode(texts, orders)
  if (near) return { why: REASON_TEXTS['near-code'](near.code), order: near }
  const { usernames, phones } = personsIn(texts)
  if (usernames.includes(player.username.toLowerCase())) {
    return { why: 'Nội dung có tên đăng nhập của người chơi', order: similar }
  }
  if (player.phone !== null && phones.includes(player.phone)) {
    return { why: 'Nội dung có số điện thoại của người chơi', order: similar }
  }
  return similar ? { why: 'Cùng tài khoản, cùng số tiền và đơn mở trong vòng 24 giờ', order: similar } : null
}

function byNearCode(texts: readonly string[], orders: readonly UnpaidOrder[]): UnpaidOrder | undefined {
  const codes = new Set(nearOrderCodes(...texts))
  return orders.find(({ code }) => codes.has(code))
}

/** Same amount on the same account, and sent while the order was open or within a day after it. */
function isLike(transfer: TransferInReview, order: UnpaidOrder): boolean {
  const passed_ms = Date.parse(transfer.created_at) - order.created_at.getTime()
  return (
    transfer.amount === order.amount &&
    transfer.account_number === order.account_number &&
    passed_ms >= 0 &&
    passed_ms <= DAY_MS + ORDER_MS
  )
}
