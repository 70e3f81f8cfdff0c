import * as z from 'zod/mini'
import type { Good } from '../../deliveries.ts'
import { endpoint } from '../../endpoint.ts'
import { formatNumber } from '../../format.ts'
import { shownName } from '../../shown-name.ts'
import { permitted } from '../roles.ts'

// What the game takes in one delivery, by what `GET /v1/game` said last. Server and console judge goods by it.

const catalogueSchema = z.object({
  items: z.array(z.object({ code: z.string(), name: shownName, max: z.number() })),
  max: z.object({ luong: z.number(), yen: z.number() }),
})

export type GoodsCatalogue = z.output<typeof catalogueSchema>

export const operatorGoods = {
  read: endpoint('GET', '/operator/goods', permitted('settings.read'), {
    summary:
      'What the game takes: its items by the names that players read, with the most of each in one delivery; null while the game has not said it.',
    answer: z.object({ catalogue: z.nullable(catalogueSchema) }),
  }),
}

const UNITS = { luong: 'lượng', yen: 'yên' } as const

/** Each good of one delivery, the same good once with its sum. */
function summed(goods: readonly Good[]): Good[] {
  const sums = new Map<string, Good>()
  for (const good of goods) {
    const key = `${good.kind} ${good.code ?? ''}`
    const sum = sums.get(key)?.quantity ?? 0
    sums.set(key, { ...good, quantity: sum + good.quantity })
  }
  return [...sums.values()]
}

/** Why the game would not take these goods in one delivery; null: it would. */
export function whyNotTaken({ items, max }: GoodsCatalogue, goods: readonly Good[]): string | null {
  for (const { kind, code, quantity } of summed(goods)) {
    const item = items.find((one) => one.code === code)
    if (kind === 'item' && item === undefined) return `Game không có vật phẩm “${code ?? ''}”`
    const most = kind === 'item' ? (item?.max ?? 0) : max[kind]
    const name = kind === 'item' ? (item?.name ?? '') : UNITS[kind]
    if (quantity > most) return `Mỗi lần game nhận tối đa ${formatNumber(most)} ${name}`
  }
  return null
}
