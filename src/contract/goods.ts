import type { Good } from './deliveries.ts'
import { formatNumber } from './format-number.ts'

// A file of its own, so that a page that only names goods does not load the schema library.

/** One line of purchased goods as text; goods without a name are shown by the game's code. */
export function goodInWords({ kind, code, quantity, days }: Good): string {
  if (kind === 'luong') return `${formatNumber(quantity)} lượng`
  if (kind === 'yen') return `${formatNumber(quantity)} yên`
  const name = code === 'pet' ? 'thú cưng' : code === 'companion' ? 'bạn đồng hành' : `vật phẩm ${code ?? ''}`
  const many = quantity === 1 ? name : `${formatNumber(quantity)} ${name}`
  return (days === undefined ? many : `${many} ${days} ngày`).trim()
}

/** Everything a delivery brings, in one sentence part: `35,000 lượng, thú cưng và bạn đồng hành 7 ngày`. */
export function goodsInWords(goods: readonly Good[]): string {
  const words = goods.map(goodInWords)
  const last = words.pop() ?? ''
  return words.length === 0 ? last : `${words.join(', ')} và ${last}`
}
