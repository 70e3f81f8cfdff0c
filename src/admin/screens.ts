import type { ComponentType } from 'react'
import type { Permission } from '#contract/operator/roles.ts'

export type Screen = {
  path: string
  title: string
  /** Without one of these the screen is not offered, and every call it makes is refused. */
  permission: Permission | readonly Permission[] | null
  /** In which group of the menu it is listed; none: it is reached from another screen. */
  group?: keyof typeof groups
  /** `g`, then this letter, opens it. */
  letter?: string
  load: () => Promise<{ Component: ComponentType }>
}

export const groups = {
  work: 'Hằng ngày',
  money: 'Tiền',
  players: 'Người chơi',
  content: 'Nội dung',
  operation: 'Vận hành',
} as const

/** Every screen of the console: routes, menu and keyboard follow from it. */
export const screens = {
  rechargeOrders: {
    path: '/recharge-orders',
    title: 'Đơn nạp',
    permission: 'recharge-orders.read',
    group: 'money',
    letter: 'd',
    load: () => import('#admin/features/recharge-orders/orders.page.tsx'),
  },
  rechargeOrder: {
    path: '/recharge-orders/:code',
    title: 'Đơn nạp',
    permission: 'recharge-orders.read',
    load: () => import('#admin/features/recharge-orders/order.page.tsx'),
  },
} satisfies Record<string, Screen>
