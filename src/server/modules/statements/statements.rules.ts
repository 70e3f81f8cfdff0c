import { shownText } from '#contract/name-texts.ts'
import { PURCHASE_KINDS, PURCHASES, type PurchaseKind, type PurchaseTransfer } from '#contract/deliveries.ts'
import type { Transaction, TransactionType } from '#contract/transactions.ts'

const purchases = Object.fromEntries(
  PURCHASE_KINDS.map((kind) => [kind, { kinds: [`${kind}_hold`, `${kind}_settle`] }]),
) as Record<PurchaseKind, { kinds: PurchaseTransfer[] }>

/** The kinds of entries in each type of the statement. */
export const KINDS_OF_TYPE = {
  recharge: { kinds: ['recharge'] },
  bonus: { kinds: ['bonus'] },
  gift_code: { kinds: ['gift_code'] },
  invitation: { kinds: ['invitation'] },
  transfer_in: { kinds: ['p2p'], sign: 'in' },
  transfer_out: { kinds: ['p2p'], sign: 'out' },
  activation: { kinds: ['activation'] },
  ...purchases,
  refund: { kinds: PURCHASE_KINDS.map((kind) => `${kind}_refund` as const) },
  adjustment: { kinds: ['adjustment', 'reversal', 'debt', 'debt_settle', 'opening'] },
} as const satisfies Record<TransactionType, { kinds: readonly string[]; sign?: 'in' | 'out' }>

export type StatementKind = (typeof KINDS_OF_TYPE)[TransactionType]['kinds'][number]

/** One entry of a wallet with what explains it. */
export type StatementEntry = {
  transferId: string
  createdAt: Date
  kind: StatementKind
  amount: number
  balanceAfter: number
  counterparty: string | null
  orderCode: string | null
  /** Of a bonus: of which promotion, and of which order. */
  bonus: { title: string; orderCode: string } | null
  /** Of a gift code: what its batch is called. */
  giftCode: string | null
  reversesId: string | null
  delivery: {
    id: string
    state: string
    characterName: string
    luong: number | null
    /** Applied by a game that tells when goods are collected, and not collected. */
    isUncollected: boolean
  } | null
}

export function transactionType({ kind, amount }: { kind: StatementKind; amount: number }): TransactionType {
  if (kind === 'p2p') return amount > 0 ? 'transfer_in' : 'transfer_out'
  const types = Object.keys(KINDS_OF_TYPE) as TransactionType[]
  // Every kind is in the table; a unit test goes through them all.
  return types.find((type) =>
    (KINDS_OF_TYPE[type].kinds as readonly StatementKind[]).includes(kind),
  ) as TransactionType
}

/** Where a purchase's goods stand; every other movement is complete with its entry. */
export function transactionStatus(entry: Pick<StatementEntry, 'kind' | 'delivery'>): Transaction['status'] {
  if (!entry.kind.endsWith('_hold') || entry.delivery === null) return 'completed'
  const { state, isUncollected } = entry.delivery
  if (state === 'delivered' && isUncollected) return 'sent'
  return state === 'delivered' || state === 'refunded' ? state : 'pending'
}

export function describeEntry(entry: StatementEntry): string {
  const other = entry.counterparty ?? 'người chơi khác'
  const character = entry.delivery ? ` cho nhân vật ${shownText(entry.delivery.characterName)}` : ''
  switch (transactionType(entry)) {
    case 'recharge':
      return entry.orderCode === null ? 'Nạp TCoin' : `Nạp TCoin theo đơn ${entry.orderCode}`
    case 'bonus':
      return entry.bonus === null ? 'Thưởng nạp' : `Thưởng nạp: ${entry.bonus.title}`
    case 'gift_code':
      return entry.giftCode === null ? 'Mã quà' : `Mã quà: ${entry.giftCode}`
    case 'invitation':
      return 'Thưởng mời bạn'
    case 'transfer_in':
      return `Nhận TCoin từ ${other}`
    case 'transfer_out':
      return `Chuyển TCoin cho ${other}`
    case 'activation':
      return 'Phí kích hoạt tài khoản'
    case 'adjustment':
      return describeAdjustment(entry)
    case 'refund':
      return `Hoàn TCoin ${purchaseAct(entry)}${character}`
    default:
      return sentence(`${purchaseAct(entry)}${character}`)
  }
}

function describeAdjustment({ kind, reversesId }: StatementEntry): string {
  if (kind === 'debt') return 'Ghi nợ phần TCoin đã dùng của khoản nạp bị thu hồi'
  if (kind === 'debt_settle') return 'Trả nợ TCoin của khoản nạp bị thu hồi'
  if (kind === 'opening') return 'Số dư chuyển sang từ cổng cũ'
  return reversesId === null ? 'Điều chỉnh số dư' : `Hủy giao dịch số ${reversesId}`
}

/** What was bought, from the purchase's kind, which begins the name of each of its transfers. */
function purchaseAct({ kind, delivery }: StatementEntry): string {
  const bought = PURCHASE_KINDS.find((one) => kind.startsWith(`${one}_`)) as PurchaseKind
  return PURCHASES[bought].act(delivery?.luong ?? null)
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export function toTransaction(entry: StatementEntry): Transaction {
  return {
    id: entry.transferId,
    created_at: entry.createdAt.toISOString(),
    type: transactionType(entry),
    amount: entry.amount,
    balance_after: entry.balanceAfter,
    description: describeEntry(entry),
    ...(entry.counterparty === null ? {} : { counterparty: entry.counterparty }),
    status: transactionStatus(entry),
    reference: entry.orderCode ?? entry.bonus?.orderCode ?? entry.delivery?.id ?? entry.transferId,
  }
}
