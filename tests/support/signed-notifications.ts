import { createHmac, randomInt } from 'node:crypto'
import type { RechargeOrder } from '#contract/recharge.ts'
import { PAYMENT_KEYS, VIETCOMBANK } from './payment-keys.ts'
import type { TestApp } from './app.ts'

// The providers as their documents describe them, written again and not with the portal's own signatures: two that are
// wrong in the same way would agree with each other.

/** A movement on a receiving account, independent of any provider's format. */
export type TestTransfer = {
  id: number
  amount: number
  account: string
  /** The number of the QR, where the bank has virtual accounts. */
  virtualAccount?: string
  /** What the payer wrote; at MoMo's gateway the order's code. */
  memo: string
  ref: string | null
  bookedAt: Date
  direction: 'in' | 'out'
}

/** Both kinds of Casso's notifications use one webhook. */
export type Sender = 'sepay' | 'casso' | 'casso-token' | 'payos' | 'momo'
export const SENDERS: readonly Sender[] = ['sepay', 'casso', 'casso-token', 'payos', 'momo']

export type ToSign = {
  provider: Sender
  transfer: TestTransfer
  /** When it is signed, where the signature has a time. */
  at: Date
  /** The test portal's when left out. */
  secret?: string
}

export type SignedNotification = { url: string; headers: Record<string, string>; body: string }
export type Fields = Record<string, unknown>

/** What a provider sends about a transfer, signed. */
export function notificationOf({ provider, transfer, at, secret }: ToSign): SignedNotification {
  return sign({
    provider,
    fields: FIELDS[provider](transfer),
    at,
    ...(secret === undefined ? {} : { secret }),
  })
}

/** The same about one of the fields given, whatever they say. */
export function sign({
  provider,
  fields,
  at,
  secret = SECRETS[provider],
}: Omit<ToSign, 'transfer'> & { fields: Fields }): SignedNotification {
  const { headers, body } = SIGNATURES[provider](fields, { at, secret })
  return {
    url: `/api/webhooks/${provider === 'casso-token' ? 'casso' : provider}`,
    headers: { 'content-type': 'application/json', ...headers },
    body,
  }
}

/** A provider's fields of a transfer, without the signature. */
export function fieldsOf(provider: Sender, transfer: TestTransfer): Fields {
  return FIELDS[provider](transfer)
}

const SECRETS: Record<Sender, string> = {
  sepay: PAYMENT_KEYS.sepay,
  casso: PAYMENT_KEYS.casso,
  'casso-token': PAYMENT_KEYS.cassoToken,
  payos: PAYMENT_KEYS.payos,
  momo: PAYMENT_KEYS.momo.secret,
}

/** Text of `YYYY-MM-DD HH:mm:ss` in Vietnam. */
export const vietnamTime = (moment: Date) =>
  new Date(moment.getTime() + 7 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

const signed = ({ amount, direction }: TestTransfer) => (direction === 'in' ? amount : -amount)

const FIELDS: Record<Sender, (transfer: TestTransfer) => Fields> = {
  sepay: ({ id, amount, account, virtualAccount, memo, ref, bookedAt, direction }) => ({
    id,
    gateway: 'Vietcombank',
    transactionDate: vietnamTime(bookedAt),
    accountNumber: account,
    subAccount: virtualAccount ?? null,
    code: null,
    content: memo,
    transferType: direction,
    transferAmount: amount,
    accumulated: 0,
    referenceCode: ref,
    description: '',
  }),
  casso: (transfer) => ({
    error: 0,
    data: {
      id: transfer.id,
      reference: transfer.ref,
      description: transfer.memo,
      amount: signed(transfer),
      runningBalance: 25_000_000,
      transactionDateTime: vietnamTime(transfer.bookedAt),
      accountNumber: transfer.account,
      bankName: 'Vietcombank',
      bankAbbreviation: 'VCB',
      virtualAccountNumber: transfer.virtualAccount ?? '',
      virtualAccountName: '',
      counterAccountName: 'NGUYEN VAN A',
      counterAccountNumber: '8888888888',
      counterAccountBankId: '970415',
      counterAccountBankName: 'VietinBank',
    },
  }),
  'casso-token': (transfer) => ({
    error: 0,
    data: [
      {
        id: transfer.id,
        tid: transfer.ref,
        description: transfer.memo,
        amount: signed(transfer),
        cusum_balance: 25_000_000,
        when: vietnamTime(transfer.bookedAt),
        bank_sub_acc_id: transfer.account,
        subAccId: transfer.account,
        bankName: 'Vietcombank',
        bankAbbreviation: 'VCB',
        virtualAccount: transfer.virtualAccount ?? null,
        corresponsiveName: null,
        corresponsiveAccount: null,
      },
    ],
  }),
  payos: ({ id, amount, account, virtualAccount, memo, ref, bookedAt }) => ({
    code: '00',
    desc: 'success',
    success: true,
    data: {
      orderCode: id,
      amount,
      description: memo,
      accountNumber: account,
      reference: ref,
      transactionDateTime: vietnamTime(bookedAt),
      currency: 'VND',
      paymentLinkId: `link${id}`,
      code: '00',
      desc: 'Thành công',
      counterAccountBankId: null,
      counterAccountBankName: null,
      counterAccountName: null,
      counterAccountNumber: null,
      virtualAccountName: null,
      virtualAccountNumber: virtualAccount ?? '',
    },
  }),
  momo: ({ id, amount, memo, bookedAt }) => ({
    partnerCode: PAYMENT_KEYS.momo.partnerCode,
    orderId: memo,
    requestId: memo,
    amount,
    orderInfo: `Nạp TCoin ${memo}`,
    orderType: 'momo_wallet',
    transId: id,
    resultCode: 0,
    message: 'Thành công.',
    payType: 'qr',
    responseTime: bookedAt.getTime(),
    extraData: '',
  }),
}

type Signer = (
  fields: Fields,
  how: { at: Date; secret: string },
) => { headers: Record<string, string>; body: string }

const SIGNATURES: Record<Sender, Signer> = {
  sepay(fields, { at, secret }) {
    const body = JSON.stringify(fields)
    const time = String(Math.floor(at.getTime() / 1000))
    const made = hmac('sha256', secret, `${time}.${body}`)
    return { body, headers: { 'x-sepay-timestamp': time, 'x-sepay-signature': `sha256=${made}` } }
  },
  casso(fields, { at, secret }) {
    const time = String(at.getTime())
    const made = hmac('sha512', secret, `${time}.${JSON.stringify(inOrder(fields))}`)
    return { body: JSON.stringify(fields), headers: { 'x-casso-signature': `t=${time},v1=${made}` } }
  },
  'casso-token': (fields, { secret }) => ({
    body: JSON.stringify(fields),
    headers: { 'secure-token': secret },
  }),
  payos(fields, { secret }) {
    const text = Object.entries(fields.data as Fields)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => `${name}=${written(value)}`)
      .join('&')
    return { headers: {}, body: JSON.stringify({ ...fields, signature: hmac('sha256', secret, text) }) }
  },
  momo(fields, { secret }) {
    const { accessKey } = PAYMENT_KEYS.momo
    const text = Object.entries({ ...fields, accessKey })
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => `${name}=${written(value)}`)
      .join('&')
    return { headers: {}, body: JSON.stringify({ ...fields, signature: hmac('sha256', secret, text) }) }
  },
}

const written = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')

function hmac(algorithm: 'sha256' | 'sha512', secret: string, text: string): string {
  return createHmac(algorithm, secret).update(text).digest('hex')
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const fields = value as Fields
  // A number that JSON.rawJSON keeps as it is to be written.
  if ('rawJSON' in fields) return value
  return Object.fromEntries(
    Object.keys(fields)
      .sort()
      .map((name) => [name, inOrder(fields[name])]),
  )
}

/** A new transfer, by default 50,000 VND to Vietcombank. */
export function aTransfer(change: Partial<TestTransfer> = {}): TestTransfer {
  const id = randomInt(1, 2 ** 47)
  return {
    id,
    amount: 50_000,
    account: VIETCOMBANK.number,
    memo: '',
    ref: `FT${id}`,
    bookedAt: new Date(),
    direction: 'in',
    ...change,
  }
}

export type Answered = { status: number; text: string }

/** Sends a provider's signed notification to its webhook. */
export async function post(test: Pick<TestApp, 'app'>, notification: SignedNotification): Promise<Answered> {
  const { url, headers, body } = notification
  const answer = await test.app.inject({ method: 'POST', url, headers, payload: body })
  return { status: answer.statusCode, text: answer.body }
}

export function postNotification(test: TestApp, provider: Sender, transfer: TestTransfer): Promise<Answered> {
  return post(test, notificationOf({ provider, transfer, at: new Date() }))
}

export function postFields(test: TestApp, provider: Sender, fields: Fields): Promise<Answered> {
  return post(test, sign({ provider, fields, at: new Date() }))
}

/** The stored payment events of a transfer, from any provider, in the order of arrival. */
export async function storedEventsOf(test: TestApp, { id, ref }: Pick<TestTransfer, 'id' | 'ref'>) {
  return test.db
    .selectFrom('payment_event as event')
    .leftJoin('bank_transaction as bank', 'bank.id', 'event.bank_transaction_id')
    .select(['event.provider', 'event.status', 'event.reason', 'bank.state', 'bank.id as bankTransactionId'])
    .where('event.provider_event_id', 'in', [String(id), `link${id}:${ref ?? ''}`])
    .orderBy('event.id')
    .execute()
}

/** How many events and bank transactions there are at all, by what became of them. */
export async function storedCounts(test: TestApp): Promise<{ events: number; transactions: number }> {
  const { events } = await test.db
    .selectFrom('payment_event')
    .select((eb) => eb.fn.countAll<string>().as('events'))
    .executeTakeFirstOrThrow()
  const { transactions } = await test.db
    .selectFrom('bank_transaction')
    .select((eb) => eb.fn.countAll<string>().as('transactions'))
    .executeTakeFirstOrThrow()
  return { events: Number(events), transactions: Number(transactions) }
}

export async function orderRow(test: TestApp, { code }: Pick<RechargeOrder, 'code'>) {
  const row = await test.db
    .selectFrom('payment_order')
    .select(['status', 'credited'])
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
  return { order: row.status, credited: Number(row.credited) }
}
