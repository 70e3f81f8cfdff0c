import * as z from 'zod/mini'
import { momoOutcome, type MomoOutcome } from './outcome.rules.ts'
import { readRefund, readRefundQuery, type MomoRefund, type MomoRefundOutcome } from './refund.rules.ts'
import { signMomo, type MomoKeys } from './signature.ts'
import { openProviderCall, readJson } from '../provider-call.ts'
import { ProviderFailure } from '../provider-failure.ts'

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

export type MomoClient = {
  /** Throws a ProviderFailure when it did not come to be, or when nobody knows. */
  create(order: MomoOrder): Promise<MomoCheckout>
  /** `requestId` is that of the order; each query goes out under the id of its own that is given with it. */
  query(asked: { code: string; requestId: string; queryId: string }): Promise<MomoOutcome>
  /** Sends money back. Throws a ProviderFailure when nobody knows whether it did. */
  refund(refund: MomoRefund): Promise<MomoRefundOutcome>
  /** How a refund stands that was asked for; `queryId` as above. */
  queryRefund(
    asked: Pick<MomoRefund, 'refundOrder' | 'amountVnd'> & { queryId: string },
  ): Promise<MomoRefundOutcome>
}

export type MomoClientOptions = { baseUrl: string; keys: MomoKeys }

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
export function openMomoClient({ baseUrl, keys }: MomoClientOptions): MomoClient {
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
    async refund({ refundOrder, transId, amountVnd: amount }) {
      const description = `Hoan tien ${refundOrder}`
      const fields = { amount, description, orderId: refundOrder, requestId: refundOrder, transId }
      const signature = sign(fields)
      // MoMo's numbers of payments are numbers, and signed as the same digits.
      const told = await ask('refund', { ...fields, transId: Number(transId), signature })
      return readRefund({ ...told, asked: { refundOrder, amountVnd: amount } }) ?? anotherRefund()
    },
    async queryRefund({ refundOrder, amountVnd, queryId }) {
      const fields = { orderId: refundOrder, requestId: queryId }
      const told = await ask('refund/query', { ...fields, signature: sign(fields) })
      return readRefundQuery({ ...told, asked: { refundOrder, amountVnd } }) ?? anotherRefund()
    },
  }
}

function anotherRefund(): never {
  throw new ProviderFailure('unreadable', 'MoMo answered about another refund than was asked about')
}

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
