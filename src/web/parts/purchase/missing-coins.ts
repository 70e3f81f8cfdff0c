import { paths } from '#contract/pages.ts'

/** The recharge of exactly what is missing, at so many TCoin for each VND. */
export function rechargeOf(missing: number, rate: number): string {
  return `${paths.recharge}?amount=${Math.ceil(missing / Math.max(1, rate))}`
}
