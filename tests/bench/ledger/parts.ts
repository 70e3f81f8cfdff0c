export const PARTS = ['post', 'recharge', 'purchase', 'recharge by HTTP', 'purchase by HTTP'] as const
export type Part = (typeof PARTS)[number]

export function partOf(name: string): Part {
  const part = PARTS.find((one) => one === name)
  if (part === undefined) throw new Error(`the ledger has no part ${name}; it has ${PARTS.join(', ')}`)
  return part
}
