import type { AmountOption } from '#contract/exchange.ts'
import { COINS_MAX } from '#contract/fields.ts'

/** Luong per 100 TCoin, and the bonus on top of it. */
export type ExchangeTerms = { exchangeRate: number; exchangeBonusPercent: number }

/** What an amount of TCoin buys: `floor(amount × rate × (100 + bonus) / 10000)`, exact whatever the figures. */
export function receiveFor(amount: number, { exchangeRate, exchangeBonusPercent }: ExchangeTerms): number {
  // The product outgrows what a number holds exactly.
  return Number((BigInt(amount) * BigInt(exchangeRate) * BigInt(100 + exchangeBonusPercent)) / 10_000n)
}

/** The amounts on offer with what each buys. An amount that would buy nothing is not offered. */
export function amountsOnOffer(
  terms: ExchangeTerms & { exchangeAmounts: readonly number[] },
): AmountOption[] {
  return terms.exchangeAmounts
    .map((amount) => ({ amount, receive: receiveFor(amount, terms) }))
    .filter(({ receive }) => receive > 0 && receive <= COINS_MAX)
}
