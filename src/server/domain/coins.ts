import { COINS_MAX } from '#contract/fields.ts'
import { invariant } from '#server/platform/values/errors.ts'

/** An int8 as PostgreSQL sends it (text) → a whole number. Anything JSON could not carry exactly is a bug. */
export function parseCoins(text: string | number | bigint): number {
  const value = Number(text)
  invariant(
    Number.isSafeInteger(value) && Math.abs(value) <= COINS_MAX,
    'amounts in the database are exact in JSON',
  )
  return value
}
