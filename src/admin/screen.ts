import type { ComponentType } from 'react'
import type { WaitingKind } from '#contract/operator/alarms.ts'
import type { Permission } from '#contract/operator/roles.ts'

export type Screen = {
  path: string
  title: string
  /** Without one of these the screen is not offered, and every call it makes is refused. */
  permission: Permission | readonly Permission[] | null
  /** In which group of the menu it is listed; none: it is reached from another screen. */
  group?: keyof typeof groups
  /** Of what it lists, how much waits is shown in the menu. */
  waits?: WaitingKind
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
