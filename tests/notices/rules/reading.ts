import { createHash } from 'node:crypto'
import { asJson, Figure, type Fields, isFields, jsonIn, saidIn } from './bytes.ts'

// What a notice says, by the text of docs/decisions/0079 (§2). Nothing here is the portal's.

export type Provider = 'sepay' | 'casso' | 'payos' | 'momo'

export type Read = {
  provider: Provider
  kind: 'movement' | 'no-money' | 'unreadable'
  id: string
  direction: 'in' | 'out'
  /** 0 where it cannot be read. */
  amount: number
  account: string
  virtual: string | null
  reference: string | null
  memo: string
  line: string
  code: string | null
  /** Null: the arrival counts. */
  at: Date | null
  payer: string | null
  /** Of what is no movement. */
  reason: string | null
  /** Something unreadable about money that came, or that may have come. */
  waits: boolean
  /** The bytes that are to be stored; null for one element of several. */
  raw: Buffer | null
}

type Names = Record<
  'account' | 'virtual' | 'amount' | 'reference' | 'memo' | 'line' | 'code' | 'time' | 'payer',
  string[]
>
const NONE: Names = {
  account: [],
  virtual: [],
  amount: ['amount'],
  reference: [],
  memo: [],
  line: [],
  code: [],
  time: [],
  payer: [],
}

const NAMES = {
  sepay: {
    ...NONE,
    account: ['accountNumber'],
    virtual: ['subAccount'],
    amount: ['transferAmount'],
    reference: ['referenceCode'],
    memo: ['content'],
    line: ['description'],
    code: ['code'],
    time: ['transactionDate'],
  },
  'sepay-list': {
    ...NONE,
    account: ['account_number'],
    virtual: ['sub_account'],
    amount: ['amount_in', 'amount_out'],
    reference: ['reference_number'],
    memo: ['transaction_content'],
    code: ['code'],
    time: ['transaction_date'],
  },
  casso: {
    ...NONE,
    account: ['accountNumber', 'bank_sub_acc_id', 'bankSubAccId', 'subAccId'],
    virtual: ['virtualAccountNumber', 'virtualAccount', 'virtual_account', 'subAccId'],
    reference: ['reference', 'tid'],
    memo: ['description'],
    time: ['transactionDateTime', 'when'],
    payer: ['counterAccountNumber', 'corresponsiveAccount'],
  },
  payos: {
    ...NONE,
    account: ['accountNumber'],
    virtual: ['virtualAccountNumber'],
    reference: ['reference'],
    memo: ['description'],
    time: ['transactionDateTime'],
    payer: ['counterAccountNumber'],
  },
  momo: {
    ...NONE,
    account: ['partnerCode'],
    reference: ['transId'],
    memo: ['orderInfo'],
    code: ['orderId'],
    time: ['responseTime'],
  },
} satisfies Record<string, Names>

type Source = keyof typeof NAMES

const isBlank = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
const firstOf = (fields: Fields, names: string[]) =>
  names.map((name) => fields[name]).find((value) => !isBlank(value))

/** Text or number as written. */
function written(value: unknown): string | null {
  if (value instanceof Figure) return value.text
  return typeof value === 'string' ? value.trim() : null
}

function textOf(value: unknown): string {
  if (isBlank(value)) return typeof value === 'string' ? value.replaceAll('\0', '') : ''
  return (typeof value === 'string' ? value : asJson(value)).replaceAll('\0', '')
}

const AMOUNT_MAX = 10 ** 13

/** Signed; null for what is no amount. */
export function amountOf(value: unknown): number | null {
  let amount = Number.NaN
  if (value instanceof Figure) amount = Number(value.text)
  else if (typeof value === 'string') amount = amountIn(value)
  return Number.isInteger(amount) && amount !== 0 && Math.abs(amount) <= AMOUNT_MAX ? amount : null
}

function amountIn(text: string): number {
  let figures = text.trim()
  const sign = figures.startsWith('-') ? -1 : 1
  figures = figures.replace(/^[+-]/, '').trim()
  figures = figures.replace(/\s*(đ|d|vnd)$/i, '')
  // One group of three zeros behind one point: nobody knows.
  if (/^\d{1,3}\.000$/.test(figures)) return Number.NaN
  const whole = figures.replace(/[.,]0{1,2}$/, '')
  if (/^\d+$/.test(whole)) return sign * Number(whole)
  for (const divider of [',', '.', ' ']) {
    const [first = '', ...groups] = whole.split(divider)
    const isGrouped = /^\d{1,3}$/.test(first) && groups.length > 0 && groups.every((g) => /^\d{3}$/.test(g))
    if (isGrouped) return sign * Number([first, ...groups].join(''))
  }
  return Number.NaN
}

function accountOf(value: unknown): string | null {
  const number = written(value)
  return number !== null && /^[ -~]{1,64}$/.test(number) ? number : null
}

function idOf(value: unknown): string | null {
  const id = written(value)
  return id !== null && /^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$/.test(id) ? id : null
}

const referenceOf = (value: unknown) => textOf(value).trim().slice(0, 200) || null

const VIETNAM = '+07:00'

function timeOf(value: unknown): Date | null {
  const clock = written(value) ?? ''
  const [, day, month, year, hours] = /^(\d\d)\/(\d\d)\/(\d{4})[ T](\d\d:\d\d(?::\d\d)?)$/.exec(clock) ?? []
  const iso = day === undefined ? clock.replace(' ', 'T') : `${year}-${month}-${day}T${hours}`
  const isLocal = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(iso)
  const isZoned = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(clock)
  if (!isLocal && !isZoned) return null
  const moment = new Date(isLocal ? iso + VIETNAM : clock)
  return Number.isNaN(moment.getTime()) ? null : moment
}

function momentOf(value: unknown): Date | null {
  const ms = /^\d+$/.test(textOf(value)) ? Number(textOf(value)) : Number.NaN
  return ms >= Date.UTC(2000) && ms <= Date.UTC(2100) ? new Date(ms) : null
}

type Moved = { direction: 'in' | 'out' | null; amount: number | null }

function movedBy(source: Source, fields: Fields): Moved {
  const amount = amountOf(fields.amount)
  if (source === 'casso')
    return {
      direction: amount === null ? null : amount < 0 ? 'out' : 'in',
      amount: amount && Math.abs(amount),
    }
  if (source === 'sepay') {
    const word = written(fields.transferType)?.toLowerCase()
    const told = amountOf(fields.transferAmount)
    return {
      direction: word === 'in' || word === 'out' ? word : null,
      amount: told !== null && told > 0 ? told : null,
    }
  }
  if (source === 'sepay-list') {
    const [came, left] = [amountOf(fields.amount_in), amountOf(fields.amount_out)]
    if (came !== null && left === null && came > 0) return { direction: 'in', amount: came }
    if (left !== null && came === null) return { direction: 'out', amount: Math.abs(left) }
    return { direction: null, amount: null }
  }
  // Of another currency the amount is not in đ.
  const isRead = amount !== null && amount > 0 && (source !== 'payos' || isInDong(fields))
  return { direction: 'in', amount: isRead ? amount : null }
}

const isInDong = ({ currency }: Fields) => ['', 'VND'].includes(textOf(currency).trim().toUpperCase())

function idIn(source: Source, fields: Fields): string | null {
  if (source === 'momo') return /^0*$/.test(idOf(fields.transId) ?? '') ? null : idOf(fields.transId)
  if (source !== 'payos') return idOf(fields.id)
  const link = idOf(fields.paymentLinkId)
  return link && `${link}:${referenceOf(fields.reference) ?? ''}`
}

export const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** One element. `raw` are its bytes when the call has this element alone. */
export function readElement(source: Source, element: unknown, raw: Buffer | null): Read {
  const fields = isFields(element) ? element : {}
  const names: Names = NAMES[source]
  const provider = source === 'sepay-list' ? 'sepay' : source
  const numbers = (some: string[]) =>
    some.map((name) => accountOf(fields[name])).filter((one) => one !== null)
  const [account = null] = [...numbers(names.account), ...numbers(names.virtual)]
  const { direction, amount } = movedBy(source, fields)
  const id = idIn(source, fields)
  const time = firstOf(fields, names.time)
  const facts = {
    provider,
    direction: direction ?? 'in',
    amount: amount ?? 0,
    account: account ?? '',
    virtual: numbers(names.virtual).find((number) => number !== account) ?? null,
    reference: referenceOf(firstOf(fields, names.reference)),
    memo: textOf(firstOf(fields, names.memo)),
    line: textOf(firstOf(fields, names.line)),
    code: textOf(firstOf(fields, names.code)).trim() || null,
    at: source === 'momo' ? momentOf(time) : timeOf(time),
    payer: accountOf(firstOf(fields, names.payer)),
    reason: null,
    waits: false,
    raw,
  } satisfies Partial<Read>
  const result = resultOf(source, fields)
  const isMovement = id !== null && direction !== null && amount !== null && account !== null
  if (result === 'no-money' && (isMovement || source === 'momo'))
    return {
      ...facts,
      kind: 'no-money',
      id: noMoneyId(source, fields, id),
      reason: failureOf(source, fields),
    }
  if (isMovement && result === 'money') return { ...facts, kind: 'movement', id }
  const noMoney =
    isFields(element) &&
    (direction === 'out' || /^0+$/.test(id ?? '') || firstOf(fields, names.amount) === undefined)
  const name = digestOf(raw ?? Buffer.from(asJson(element)))
  return {
    ...facts,
    kind: 'unreadable',
    id: `unreadable:${name}`,
    reason: 'unreadable-notice',
    waits: !noMoney,
  }
}

function resultOf(source: Source, fields: Fields): 'money' | 'no-money' | 'unknown' {
  if (source === 'payos') {
    const code = textOf(fields.code).trim()
    if (!isInDong(fields) || code === '') return 'unknown'
    return code === '00' ? 'money' : 'no-money'
  }
  if (source !== 'momo') return 'money'
  const code = textOf(fields.resultCode).trim()
  if (!/^-?\d+$/.test(code)) return 'unknown'
  return Number(code) === 0 ? 'money' : 'no-money'
}

const noMoneyId = (
  source: Source,
  { orderId, requestId, transId, resultCode, code }: Fields,
  id: string | null,
) =>
  source === 'payos'
    ? `${textOf(code).trim()}:${id}`
    : `${textOf(orderId)}/${textOf(requestId)}/${textOf(transId)}:${textOf(resultCode)}`

/** MoMo's document of its result codes. */
const MOMO_FAILED = [98, 99, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1017, 1026, 4001, 4002, 4100]

function failureOf(source: Source, { resultCode }: Fields): string {
  if (source === 'payos') return 'payment-failed'
  const code = Number(textOf(resultCode))
  if (code === 9000) return 'authorised'
  if ([1000, 7000, 7002].includes(code)) return 'pending'
  return MOMO_FAILED.includes(code) ? 'payment-failed' : 'unknown-result'
}

const ELEMENTS_MAX = 500

/** The notices of one call whose signature is right. */
export function readCall(provider: Provider, body: Buffer, contentType: string): Read[] {
  const said =
    provider === 'payos' || provider === 'momo'
      ? jsonIn(new TextDecoder().decode(body))
      : saidIn(body, contentType)
  const inner = provider === 'casso' || provider === 'payos' ? (isFields(said) ? said.data : said) : said
  if (!Array.isArray(inner) || provider === 'payos') return [readElement(provider, inner, body)]
  if (inner.length === 0 || inner.length > ELEMENTS_MAX) return [readElement(provider, undefined, body)]
  return inner.map((element) => readElement(provider, element, null))
}
