export const PARTS = ['post', 'recharge', 'purchase', 'recharge by HTTP', 'purchase by HTTP'] as const
export type Part = (typeof PARTS)[number]
