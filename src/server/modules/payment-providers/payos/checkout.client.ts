import * as z from 'zod/mini'
import { CHANNEL_ACB, CHANNEL_VIETCOMBANK } from '#contract/constants.ts'
import type { CheckoutClient, PulledRow } from '../payment-vendor.rules.ts'
import { hmacHex, openProviderCall, ProviderFailure } from '../provider-call.ts'
import {
  accountNumber,
  isRecord,
  type JsonRecord,
  type JsonValue,
  providerId,
  readNotificationJson,
  wholeNumber,
  writeSorted,
} from '../notification.rules.ts'
import { readPayosTransfer, isPayosSigned } from './notifications.ts'

/** A player waits for it, and it only adds to what they have already. */
const TIMEOUT_MS = 4_000

type PayosClientOptions = { baseUrl: string; clientId: string; apiKey: string; checksumKeys: string[] }

const link = z.string().check(z.maxLength(2_000), z.regex(/^https?:\/\/[^\s"'<>]+$/))
const createdSchema = z.object({
  bin: z.string(),
  accountNumber,
  amount: wholeNumber,
  orderCode: wholeNumber,
  checkoutUrl: link,
  qrCode: z.string().check(z.minLength(1), z.maxLength(1_000)),
})
const requestSchema = z.object({
  id: providerId,
  orderCode: wholeNumber,
  status: z.string().check(z.maxLength(40)),
  transactions: z.array(z.unknown()).check(z.maxLength(100)),
})
/** payOS' payment requests. What it answers is believed only when it is signed. */
export function openPayosClient(options: PayosClientOptions): CheckoutClient {
  const { baseUrl, clientId, apiKey, checksumKeys } = options
  const call = openProviderCall({ baseUrl, timeoutMs: TIMEOUT_MS, paceMs: 0 })
  const headers = { 'x-client-id': clientId, 'x-api-key': apiKey }

  async function send(request: {
    method: 'GET' | 'POST'
    path: string
    body?: unknown
  }): Promise<JsonRecord> {
    const body = readNotificationJson(Buffer.from(await call({ ...request, headers })))
    if (!isRecord(body) || typeof body.code !== 'string') {
      throw new ProviderFailure('unreadable', 'payOS answered something else')
    }
    if (body.code !== '00')
      throw new ProviderFailure('refused', `payOS refused with ${body.code.slice(0, 16)}`)
    if (!isPayosSigned(body, checksumKeys) || !isRecord(body.data)) {
      throw new ProviderFailure('unreadable', 'payOS’ answer is not signed by payOS')
    }
    return body.data
  }

  return {
    provider: 'payos',
    channels: [CHANNEL_VIETCOMBANK, CHANNEL_ACB],
    gateway: null,
    namesOrdersBy: 'number',
    async create({ providerOrder, amountVnd: amount, code: description, account, returnUrl }) {
      const orderCode = Number(providerOrder)
      const cancelUrl = returnUrl
      const text = `amount=${amount}&cancelUrl=${cancelUrl}&description=${description}&orderCode=${orderCode}&returnUrl=${returnUrl}`
      const signature = hmacHex('sha256', checksumKeys[0] as string, text)
      const body = { orderCode, amount, description, returnUrl, cancelUrl, signature }
      const read = createdSchema.safeParse(await send({ method: 'POST', path: '/v2/payment-requests', body }))
      if (!read.success || read.data.orderCode !== orderCode || read.data.amount !== amount) {
        throw new ProviderFailure('unreadable', 'payOS answered another order than was asked for')
      }
      const { bin, accountNumber: number, checkoutUrl, qrCode } = read.data
      // A transfer to another account than the order's would not be matched with the order.
      const isOurs = bin === account.bin && number === account.number
      return { payUrl: checkoutUrl, qr: isOurs ? qrCode : null }
    },
    async find({ providerOrder }) {
      const orderCode = Number(providerOrder)
      const read = requestSchema.safeParse(
        await send({ method: 'GET', path: `/v2/payment-requests/${orderCode}` }),
      )
      if (!read.success || read.data.orderCode !== orderCode) {
        throw new ProviderFailure('unreadable', 'payOS answered about another order than was asked about')
      }
      const { id, status, transactions } = read.data
      return {
        state: status === 'PAID' ? 'paid' : 'pending',
        payments: transactions.map((one) => readTransaction(id, one as JsonValue)),
      }
    },
  }
}

function readTransaction(paymentLinkId: string, given: JsonValue): PulledRow {
  const raw = Buffer.from(writeSorted(given))
  const { kind, event } = readPayosTransfer(paymentLinkId, given, raw)
  if (kind !== 'movement')
    throw new ProviderFailure('unreadable', 'payOS lists a transfer that cannot be read')
  return { event, raw }
}
