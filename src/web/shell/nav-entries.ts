import type { IconName } from '#ui/icon.tsx'
import { paths } from '#web/paths.ts'

export type NavEntry = { label: string; to: string; icon: IconName; isUntilGift?: boolean }

/** The top navigation of spec §2, in its order. */
export const navEntries: readonly NavEntry[] = [
  { label: 'Trang chủ', to: paths.home, icon: 'home' },
  { label: 'Nạp TCoin', to: paths.recharge, icon: 'wallet' },
  { label: 'Đổi lượng', to: paths.exchange, icon: 'exchange' },
  { label: 'Box Zalo', to: paths.community, icon: 'chat' },
  { label: 'Quà tân thủ', to: paths.gift, icon: 'gift', isUntilGift: true },
]
