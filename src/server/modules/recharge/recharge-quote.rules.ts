import { COINS_MAX } from '#contract/money.ts'

/** TCoin for the money that arrived, at the whole number of TCoin each VND is worth; nothing is ever rounded. */
export function coinsFor(amountVnd: number, rate: number): number {
  if (!isWholePositive(amountVnd) || !isWholePositive(rate))
    throw new RangeError('amount and rate are whole and positive')
  const coins = amountVnd * rate
  if (coins > COINS_MAX) throw new RangeError('more coins than a wallet can hold')
  return coins
}

function isWholePositive(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0
}
