import * as z from 'zod/mini'
import { momoOutcome, type MomoOutcome } from './momo-outcome.rules.ts'
import { signMomo, type MomoKeys } from './momo-signature.ts'
import { openProviderCall, readJson } from './provider-call.ts'
import { ProviderFailure } from './provider-failure.ts'

/** MoMo asks its merchants to wait this long. */
const TIMEOUT_MS = 30_000

export type MomoOrder = {
  /** Our order's code; also the id of the request, which makes a repeat the same request. */
  code: string
  amountVnd: number
  ipnUrl: string
  redirectUrl: string
}

export type MomoCheckout = {
  payUrl: string
  /** Empty where MoMo gives none: that product has to be agreed on. */
  qr: string
}

export type MomoRefund = {
  /** A new one for each refund; kept, it makes a repeat the same refund. */
  refundOrder: string
  transId: string
  amountVnd: number
  description: string
}

export type MomoRefundOutcome =
  | { kind: 'refunded'; transId: string }
  | { kind: 'pending' | 'failed'; code: number }

export type MomoClient = {
  /** Throws a ProviderFailure when it did not come to be, or when nobody knows. */
  create(order: MomoOrder): Promise<MomoCheckout>
  /** `requestId` is that of the order; each query goes out under the id of its own that is given with it. */
  query(asked: { code: string; requestId: string; queryId: string }): Promise<MomoOutcome>
  refund(refund: MomoRefund): Promise<MomoRefundOutcome>
}

export type MomoClientOptions = { baseUrl: string; keys: MomoKeys; paceMs?: number | undefined }

const answerSchema = z.object({ resultCode: z.int(), partnerCode: z.optional(z.string()) })
const createdSchema = z.object({
  orderId: z.string(),
  requestId: z.string(),
  amount: z.int(),
  payUrl: z.string().check(z.maxLength(2_000), z.regex(/^https?:\/\/[^\s"'<>]+$/)),
  qrCodeUrl: z.optional(z.nullable(z.string().check(z.maxLength(2_000)))),
})
const transId = z.pipe(z.union([z.int(), z.string().check(z.regex(/^\d{1,19}$/))]), z.transform(String))
const refundedSchema = z.object({ orderId: z.string(), amount: z.int(), transId })

/** MoMo's payment gateway. Values are signed as they are sent, names in alphabetical order, with the access key among them. */
export function openMomoClient({ baseUrl, keys, paceMs }: MomoClientOptions): MomoClient {
  const call = openProviderCall({ baseUrl, timeoutMs: TIMEOUT_MS, paceMs })
  const { partnerCode } = keys
  const [credentials] = keys.credentials as [MomoKeys['credentials'][number]]

  const sign = (fields: Record<string, string | number>) => {
    const pairs = Object.entries({ partnerCode, ...fields }).sort(([a], [b]) => (a < b ? -1 : 1))
    return signMomo(
      credentials,
      pairs.map(([name, value]) => [name, String(value)]),
    )
  }

  async function ask(path: string, body: Record<string, unknown>) {
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
    async create({ code, amountVnd: amount, ipnUrl, redirectUrl }) {
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
      const { resultCode, answer } = await ask('create', { ...fields, signature: sign(fields) })
      if (resultCode !== 0) throw new ProviderFailure('refused', `MoMo refused an order with ${resultCode}`)
      const read = createdSchema.safeParse(answer)
      const isOurs = read.success && read.data.orderId === code && read.data.amount === amount
      if (!isOurs) throw new ProviderFailure('unreadable', 'MoMo answered another order than was asked for')
      return { payUrl: read.data.payUrl, qr: read.data.qrCodeUrl ?? '' }
    },
    async query({ code, requestId, queryId }) {
      const fields = { orderId: code, requestId: queryId }
      const { resultCode, text } = await ask('query', { ...fields, signature: sign(fields) })
      const outcome = momoOutcome({ text, resultCode, order: { code, requestId }, partnerCode })
      if (outcome) return outcome
      throw new ProviderFailure('unreadable', 'MoMo answered about another order than was asked about')
    },
    async refund({ refundOrder, transId: paid, amountVnd: amount, description }) {
      const fields = { amount, description, orderId: refundOrder, requestId: refundOrder, transId: paid }
      const signature = sign(fields)
      const { resultCode, answer } = await ask('refund', { ...fields, transId: Number(paid), signature })
      if (resultCode === 0) {
        const read = refundedSchema.safeParse(answer)
        if (!read.success || read.data.orderId !== refundOrder || read.data.amount !== amount) {
          throw new ProviderFailure('unreadable', 'MoMo answered another refund than was asked for')
        }
        return { kind: 'refunded', transId: read.data.transId }
      }
      return { kind: REFUND_REFUSED.has(resultCode) ? 'failed' : 'pending', code: resultCode }
    },
  }
}

/** A refund that surely did not happen and will not: anything else may still. */
const REFUND_REFUSED = new Set([11, 12, 13, 20, 21, 22, 40, 41, 42, 1001, 1080, 1081, 1088])

/** MoMo says no in JSON under HTTP 4xx as well: that is an answer, not a failure. */
async function answerOf(work: () => Promise<string>): Promise<string> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ProviderFailure) || error.answer === undefined) throw error
    if (answerSchema.safeParse(readJson(error.answer)).success) return error.answer
    throw error
  }
}
