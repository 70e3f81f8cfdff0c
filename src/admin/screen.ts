import type { ComponentType } from 'react'
import type { AlarmName } from '#contract/operator/alarms.ts'
import type { Permission } from '#contract/operator/roles.ts'
import type { ScreenPath } from '#contract/operator/screen-paths.ts'

export type Screen = {
  path: ScreenPath
  title: string
  /** Without one of these the screen is not offered, and every call it makes is refused. */
  permission: Permission | readonly Permission[] | null
  /** In which group of the menu it is listed; none: it is reached from another screen. */
  group?: keyof typeof groups
  /** How much of these waits is shown in the menu; it is dealt with here. */
  waits?: readonly AlarmName[]
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
