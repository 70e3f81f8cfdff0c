import { paths } from '#contract/pages.ts'

/** How a page asks a newcomer to go on: the home page with a card, pages of money with a row. */
export type PromptPlace = 'card' | 'row'

const { exchange, gift, recharge, transfer, profile } = paths
const pagesOfMoney = [exchange, gift, recharge, transfer, profile]

export function promptPlaceOf(pathname: string): PromptPlace | null {
  if (pathname === paths.home) return 'card'
  const isOfMoney = pagesOfMoney.some((path) => pathname === path || pathname.startsWith(`${path}/`))
  return isOfMoney ? 'row' : null
}
