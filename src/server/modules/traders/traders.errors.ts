import { banEnd } from '#contract/users.ts'
import { formatNumber } from '#contract/format.ts'
import { Refusal } from '#server/platform/values/errors.ts'

/** The message for a banned player, both when a trade is refused and as the warning at login. */
export function banMessage(until: Date, reason: string | null): string {
  const because = reason ? `, lý do: ${reason}` : ''
  return `Tài khoản đang bị khóa giao dịch ${banEnd(until.toISOString())}${because}`
}

export const banned = (until: Date, reason: string | null) =>
  new Refusal('BANNED', { message: banMessage(until, reason) })

/** Money that was recharged has gone back to its payer, and the TCoin were spent. */
export const inDebt = (debt: number) =>
  new Refusal('BANNED', {
    message: `Tài khoản đang tạm khóa giao dịch vì còn nợ ${formatNumber(debt)} TCoin của khoản nạp đã bị thu hồi, vui lòng nạp thêm để trả nợ`,
  })

/** An operator would give to, or take from, a wallet that belongs to nobody any more. */
export const playerErased = () =>
  new Refusal('CONFLICT', { message: 'Dữ liệu của người chơi này đã được xóa, ví không còn dùng được' })
