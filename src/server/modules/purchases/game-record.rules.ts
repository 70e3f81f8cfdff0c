import * as z from 'zod/mini'
import { goodSchema, type Good } from '#contract/deliveries.ts'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import { isDeliveryId } from './deliveries.rules.ts'
import { amountsOnOffer, type ExchangeTerms } from './exchange.rules.ts'

const LINE_MAX = 20_000

const rowSchema = z.object({
  id: z.string(),
  status: z.optional(z.string()),
  account: z.optional(z.nullable(z.string())),
  character_id: z.optional(z.nullable(z.string())),
  goods: z.optional(z.nullable(z.array(goodSchema))),
  at: z.optional(z.nullable(z.string())),
})

/** The game's record of one delivery it applied. Null: not in the record. */
export type Applied = {
  id: string
  account: string | null
  characterId: string | null
  goods: Good[] | null
  at: string | null
}

/** A line of the game's record: a delivery id alone, or a JSON object with one. Null for anything else, and for what was not applied. */
export function readApplied(line: string): Applied | null {
  const text = line.trim()
  if (text.length > LINE_MAX) return null
  const row = rowSchema.safeParse(text.startsWith('{') ? parsed(text) : { id: text })
  if (!row.success) return null
  const {
    id: given,
    status = 'applied',
    account = null,
    character_id = null,
    goods = null,
    at = null,
  } = row.data
  const id = given.toLowerCase()
  if (!isDeliveryId(id) || status !== 'applied') return null
  return { id, account, characterId: character_id, goods, at }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

type Terms = ExchangeTerms & { exchangeAmounts: readonly number[] }

/** What these goods cost as they are sold now; null for what is not sold so (any more). */
export function priceNow(goods: readonly Good[], terms: Terms): number | null {
  const text = textOf(goods)
  const offers = [
    ...GIFT_PACKAGES.map(({ amount, items }) => ({ amount, goods: items.map(({ good }) => good) })),
    ...amountsOnOffer(terms).map(({ amount, receive }) => ({
      amount,
      goods: [{ kind: 'luong' as const, quantity: receive }],
    })),
  ]
  return offers.find((offer) => textOf(offer.goods) === text)?.amount ?? null
}

/** Goods in a few words, the same for the same goods. */
export const textOf = (goods: readonly Good[]): string =>
  goods
    .map(({ kind, code, quantity, days }) =>
      [quantity, code ?? kind, days === undefined ? null : `for ${days} days`]
        .filter((word) => word !== null)
        .join(' '),
    )
    .join(', ')
