import { readVietnamClock } from '#server/platform/values/vietnam-time.rules.ts'
import { sha256Hex } from '#server/platform/values/crypto.ts'
import {
  isRecord,
  isTrialEvent,
  NumberText,
  writeSorted,
  type JsonRecord,
  type JsonValue,
} from './notification.rules.ts'
import {
  MAX_TRANSFER_VND,
  type BankEvent,
  type ListWindow,
  type PaymentEventFact,
  type PulledList,
  type PulledRow,
} from './payment-vendor.rules.ts'

// What is read of a notification, or of a row of a list, whichever way it is written (docs/decisions/0079): a value of
// another type than usual is a reason to look closer, never to lose money.

/** The names under which a vendor sends a fact; the first that is there and not blank counts. */
export type FieldNames = {
  account: readonly string[]
  virtual: readonly string[]
  amounts: readonly string[]
  reference: readonly string[]
  memo: readonly string[]
  line: readonly string[]
  code: readonly string[]
  time: readonly string[]
  payer: readonly string[]
}

export type Vendor = {
  provider: string
  names: FieldNames
  id(fields: JsonRecord): string | undefined
  movement(fields: JsonRecord): { direction?: 'in' | 'out' | undefined; amountVnd?: number | undefined }
}

const isBlank = (value: JsonValue | undefined) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

export const firstOf = (fields: JsonRecord, names: readonly string[]): JsonValue | undefined =>
  names
    .filter((name) => Object.hasOwn(fields, name))
    .map((name) => fields[name])
    .find((value) => !isBlank(value))

/** Without U+0000, which PostgreSQL cannot store in a text. */
export function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  const text =
    typeof value === 'string' ? value : value instanceof NumberText ? value.text : writeSorted(value)
  return text.replaceAll('\u0000', '')
}

const writtenOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' ? value.trim() : value instanceof NumberText ? value.text : undefined

const GROUPED = /^(\d{1,3}([,.\s])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,]0{1,4})?$/
const PLAIN = /^(\d{1,17})(?:[.,]0{1,4})?$/
/** Fifty, or fifty thousand: nobody can tell. */
const AMBIGUOUS = /^\d{1,3}\.000$/

/** Whole VND, below zero where the sign says so; undefined for what is no amount, or may be two. */
export function amountOf(value: JsonValue | undefined): number | undefined {
  const written = writtenOf(value)
  if (written === undefined) return undefined
  const amount = value instanceof NumberText ? Number(written) : amountIn(written)
  const isAmount = Number.isSafeInteger(amount) && amount !== 0 && Math.abs(amount) <= MAX_TRANSFER_VND
  return isAmount ? amount : undefined
}

function amountIn(written: string): number {
  const [, sign, digits = ''] =
    /^([+-]?)\s*(.*?)\s*(?:vnđ|vnd|đ|₫|d)?\.?$/iu.exec(written.normalize('NFC')) ?? []
  const whole = (GROUPED.exec(digits) ?? PLAIN.exec(digits))?.[1]
  if (whole === undefined || AMBIGUOUS.test(digits)) return Number.NaN
  return Number(whole.replaceAll(/\D/g, '')) * (sign === '-' ? -1 : 1)
}

export function accountOf(value: JsonValue | undefined): string | null {
  const written = writtenOf(value)
  return written !== undefined && /^[\x20-\x7e]{1,64}$/.test(written) ? written : null
}

/** How a provider names one of its things; longer figures than a double holds stay exact. */
export function idOf(value: JsonValue | undefined): string | undefined {
  const written = writtenOf(value)
  return written !== undefined && /^\w[\w-]{0,63}$/.test(written) ? written : undefined
}

const REFERENCE_CHARS_MAX = 200

export const referenceOf = (value: JsonValue | undefined): string | null =>
  textOf(value).trim().slice(0, REFERENCE_CHARS_MAX) || null

const ZONED = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/

/** A clock in Vietnam, in one of the ways in which people write it, or a moment with its zone. */
export function timeOf(value: JsonValue | undefined): Date | null {
  const written = writtenOf(value) ?? ''
  if (ZONED.test(written)) {
    const moment = new Date(written)
    return Number.isNaN(moment.getTime()) ? null : moment
  }
  const [, day, month, year, rest] = /^(\d\d)\/(\d\d)\/(\d{4})[ T](.*)$/.exec(written) ?? []
  const local = day === undefined ? written.replace('T', ' ') : `${year}-${month}-${day} ${rest}`
  return readVietnamClock(local) ?? readVietnamClock(`${local}:00`) ?? null
}

export function directionOf(value: JsonValue | undefined): 'in' | 'out' | undefined {
  const written = writtenOf(value)?.toLowerCase()
  return written === 'in' || written === 'out' ? written : undefined
}

/** A movement of money, or what can be read of something that may be one. `part` is its own piece of the call. */
export function readElement(
  { provider, names, ...vendor }: Vendor,
  element: JsonValue | undefined,
  { raw, part }: { raw: Buffer; part?: Buffer },
): PaymentEventFact {
  const fields = isRecord(element) ? element : {}
  const [account, virtual] = accountsOf(fields, names)
  const { direction, amountVnd } = vendor.movement(fields)
  const id = vendor.id(fields)
  const facts = {
    provider,
    direction: direction ?? 'in',
    amountVnd: amountVnd ?? 0,
    accountNumber: account ?? '',
    virtualAccount: virtual,
    bankRef: referenceOf(firstOf(fields, names.reference)),
    memo: textOf(firstOf(fields, names.memo)),
    fullText: textOf(firstOf(fields, names.line)),
    code: textOf(firstOf(fields, names.code)).trim() || null,
    bookedAt: timeOf(firstOf(fields, names.time)),
    payerAccount: accountOf(firstOf(fields, names.payer)),
  } satisfies Omit<BankEvent, 'providerEventId'>
  const own = part === undefined ? {} : { part }
  if (id !== undefined && direction !== undefined && amountVnd !== undefined && account !== null)
    return { kind: 'movement', event: { ...facts, providerEventId: id }, ...own }
  const isOfNoMoney =
    isRecord(element) &&
    (direction === 'out' ||
      (id !== undefined && isTrialEvent({ providerEventId: id })) ||
      firstOf(fields, names.amounts) === undefined)
  return unreadable(facts, { mayCarryMoney: !isOfNoMoney, raw, ...own })
}

type Unreadable = { mayCarryMoney: boolean; raw: Buffer; part?: Buffer }

/** Stored under the bytes' own name: when it comes again and can be read, its own id is free. */
const unreadable = (
  facts: Omit<BankEvent, 'providerEventId'>,
  { mayCarryMoney, raw, part }: Unreadable,
): PaymentEventFact => ({
  kind: 'unreadable',
  event: { ...facts, providerEventId: `unreadable:${sha256Hex(part ?? raw)}` },
  mayCarryMoney,
  ...(part === undefined ? {} : { part }),
})

/** The same, where something else than its fields says that it cannot be read. */
export function asUnreadable(fact: PaymentEventFact, raw: Buffer): PaymentEventFact {
  if (fact.kind === 'unreadable') return fact
  const mayCarryMoney = fact.event.amountVnd > 0
  return unreadable(fact.event, { mayCarryMoney, raw })
}

/** The account and the virtual one on it. With a virtual one alone, that is the account. */
function accountsOf(fields: JsonRecord, names: FieldNames): [string | null, string | null] {
  const [account = null, ...others] = [...names.account, ...names.virtual]
    .filter((name) => Object.hasOwn(fields, name))
    .flatMap((name) => accountOf(fields[name]) ?? [])
  const virtual = names.virtual.flatMap((name) =>
    Object.hasOwn(fields, name) ? (accountOf(fields[name]) ?? []) : [],
  )
  return [account, [...virtual, ...others].find((number) => number !== account) ?? null]
}

/** More than fit into a notification with all their fields. */
const ELEMENTS_MAX = 500

/** Each element by itself, so that one that cannot be read does not hold up the others. */
export function readList(vendor: Vendor, elements: readonly JsonValue[], raw: Buffer): PaymentEventFact[] {
  if (elements.length === 0 || elements.length > ELEMENTS_MAX)
    return [readElement(vendor, undefined, { raw })]
  return elements.map((element) =>
    readElement(vendor, element, { raw, part: Buffer.from(writeSorted(element)) }),
  )
}

/** Reads each row by itself, so that one that cannot be read does not hide the others. */
export function readRows(
  rows: readonly JsonValue[],
  readRow: (row: JsonValue, raw: Buffer) => PaymentEventFact,
): PulledList {
  const list: PulledList = { rows: [], unreadable: [] }
  for (const row of rows) {
    const raw = Buffer.from(writeSorted(row))
    const fact = readRow(row, raw)
    if (fact.kind === 'movement') list.rows.push({ event: fact.event, raw })
    if (fact.kind === 'unreadable')
      list.unreadable.push({ event: fact.event, raw, mayCarryMoney: fact.mayCarryMoney })
  }
  return list
}

/** The rows of the account that was asked for, by either of its numbers, and those of which nobody can say. */
export function ofAccount({ accountNumber }: ListWindow, { rows, unreadable }: PulledList): PulledList {
  const isAsked = ({ event }: PulledRow) =>
    event.accountNumber === accountNumber || event.virtualAccount === accountNumber
  return {
    rows: rows.filter(isAsked),
    unreadable: unreadable.filter((row) => row.event.accountNumber === '' || isAsked(row)),
  }
}
