import { CHANNEL_MOMO } from '#contract/constants.ts'
import type { TransferReason } from '#contract/operator/words.ts'
import type { RechargeOrder } from '#contract/recharge.ts'

export type OrderToMatch = {
  code: string
  channel: number
  status: RechargeOrder['status']
  amountVnd: number
  /** TCoin per VND as promised when the order was made. */
  rate: number
  accountNumber: string
  /** The request by which it was made at MoMo's gateway; null when it was not. */
  requestId: string | null
  createdAt: Date
  expiresAt: Date
  userBanned: boolean
  userDeleted: boolean
  /** Bank transfers already credited to this order. */
  creditedTransfers: number
}

/** What counts of a movement when an order is looked for. */
export type Movement = {
  direction: 'in' | 'out'
  amountVnd: number
  accountNumber: string
  virtualAccount: string | null
  bookedAt: Date
}

export type MatchInput = {
  event: Movement
  isTest: boolean
  /** Set for a payment at MoMo's gateway, which goes to our merchant's account and answers a request; null for a transfer. */
  gateway: { requestId: string } | null
  /** What `orderCodesOf(event)` found. */
  codes: readonly string[]
  /** The orders those codes belong to, as far as there are any. */
  orders: readonly OrderToMatch[]
  receivingAccounts: readonly string[]
  /** The known transfer that this one is, or may be. */
  likeness: { isCertain: boolean } | null
  limits: { minVnd: number; maxVnd: number }
  /** TCoin per VND today. */
  rate: number
  now: Date
}

export type IgnoreReason = 'test-ping' | 'outgoing' | 'foreign-account' | 'same-transfer'

export type PaidStatus = Extract<RechargeOrder['status'], 'paid' | 'paid_under' | 'paid_over'>

export type MatchDecision =
  | { outcome: 'credit'; orderCode: string; amount: number; orderStatus: PaidStatus }
  | { outcome: 'review'; reason: TransferReason }
  | { outcome: 'ignore'; reason: IgnoreReason }

const LATE_AFTER_MS = 72 * 60 * 60 * 1000

/** The decision about one movement: credit it, put it into review, or ignore it with a reason. */
export function decideMatch(input: MatchInput): MatchDecision {
  const { event } = input
  const ignored = reasonToIgnore(input)
  if (ignored !== undefined) return { outcome: 'ignore', reason: ignored }
  if (input.likeness !== null) return review('reference-conflict')
  if (ourAccount(input) === undefined) return review('foreign-account')
  const [code, another] = input.codes

  // A payment at the gateway always names an order, if not one of ours.
  if (code === undefined) return review(input.gateway === null ? 'no-code' : 'unknown-code')
  if (another !== undefined) return review('two-codes')
  const order = input.orders.find((candidate) => candidate.code === code)
  if (order === undefined) return review('unknown-code')

  const doubt =
    doubtAboutOrder(order, input) ?? doubtAboutTime(order, input) ?? doubtAboutAmount(order, input)
  if (doubt !== undefined) return review(doubt)
  return {
    outcome: 'credit',
    orderCode: order.code,
    amount: event.amountVnd,
    orderStatus: paidStatus(event.amountVnd, order.amountVnd),
  }
}

function reasonToIgnore(input: MatchInput): IgnoreReason | undefined {
  const { event, isTest, codes, orders, likeness } = input
  if (isTest) return 'test-ping'
  if (event.direction === 'out') return 'outgoing'
  if (likeness !== null) return likeness.isCertain ? 'same-transfer' : undefined
  // Whoever wrote the code of an order of ours expects TCoin for it, wherever the money went.
  const isOfNobody = orders.length === 0 && codes.length < 2
  return ourAccount(input) === undefined && isOfNobody ? 'foreign-account' : undefined
}

/**
 * Which of the two numbers of the account is ours: the order's, also when it was taken out of the settings since, or else
 * the one that payers are shown.
 */
export function ourAccount({
  event: { accountNumber, virtualAccount },
  orders,
  receivingAccounts,
}: Pick<MatchInput, 'orders' | 'receivingAccounts'> & {
  event: Pick<Movement, 'accountNumber' | 'virtualAccount'>
}): string | undefined {
  const numbers = virtualAccount === null ? [accountNumber] : [virtualAccount, accountNumber]
  return (
    numbers.find((number) => orders.some((order) => order.accountNumber === number)) ??
    numbers.find((number) => receivingAccounts.includes(number))
  )
}

function doubtAboutOrder(order: OrderToMatch, input: MatchInput): TransferReason | undefined {
  if (order.creditedTransfers > 0 || order.status.startsWith('paid')) return 'order-already-paid'
  if (order.status === 'cancelled') return 'order-cancelled'
  if (order.status === 'review') return 'order-in-review'
  const doubt = doubtAboutAccount(order, input)
  if (doubt !== undefined) return doubt
  if (order.userDeleted) return 'user-deleted'
  return order.userBanned ? 'user-banned' : undefined
}

/** Whether the money came to the account of the order. What a MoMo order's QR showed does not bind the gateway. */
function doubtAboutAccount(order: OrderToMatch, input: MatchInput): TransferReason | undefined {
  const { gateway } = input
  if (gateway === null) return order.accountNumber === ourAccount(input) ? undefined : 'wrong-account'
  if (order.channel !== CHANNEL_MOMO) return 'wrong-account'
  const isAnswer = order.requestId === null || order.requestId === gateway.requestId
  return isAnswer ? undefined : 'wrong-request'
}

/** Expiry only hides the QR; money sent in good faith is credited for three days, unless it would buy something else. */
function doubtAboutTime(order: OrderToMatch, { event, rate, now }: MatchInput): TransferReason | undefined {
  const paidAt = paymentTime(order, event, now).getTime()
  if (paidAt - order.createdAt.getTime() > LATE_AFTER_MS) return 'too-late'
  const isExpired = paidAt > order.expiresAt.getTime()
  return isExpired && order.rate !== rate ? 'rate-changed' : undefined
}

/**
 * A notification may come long after the transfer, so the bank's time counts. Some banks book by the day or ahead of
 * it, though, and a time before the order was made or still to come is not used: then the payment counts as made now.
 */
export function paymentTime(
  { createdAt }: Pick<OrderToMatch, 'createdAt'>,
  { bookedAt }: Pick<Movement, 'bookedAt'>,
  now: Date,
): Date {
  const isBelievable = bookedAt.getTime() >= createdAt.getTime() && bookedAt.getTime() <= now.getTime()
  return isBelievable ? bookedAt : now
}

/**
 * The exact amount was within the limits when the order was made; only another one is compared with those of today. The
 * gateway takes the requested amount, so there another amount means that something is wrong.
 */
function doubtAboutAmount(
  order: OrderToMatch,
  { event, gateway, limits }: MatchInput,
): TransferReason | undefined {
  if (event.amountVnd === order.amountVnd) return undefined
  if (gateway !== null) return 'wrong-amount'
  if (event.amountVnd < limits.minVnd) return 'below-minimum'
  return event.amountVnd > limits.maxVnd ? 'above-maximum' : undefined
}

/** What an order is called that was paid with what arrived. */
export function paidStatus(arrivedVnd: number, askedVnd: number): PaidStatus {
  if (arrivedVnd === askedVnd) return 'paid'
  return arrivedVnd < askedVnd ? 'paid_under' : 'paid_over'
}

function review(reason: TransferReason): MatchDecision {
  return { outcome: 'review', reason }
}
