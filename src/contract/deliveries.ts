import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { envelopeShape, moment, paged, pageQueryShape, walletShape } from './fields.ts'
import { DELIVERY_STATUSES } from './constants.ts'
import type { ErrorCode } from './errors.ts'
import { formatNumber } from './format.ts'
import { shownName } from './shown-name.ts'

/**
 * Everything that can be bought for a character. Contract, statement, ledger kinds and refunds follow from this list; a
 * new kind is an entry here and an offer in the server's module `purchases`.
 */
export const PURCHASES = {
  exchange: {
    name: 'Đổi lượng',
    act: (luong: number | null) => (luong ? `đổi ${formatNumber(luong)} lượng` : 'đổi lượng'),
  },
  gift: { name: 'Quà tân thủ', act: () => 'mua quà tân thủ' },
} as const satisfies Record<string, PurchaseWords>

type PurchaseWords = {
  /** Its type in lists. */
  name: string
  /** What the player did, in the middle of a sentence; `luong` is what was promised of it, if any. */
  act: (luong: number | null) => string
}

export type PurchaseKind = keyof typeof PURCHASES
export const PURCHASE_KINDS = Object.keys(PURCHASES) as [PurchaseKind, ...PurchaseKind[]]

/** Goods that cost nothing: those that the game has lost and that are given again, and rewards. */
const FREE_NAMES = { again: 'Giao lại', reward: 'Quà tặng' } as const

type FreeKind = keyof typeof FREE_NAMES

/** What a delivery was made for. */
export const DELIVERY_KINDS = [
  ...PURCHASE_KINDS,
  ...(Object.keys(FREE_NAMES) as [FreeKind, ...FreeKind[]]),
] as const

export type DeliveryKind = (typeof DELIVERY_KINDS)[number]

export const deliveryKindName = (kind: DeliveryKind): string =>
  isFree(kind) ? FREE_NAMES[kind] : PURCHASES[kind].name

/** Whether no TCoin are held, settled or refunded for it. */
export const isFree = (kind: DeliveryKind): kind is FreeKind => Object.hasOwn(FREE_NAMES, kind)

/** The kinds of a purchase's ledger transfers: its TCoin are held, then settled (the goods arrived) or refunded. */
export type PurchaseTransfer = `${PurchaseKind}_${'hold' | 'settle' | 'refund'}`

/** What a player sees of a delivery; the worker's finer states are all `pending` to them. */
export const deliveryStatusSchema = z.enum(DELIVERY_STATUSES)

/** Why goods that the game has applied are not with their character yet. */
export const WAITING_REASONS = ['offline', 'bag-full', 'over-limit', 'unknown-item'] as const

export type WaitingReason = (typeof WAITING_REASONS)[number]

const waitingTexts: Record<WaitingReason, string> = {
  offline: 'Món đã gửi vào game, chờ bạn vào game bằng nhân vật này.',
  'bag-full': 'Hành trang đầy: dọn chỗ trong hành trang rồi món sẽ vào nhân vật.',
  'over-limit': 'Vượt mức tối đa của nhân vật: tiêu bớt rồi món sẽ vào nhân vật.',
  'unknown-item': 'Game chưa biết vật phẩm này. Đội vận hành sẽ kiểm tra; bạn không cần mua lại.',
}

/** Why goods that the game has taken in are not with the character, and what the player can do. */
export const waitingText = (reason: WaitingReason | null): string =>
  reason === null ? 'Món đã gửi vào game và đang vào nhân vật.' : waitingTexts[reason]

export const goodSchema = z.object({
  kind: z.enum(['luong', 'yen', 'item']),
  code: z.optional(z.string()),
  /** Of an item what players call it, where it has a name; the game is not sent it. */
  name: z.optional(shownName),
  quantity: z.number(),
  days: z.optional(z.number()),
})

export const deliverySchema = z.object({
  id: z.string(),
  kind: z.enum(DELIVERY_KINDS),
  /** The delivery whose goods it gives again; null for all others. */
  replaces: z.nullable(z.string()),
  character_name: shownName,
  goods: z.array(goodSchema),
  amount: z.number(),
  status: deliveryStatusSchema,
  created_at: moment,
  settled_at: z.nullable(moment),
  /** Whether the game tells when goods are with their character. If not, what is delivered is as good as there. */
  is_collection_told: z.boolean(),
  /** When the goods reached the character; null before, and where the game does not tell. */
  collected_at: z.nullable(moment),
  /** Why they have not yet. */
  waiting: z.nullable(z.enum(WAITING_REASONS)),
})

/** What every purchase is answered with. */
export const boughtAnswer = z.object({
  ...envelopeShape,
  ...walletShape,
  delivery: z.object({ id: z.string(), status: deliveryStatusSchema }),
})

export const PURCHASE_REFUSALS = [
  'NOT_ACTIVATED',
  'BANNED',
  'PRICE_CHANGED',
  'CHARACTER_NOT_FOUND',
  'GOODS_UNAVAILABLE',
  'INSUFFICIENT_BALANCE',
] as const satisfies readonly ErrorCode[]

export const listDeliveries = endpoint('GET', '/user/deliveries', 'user', {
  summary: 'What the player bought and where each purchase stands, the newest first.',
  query: z.object(pageQueryShape),
  answer: paged(deliverySchema),
})

export const deliveryReceiptSchema = z.extend(deliverySchema, {
  server_name: shownName,
  /** The character's head, while the portal knows the character. */
  character_head: z.nullable(z.number()),
  character_head_name: z.nullable(shownName),
  /** True while a person has to see to it, which takes longer than seconds. */
  is_with_staff: z.boolean(),
  /** Why the TCoin came back, ready to show; null unless they did. */
  refund_reason: z.nullable(z.string()),
})

export const getDelivery = endpoint('GET', '/user/deliveries/{id}', 'user', {
  summary: 'The receipt of one purchase of the player.',
  params: z.object({ id: z.string().check(z.maxLength(64)) }),
  answer: deliveryReceiptSchema,
  errors: ['NOT_FOUND'],
})

export const DELIVERY_EVENTS_PATH = '/user/deliveries/events'

export const watchDeliveries = endpoint('GET', DELIVERY_EVENTS_PATH, 'user', {
  summary: 'The latest purchases of the player, now and after each change.',
  answer: z.array(deliverySchema),
  isStream: true,
})

/** Whether the game has taken the goods in and they are not with the character yet. */
export const isUncollected = ({
  status,
  is_collection_told,
  collected_at,
}: Pick<Delivery, 'status' | 'is_collection_told' | 'collected_at'>): boolean =>
  status === 'delivered' && is_collection_told && collected_at === null

export type DeliveryReceipt = z.output<typeof deliveryReceiptSchema>
export type Delivery = z.output<typeof deliverySchema>
export type DeliveryStatus = z.output<typeof deliveryStatusSchema>
export type Good = z.output<typeof goodSchema>

/** Sums of goods are more than a double holds exactly. */
type CountedGood = Omit<Good, 'quantity'> & { quantity: number | bigint }

/** One line of purchased goods as text; goods without a name are shown by the game's code. */
export function goodInWords({ kind, code, name: known, quantity, days }: CountedGood): string {
  if (kind === 'luong') return `${formatNumber(quantity)} lượng`
  if (kind === 'yen') return `${formatNumber(quantity)} yên`
  const name = known ?? `vật phẩm ${code ?? ''}`
  const many = Number(quantity) === 1 ? name : `${formatNumber(quantity)} ${name}`
  return (days === undefined ? many : `${many} ${days} ngày`).trim()
}

/** Everything a delivery brings, in one sentence part: `35,000 lượng, thú cưng và bạn đồng hành 7 ngày`. */
export function goodsInWords(goods: readonly Good[]): string {
  const words = goods.map(goodInWords)
  const last = words.pop() ?? ''
  return words.length === 0 ? last : `${words.join(', ')} và ${last}`
}

/** The number of a receipt as it is read out: how its id begins. The search of the console finds the delivery by it. */
export const receiptNumber = (id: string): string => `${id.slice(0, 4)}-${id.slice(4, 8)}`.toUpperCase()
