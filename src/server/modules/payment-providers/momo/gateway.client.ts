import * as z from 'zod/mini'
import { CHANNEL_MOMO } from '#contract/constants.ts'
import { isRecord, readNotificationJson } from '../notification.rules.ts'
import {
  type CheckoutClient,
  type CheckoutOutcome,
  type GatewayRefund,
  type RefundOutcome,
} from '../payment-vendor.rules.ts'
import { openProviderCall, ProviderFailure, readJson } from '../provider-call.ts'
import { signMomo, type MomoKeys, momoPayment } from './notifications.ts'

/** MoMo's merchants have to wait this long. */
const TIMEOUT_MS = 30_000

/** The bank code MoMo's wallets have in a QR. */
const MOMO_BIN = '971025'
/** What MoMo takes in one payment. */
const MOMO_MAX_VND = 50_000_000

type MomoGatewayOptions = {
  baseUrl: string
  keys: MomoKeys
  /** False while its channel shows the QR of a wallet: then only earlier orders and refunds are queried. */
  isOpen: boolean
}

const answerSchema = z.object({ resultCode: z.int(), partnerCode: z.optional(z.string()) })
const createdSchema = z.object({
  orderId: z.string(),
  requestId: z.string(),
  amount: z.int(),
  payUrl: z.string().check(z.maxLength(2_000), z.regex(/^https?:\/\/[^\s"'<>]+$/)),
  /** Longer ones fit no picture a phone could read. */
  qrCodeUrl: z.optional(z.nullable(z.string().check(z.maxLength(1_000)))),
})

/** MoMo's payment gateway. Values are signed as they are sent, names in alphabetical order, with the access key among them. */
export function openMomoGateway({ baseUrl, keys, isOpen }: MomoGatewayOptions): CheckoutClient {
  // Players wait for it, as many at once as there are.
  const call = openProviderCall({ baseUrl, timeoutMs: TIMEOUT_MS, paceMs: 0 })
  const { partnerCode } = keys
  const [credentials] = keys.credentials as [MomoKeys['credentials'][number]]

  const sign = (fields: Record<string, string | number>) => {
    const pairs = Object.entries({ partnerCode, ...fields }).sort(([a], [b]) => (a < b ? -1 : 1))
    return signMomo(
      credentials,
      pairs.map(([name, value]) => [name, String(value)]),
    )
  }

  async function send(path: string, body: Record<string, unknown>) {
    const text = await answerOf(() =>
      call({ method: 'POST', path: `/v2/gateway/api/${path}`, body: { partnerCode, lang: 'vi', ...body } }),
    )
    const answer = readJson(text)
    const read = answerSchema.safeParse(answer)
    if (!read.success || (read.data.partnerCode ?? partnerCode) !== partnerCode) {
      throw new ProviderFailure('unreadable', `MoMo answered ${path} with something else`)
    }
    return { resultCode: read.data.resultCode, answer, text }
  }

  return {
    provider: 'momo',
    channels: isOpen ? [CHANNEL_MOMO] : [],
    gateway: { channel: CHANNEL_MOMO, bin: MOMO_BIN, number: partnerCode, maxVnd: MOMO_MAX_VND },
    namesOrdersBy: 'code',
    async create({ code, amountVnd: amount, notificationUrl: ipnUrl, returnUrl: redirectUrl }) {
      const fields = {
        amount,
        extraData: '',
        ipnUrl,
        orderId: code,
        orderInfo: `Nap TCoin ${code}`,
        redirectUrl,
        requestId: code,
        requestType: 'captureWallet',
      }
      const { resultCode, answer } = await send('create', { ...fields, signature: sign(fields) })
      if (resultCode !== 0) throw new ProviderFailure('refused', `MoMo refused an order with ${resultCode}`)
      const read = createdSchema.safeParse(answer)
      const isOurs = read.success && read.data.orderId === code && read.data.amount === amount
      if (!isOurs) throw new ProviderFailure('unreadable', 'MoMo answered another order than was asked for')
      const { payUrl, qrCodeUrl } = read.data
      // MoMo gives a QR only by agreement; without it the address itself is one, which a phone's camera opens.
      return { payUrl, qr: qrCodeUrl || payUrl }
    },
    async find({ code, requestId, attempt }) {
      const fields = { orderId: code, requestId: `${code}Q${attempt}` }
      const { resultCode, text } = await send('query', { ...fields, signature: sign(fields) })
      const outcome = momoOutcome({ text, resultCode, order: { code, requestId }, partnerCode })
      if (outcome) return outcome
      throw new ProviderFailure('unreadable', 'MoMo answered about another order than was asked about')
    },
    refunds: {
      async refund({ refundOrder, transId, amountVnd: amount }) {
        const description = `Hoan tien ${refundOrder}`
        const fields = { amount, description, orderId: refundOrder, requestId: refundOrder, transId }
        const signature = sign(fields)
        // MoMo's numbers of payments are numbers, and signed as the same digits.
        const answered = await send('refund', { ...fields, transId: Number(transId), signature })
        return readRefund({ ...answered, requested: { refundOrder, amountVnd: amount } }) ?? anotherRefund()
      },
      async query({ refundOrder, amountVnd, queryId }) {
        const fields = { orderId: refundOrder, requestId: queryId }
        const answered = await send('refund/query', { ...fields, signature: sign(fields) })
        return readRefundQuery({ ...answered, requested: { refundOrder, amountVnd } }) ?? anotherRefund()
      },
    },
  }
}

function anotherRefund(): never {
  throw new ProviderFailure('unreadable', 'MoMo answered about another refund than was asked about')
}

/** MoMo refuses in JSON under HTTP 4xx as well: that is an answer, not a failure. */
async function answerOf(work: () => Promise<string>): Promise<string> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderFailure) || error.answer === undefined) throw error
    if (answerSchema.safeParse(readJson(error.answer)).success) return error.answer
    throw error
  }
}

/** Results that can no longer become a payment. An unknown code counts as pending: it is queried again. */
const FAILED = new Set([1001, 1002, 1003, 1004, 1005, 1006, 1007, 1017, 1026, 4001, 4002, 4100])
const NOT_FOUND = 42

type MomoAnswer = {
  text: string
  resultCode: number
  /** The queried order, and the request by which the order was made: the notification would name both. */
  order: { code: string; requestId: string }
  partnerCode: string
}

/** Reads the answer to a query; undefined when it is about another order. */
function momoOutcome({ text, resultCode, order, partnerCode }: MomoAnswer): CheckoutOutcome | undefined {
  if (resultCode === NOT_FOUND) return { state: 'unknown', payments: [] }
  if (FAILED.has(resultCode)) return { state: 'failed', payments: [] }
  if (resultCode !== 0) return { state: 'pending', payments: [] }
  const raw = Buffer.from(text)
  const body = readNotificationJson(raw)
  if (!isRecord(body) || body.orderId !== order.code || body.partnerCode !== partnerCode) return undefined
  const event = momoPayment(body, order.requestId, raw)
  return event && { state: 'paid', payments: [{ event, raw }] }
}

const REFUND_NOT_FOUND = 42
/** Final failures of a refund. Any other code may still become a success: MoMo is queried again. */
const REFUND_FAILED = new Set([1001, 1002, 1004, 1007, 1026, 1080, 1081, 1088, 4001, 4002])
/** Requests that MoMo did not accept, so that there is no refund to query. 40 and 41 are not among them: the id is known there. */
const NOT_ACCEPTED = new Set([11, 12, 13, 20, 21, 22, REFUND_NOT_FOUND])

const listedId = z.pipe(
  z.union([z.int().check(z.gte(1)), z.string().check(z.regex(/^[1-9]\d{0,18}$/))]),
  z.transform(String),
)
const refunded = z.object({ orderId: z.string(), amount: z.int(), transId: listedId })
const listed = z.object({ orderId: z.string(), amount: z.int(), resultCode: z.int(), transId: z.unknown() })
const withList = z.object({ refundTrans: z.array(z.unknown()) })

type RefundAnswer = {
  answer: unknown
  resultCode: number
  requested: Pick<GatewayRefund, 'refundOrder' | 'amountVnd'>
}

/** Reads the answer to the request for a refund; undefined when it is about another one. */
export function readRefund({ answer, resultCode, requested }: RefundAnswer): RefundOutcome | undefined {
  if (NOT_ACCEPTED.has(resultCode)) return { kind: 'refused', resultCode }
  return readOutcome(answer, resultCode, requested)
}

/** Reads the answer to the query of a refund. Its own row in the list counts before the answer as a whole. */
export function readRefundQuery({ answer, resultCode, requested }: RefundAnswer): RefundOutcome | undefined {
  const row = rowsOf(answer).find(({ orderId }) => orderId === requested.refundOrder)
  if (row !== undefined) return readOutcome(row, row.resultCode, requested)
  if (resultCode === REFUND_NOT_FOUND) return { kind: 'unknown-refund' }
  return readOutcome(answer, resultCode, requested)
}

function readOutcome(
  answer: unknown,
  resultCode: number,
  requested: RefundAnswer['requested'],
): RefundOutcome | undefined {
  if (resultCode === 0) return readRefunded(answer, requested)
  // A query that was refused does not decide the refund.
  return { kind: REFUND_FAILED.has(resultCode) ? 'refused' : 'pending', resultCode }
}

function readRefunded(answer: unknown, requested: RefundAnswer['requested']): RefundOutcome | undefined {
  const read = refunded.safeParse(answer)
  const isOurs =
    read.success && read.data.orderId === requested.refundOrder && read.data.amount === requested.amountVnd
  return isOurs ? { kind: 'refunded', transId: read.data.transId } : undefined
}

function rowsOf(answer: unknown): z.output<typeof listed>[] {
  const read = withList.safeParse(answer)
  if (!read.success) return []
  return read.data.refundTrans.flatMap((row) => {
    const one = listed.safeParse(row)
    return one.success ? [one.data] : []
  })
}
