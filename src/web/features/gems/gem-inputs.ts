import { GEM_LEVEL_MAX, gemAtm, gemCoins, gemsBetween } from '#contract/gems.ts'
import { paths } from '#contract/pages.ts'

/** What was typed. A price that is not there yet is null. */
export type GemInputs = { from: number; to: number; gemPrice: number | null; serverPrice: number | null }

export const FIRST_INPUTS: GemInputs = { from: 0, to: 5, gemPrice: null, serverPrice: null }

/** The same limit as for typed amounts. */
const DIGITS_MAX = 15

/** Reads a shared link. Missing or invalid values are as on a first visit. */
export function readInputs(address: URLSearchParams): GemInputs {
  return {
    from: readWhole(address.get('from'), { min: 0, max: GEM_LEVEL_MAX - 1 }) ?? FIRST_INPUTS.from,
    to: readWhole(address.get('to'), { min: 1, max: GEM_LEVEL_MAX }) ?? FIRST_INPUTS.to,
    gemPrice: readWhole(address.get('gem'), { min: 1 }) ?? FIRST_INPUTS.gemPrice,
    serverPrice: readWhole(address.get('server'), { min: 1 }) ?? FIRST_INPUTS.serverPrice,
  }
}

/** The path of a link that shares these inputs. */
export function sharePath({ from, to, gemPrice, serverPrice }: GemInputs): string {
  const address = new URLSearchParams({ from: String(from), to: String(to) })
  if (gemPrice) address.set('gem', String(gemPrice))
  if (serverPrice) address.set('server', String(serverPrice))
  return `${paths.gemCalculator}?${address}`
}

/** The totals of the inputs so far; null where an input is missing. */
export function gemTotals({ from, to, gemPrice, serverPrice }: GemInputs) {
  const gems = gemsBetween(from, to)
  const coins = gems === null || !gemPrice ? null : gemCoins(gems, gemPrice)
  const atm = coins === null || !serverPrice ? null : gemAtm(coins, serverPrice)
  return { gems, coins, atm }
}

function readWhole(
  text: string | null,
  { min, max = Infinity }: { min: number; max?: number },
): number | null {
  if (text === null || !/^\d+$/.test(text) || text.length > DIGITS_MAX) return null
  const value = Number(text)
  return value >= min && value <= max ? value : null
}
