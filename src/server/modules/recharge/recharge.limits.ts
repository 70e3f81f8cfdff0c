import type { Limit } from '#server/platform/limits/limits.ts'

export const ORDERS_PER_PLAYER: Limit = {
  name: 'recharge-orders',
  points: 30,
  seconds: 3_600,
  kept: 'database',
}
