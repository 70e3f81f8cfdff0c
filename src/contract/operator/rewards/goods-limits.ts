import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { permitted } from '../roles.ts'

/** The limits of goods that cost nothing: of one act, of 24 hours, and the budget of 30 days. */
const GOODS_LIMITS = ['act', 'alone', 'operator', 'day', 'budget'] as const

const figures = z.object({ limit: z.number(), used: z.number(), left: z.number() })

const goodsUseSchema = z.object({
  /** `loads`: of items and yen, how many times the most that the game takes of each at once. */
  limits: z.array(z.object({ name: z.enum(GOODS_LIMITS), luong: figures, loads: figures })),
})

export type GoodsUse = z.output<typeof goodsUseSchema>

export const operatorGoodsLimits = {
  read: endpoint('GET', '/operator/goods-limits', permitted('settings.read'), {
    summary:
      'What goods that cost nothing may come to, what was promised of it and what is left, with the own limits of whoever asks.',
    answer: goodsUseSchema,
  }),
}
