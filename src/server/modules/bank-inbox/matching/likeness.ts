import type { BankEvent } from '#server/modules/payment-providers/index.ts'
import { orderCodesOf, plainLetters } from '#server/modules/recharge/index.ts'
import { vietnamClock, vietnamDay } from '#server/platform/values/vietnam-time.rules.ts'

// Whether two notifications report one transfer (docs/decisions/0079). Money must neither be credited twice nor be dropped,
// so where they neither clearly agree nor clearly differ a person decides.

/** What was reported of a transfer before; a memo that was erased is empty. */
export type KnownReport = Pick<
  BankEvent,
  'provider' | 'amountVnd' | 'bookedAt' | 'payerAccount' | 'memo' | 'fullText' | 'code'
> & { transferId: string }

type Compared = 'agrees' | 'differs' | 'unknown'

/** A known transfer that a notification reports again, for certain or perhaps. */
export type Likeness = { transferId: string; isCertain: boolean }

/** `known` are the reports under the reference and on an account of the notification. `orders` exist. */
export function likenessOf(
  event: BankEvent,
  known: readonly KnownReport[],
  orders: readonly { code: string }[],
): Likeness | null {
  const compared = known.map((report) => ({ report, likeness: compare(event, report, orders) }))
  const found =
    compared.find(({ likeness }) => likeness === 'same') ??
    compared.find(({ likeness }) => likeness === 'doubt')
  return found === undefined
    ? null
    : { transferId: found.report.transferId, isCertain: found.likeness === 'same' }
}

function compare(
  event: BankEvent,
  report: KnownReport,
  orders: readonly { code: string }[],
): 'same' | 'doubt' | 'another' {
  const isOneProvider = event.provider === report.provider
  const isAmountEqual = event.amountVnd === report.amountVnd
  const time = compareTimes(event.bookedAt, report.bookedAt, isOneProvider ? ONE_PROVIDER : TWO_PROVIDERS)
  const payer = comparePayers(event.payerAccount, report.payerAccount)
  const memo = compareMemos(event, report)
  const differing = [time, payer].filter((one) => one === 'differs').length
  if (nameOwnOrders(event, report, orders) || differing >= (isOneProvider ? 1 : 2)) return 'another'
  const isNothingOtherwise = isAmountEqual && differing === 0 && memo !== 'differs'
  if (!isNothingOtherwise) return 'doubt'
  return !isOneProvider || (time === 'agrees' && memo === 'agrees') ? 'same' : 'doubt'
}

/** Up to when two times are one, and from when on they are two. */
type Apart = { agreeMs: number; differMs: number }
/** One provider takes a transfer's time from one place. */
const ONE_PROVIDER: Apart = { agreeMs: 0, differMs: 60_000 }
const TWO_PROVIDERS: Apart = { agreeMs: 600_000, differMs: 86_400_000 }

const inSeconds = (moment: Date) => Math.floor(moment.getTime() / 1_000) * 1_000
/** Some banks book by the day. */
const isDay = (moment: Date) => vietnamClock(moment).endsWith(' 00:00:00')

function compareTimes(one: Date | null, other: Date | null, { agreeMs, differMs }: Apart): Compared {
  if (one === null || other === null) return 'unknown'
  const apartMs = Math.abs(inSeconds(one) - inSeconds(other))
  if ((isDay(one) || isDay(other)) && vietnamDay(one) === vietnamDay(other)) return 'unknown'
  if (apartMs <= agreeMs) return 'agrees'
  return apartMs > differMs ? 'differs' : 'unknown'
}

const PAYER_CHARS_MIN = 6

function comparePayers(one: string | null, other: string | null): Compared {
  const [a, b] = [one, other].map((account) => (account ?? '').toUpperCase().replace(/[^A-Z0-9*]/g, ''))
  const isShown = [a, b].every(
    (account) => account && account.length >= PAYER_CHARS_MIN && !/[*X]/.test(account),
  )
  if (!isShown) return 'unknown'
  return a === b ? 'agrees' : 'differs'
}

const MEMO_CHARS_MIN = 8

/** Banks and providers cut a memo, and write their own words around it. */
function compareMemos(one: KnownReport | BankEvent, other: KnownReport | BankEvent): Compared {
  const [short = '', long = ''] = [plainLetters(one.memo), plainLetters(other.memo)].sort(
    (a, b) => a.length - b.length,
  )
  if (short === '') return 'unknown'
  const codes = orderCodesOf(one)
  const areOfOneOrder =
    codes.length > 0 && String(codes.toSorted()) === String(orderCodesOf(other).toSorted())
  const isPart = short === long || (short.length >= MEMO_CHARS_MIN && long.includes(short))
  return isPart || areOfOneOrder ? 'agrees' : 'differs'
}

function nameOwnOrders(event: BankEvent, report: KnownReport, orders: readonly { code: string }[]): boolean {
  const [code, ...more] = orderCodesOf(event)
  const [known, ...others] = orderCodesOf(report)
  if (code === undefined || known === undefined || more.length > 0 || others.length > 0) return false
  return code !== known && orders.some((order) => order.code === code)
}

type SameIdEvent = Omit<BankEvent, 'provider' | 'providerEventId' | 'fullText' | 'payerAccount'>

/**
 * Whether an event that came under a known id is the known one. Of a row of a list the time is not compared: lists and
 * notifications of one provider may round it differently.
 */
export function isSameContent(known: SameIdEvent, again: SameIdEvent, isPulled: boolean): boolean {
  const agree = (one: string | null, other: string | null) => !one || !other || one === other
  const accounts = (event: SameIdEvent) => [event.accountNumber, event.virtualAccount].filter(Boolean)
  const [ours, theirs] = [accounts(known), accounts(again)]
  const seconds = (event: SameIdEvent) => (event.bookedAt === null ? null : String(inSeconds(event.bookedAt)))
  return (
    known.direction === again.direction &&
    known.amountVnd === again.amountVnd &&
    agree(known.bankRef?.toUpperCase() ?? null, again.bankRef?.toUpperCase() ?? null) &&
    agree(known.code, again.code) &&
    agree(plainLetters(known.memo), plainLetters(again.memo)) &&
    (ours.length === 0 || theirs.length === 0 || ours.some((number) => theirs.includes(number))) &&
    (isPulled || agree(seconds(known), seconds(again)))
  )
}
