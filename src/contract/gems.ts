/** Gems it takes to bring one from the level below to this one; index 0 is level 1 (spec §9). */
export const GEMS_PER_LEVEL = [1, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] as const

export const GEM_LEVEL_MAX = GEMS_PER_LEVEL.length

/** Gems from one level (0–9) up to a higher one (1–10). Null where the range makes no sense. */
export function gemsBetween(from: number, to: number): number | null {
  if (!Number.isInteger(from) || !Number.isInteger(to)) return null
  if (from < 0 || to > GEM_LEVEL_MAX || from >= to) return null
  return GEMS_PER_LEVEL.slice(from, to).reduce<number>((sum, gems) => sum + gems, 0)
}

/** The coins that many gems cost. A product may leave the range that plain numbers count exactly. */
export function gemCoins(gems: number, pricePerGem: number): bigint {
  return BigInt(gems) * BigInt(pricePerGem)
}

/** Whole units of bank money for the coins, `serverPrice` coins to each. */
export function gemAtm(coins: bigint, serverPrice: number): bigint {
  return coins / BigInt(serverPrice)
}
