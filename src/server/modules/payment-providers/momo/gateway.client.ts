import * as z from 'zod/mini'
import { CHANNEL_MOMO } from '#contract/constants.ts'
import type { CheckoutClient } from '../payment-vendor.rules.ts'
import { momoOutcome, readRefund, readRefundQuery } from './outcome.rules.ts'
import { signMomo, type MomoKeys } from './signature.ts'
import { openProviderCall, ProviderFailure, readJson } from '../provider-call.ts'

/** MoMo asks its merchants to wait this long. */
const TIMEOUT_MS = 30_000

/** The bank code MoMo's wallets have in a QR. */
const MOMO_BIN = '971025'
/** What MoMo takes in one payment. */
const MOMO_MAX_VND = 50_000_000

type MomoGatewayOptions = {
  baseUrl: string
  keys: MomoKeys
  /** False while its channel shows the QR of a wallet: then only earlier orders and refunds are asked about. */
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
      const { resultCode, answer } = await ask('create', { ...fields, signature: sign(fields) })
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
      const { resultCode, text } = await ask('query', { ...fields, signature: sign(fields) })
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
        const answered = await ask('refund', { ...fields, transId: Number(transId), signature })
        return readRefund({ ...answered, asked: { refundOrder, amountVnd: amount } }) ?? anotherRefund()
      },
      async query({ refundOrder, amountVnd, queryId }) {
        const fields = { orderId: refundOrder, requestId: queryId }
        const answered = await ask('refund/query', { ...fields, signature: sign(fields) })
        return readRefundQuery({ ...answered, asked: { refundOrder, amountVnd } }) ?? anotherRefund()
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
