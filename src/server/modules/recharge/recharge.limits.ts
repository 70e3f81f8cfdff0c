import { sharedLimit } from '#server/platform/limits/limits.ts'

export const ORDERS_PER_PLAYER = sharedLimit('recharge-orders', 30, 3_600)
