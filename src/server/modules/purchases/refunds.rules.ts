/** Why goods could not be handed over, as the game says it, in the words of players. */
const PLAIN = new Map([
  ['no-such-character', 'Nhân vật không còn trong game.'],
  ['bag-full', 'Túi đồ của nhân vật đã đầy.'],
  ['cancelled', 'Đội vận hành đã hủy lượt giao này.'],
])

/** The game's own words stay in the log: they are for developers, and another game has others. */
export function refundReason(note: string | null): string {
  return PLAIN.get(note ?? '') ?? 'Máy chủ game từ chối nhận hàng.'
}
