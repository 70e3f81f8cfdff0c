import { type Good, goodInWords } from '../../deliveries.ts'
import { formatNumber } from '../../format.ts'

/** Today's prices: luong for 100 TCoin (without the bonus of an exchange), and TCoin for one đ. */
export type GoodsPrices = { luongPer100Coins: number; coinsPerVnd: number }

/** Goods of one kind, all of them together; whole numbers beyond what a double holds are exact. */
type GoodsSum = Omit<Good, 'quantity'> & { quantity: bigint }

/** So much of each kind when the goods are given so many times, summed over several of them. */
export function sumOfGoods(given: readonly { goods: readonly Good[]; times: number }[]): GoodsSum[] {
  const sums = new Map<string, GoodsSum>()
  for (const { goods, times } of given) {
    for (const { quantity, ...good } of goods) {
      const key = [good.kind, good.code, good.days].join(' ')
      const sum = sums.get(key)?.quantity ?? 0n
      sums.set(key, { ...good, quantity: sum + BigInt(quantity) * BigInt(times) })
    }
  }
  return [...sums.values()]
}

export const luongIn = (sums: readonly GoodsSum[]): bigint =>
  sums.reduce((sum, { kind, quantity }) => (kind === 'luong' ? sum + quantity : sum), 0n)

const dividedUp = (amount: bigint, by: bigint): bigint => (amount + by - 1n) / by

/** What TCoin and luong together are in đ. */
export function vndWorth(
  { coins, luong }: { coins: number; luong: number },
  { coinsPerVnd, luongPer100Coins }: GoodsPrices,
): number {
  const bought = dividedUp(BigInt(luong) * 100n, BigInt(luongPer100Coins))
  return Number(dividedUp(BigInt(coins) + bought, BigInt(coinsPerVnd)))
}

/** TCoin in words, with what they are in đ. */
export const coinsWorth = (coins: bigint | number, { coinsPerVnd }: GoodsPrices): string =>
  `${formatNumber(coins)} TCoin ≈ ${formatNumber(dividedUp(BigInt(coins), BigInt(coinsPerVnd)))} đ`

/** What so much luong costs in an exchange without a bonus: fractions count in full. */
export const luongWorth = (luong: bigint, prices: GoodsPrices): string =>
  `${formatNumber(luong)} lượng ≈ ${coinsWorth(dividedUp(luong * 100n, BigInt(prices.luongPer100Coins)), prices)}`

/** Goods in words: luong with its worth, what has no price with its quantity. */
export function goodsWorth(sums: readonly GoodsSum[], prices: GoodsPrices): string {
  const luong = luongIn(sums)
  const unpriced = sums.filter(({ kind }) => kind !== 'luong').map(goodInWords)
  return [...(luong === 0n ? [] : [luongWorth(luong, prices)]), ...unpriced].join('; ')
}

/** The prices that a worst case was computed by. */
export const pricesInWords = ({ luongPer100Coins, coinsPerVnd }: GoodsPrices): string =>
  `theo giá hôm nay: 100 TCoin đổi ${formatNumber(luongPer100Coins)} lượng, 1 đ được ${formatNumber(coinsPerVnd)} TCoin`
