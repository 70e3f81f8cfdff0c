import { pages } from '#contract/pages.ts'
import type { IconName } from '#ui/icon.tsx'

export type NavEntry = { label: string; to: string; icon: IconName; isUntilGift?: boolean }

const { home, recharge, exchange, community, gift } = pages

/** The top navigation, in its order. */
export const navEntries: readonly NavEntry[] = [
  { label: home.title, to: home.path, icon: 'home' },
  { label: recharge.title, to: recharge.path, icon: 'wallet' },
  { label: exchange.title, to: exchange.path, icon: 'exchange' },
  { label: 'Box Zalo', to: community.path, icon: 'chat' },
  { label: gift.title, to: gift.path, icon: 'gift', isUntilGift: true },
]
