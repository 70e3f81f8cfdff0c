import type { WaitingReason } from '#contract/deliveries.ts'

const waitingTexts: Record<WaitingReason, string> = {
  offline: 'Món đã gửi vào game, chờ bạn vào game bằng nhân vật này.',
  'bag-full': 'Hành trang đầy: dọn chỗ trong hành trang rồi món sẽ vào nhân vật.',
  'over-limit': 'Vượt mức tối đa của nhân vật: tiêu bớt rồi món sẽ vào nhân vật.',
  'unknown-item': 'Game chưa biết vật phẩm này. Đội vận hành sẽ kiểm tra; bạn không cần mua lại.',
}

/** Why goods that the game has taken in are not with the character, and what the player can do. */
export const waitingText = (reason: WaitingReason | null): string =>
  reason === null ? 'Món đã gửi vào game và đang vào nhân vật.' : waitingTexts[reason]
