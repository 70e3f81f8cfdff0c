import { createHmac } from 'node:crypto'
import type { FakeAnswer, FakeCall } from './provider-answer.ts'

export type MomoSecrets = { partnerCode: string; accessKey: string; secretKey: string }

export type FakeMomoOrder = {
  orderId: string
  requestId: string
  amount: number
  ipnUrl: string
  redirectUrl: string
  orderInfo: string
  /** The answer to a query. */
  resultCode: number
  transId: number
}

export type FakeMomoRefund = { paidTransId: number; amount: number; transId: number; resultCode: number }

export type FakeMomo = {
  orders: Map<string, FakeMomoOrder>
  /** Money that went back, by the refund's own order. */
  refunds: Map<string, FakeMomoRefund>
  /** The answer to the next refund, which is then not made. */
  refuseRefund(resultCode: number): void
  /** Whether created orders come with a QR of MoMo's own. */
  hasQr: boolean
  /** The player pays, or comes as far as another result code says. */
  settle(orderId: string, resultCode?: number): FakeMomoOrder
  /** The body of the notification about an order, signed. */
  ipn(orderId: string, change?: Record<string, unknown>): Record<string, unknown>
  answer(call: FakeCall): FakeAnswer
}

type MomoRequest = Record<string, string | number>

const PENDING = 1000
const SIGNED = {
  create: [
    'amount',
    'extraData',
    'ipnUrl',
    'orderId',
    'orderInfo',
    'partnerCode',
    'redirectUrl',
    'requestId',
    'requestType',
  ],
  query: ['orderId', 'partnerCode', 'requestId'],
  refund: ['amount', 'description', 'orderId', 'partnerCode', 'requestId', 'transId'],
  'refund/query': ['orderId', 'partnerCode', 'requestId'],
} as const
const IPN_SIGNED = [
  'amount',
  'extraData',
  'message',
  'orderId',
  'orderInfo',
  'orderType',
  'partnerCode',
  'payType',
  'requestId',
  'responseTime',
  'resultCode',
  'transId',
]

/** MoMo's books: orders, payments and refunds, each call checked by its signature. */
export function openMomoBooks({ partnerCode, accessKey, secretKey }: MomoSecrets): FakeMomo {
  const orders = new Map<string, FakeMomoOrder>()
  const refunds = new Map<string, FakeMomoRefund>()
  const refusals: number[] = []
  let lastTransId = 4_000_000_000

  const sign = (names: readonly string[], values: Record<string, unknown>) =>
    createHmac('sha256', secretKey)
      .update([`accessKey=${accessKey}`, ...names.map((name) => `${name}=${String(values[name])}`)].join('&'))
      .digest('hex')

  const reply = (resultCode: number, rest: Record<string, unknown> = {}): FakeAnswer => ({
    status: resultCode === 0 || resultCode >= 1000 ? 200 : 400,
    body: { partnerCode, resultCode, message: 'Thông báo', responseTime: Date.now(), ...rest },
  })

  const books: FakeMomo = {
    orders,
    refunds,
    refuseRefund: (resultCode) => void refusals.push(resultCode),
    hasQr: true,
    settle(orderId, resultCode = 0) {
      const order = orders.get(orderId)
      if (!order) throw new Error(`MoMo has no order ${orderId}`)
      order.resultCode = resultCode
      if (order.transId === 0) order.transId = lastTransId += 1
      return order
    },
    ipn(orderId, change = {}) {
      const order = orders.get(orderId)
      if (!order) throw new Error(`MoMo has no order ${orderId}`)
      const body: Record<string, unknown> = {
        partnerCode,
        orderId,
        requestId: order.requestId,
        amount: order.amount,
        orderInfo: order.orderInfo,
        orderType: 'momo_wallet',
        transId: order.transId,
        resultCode: order.resultCode,
        message: 'Thành công.',
        payType: 'qr',
        responseTime: Date.now(),
        extraData: '',
        ...change,
      }
      return { ...body, signature: sign(IPN_SIGNED, body) }
    },
    answer({ url, body }) {
      const act = url.pathname.split('/api/').at(-1) as keyof typeof SIGNED
      const requested = JSON.parse(body) as MomoRequest
      if (requested.partnerCode !== partnerCode || requested.signature !== sign(SIGNED[act], requested))
        return reply(11)
      if (act === 'create') return create(requested)
      if (act === 'refund') return refund(requested)
      if (act === 'refund/query') return refundNow(requested)
      const order = orders.get(String(requested.orderId))
      if (!order) return reply(42, { orderId: requested.orderId, requestId: requested.requestId })
      const { resultCode, amount, transId } = order
      return reply(resultCode, {
        orderId: order.orderId,
        requestId: requested.requestId,
        extraData: '',
        amount,
        transId: resultCode === PENDING ? 0 : transId,
        payType: 'qr',
        refundTrans: [],
      })
    },
  }

  function create(requested: MomoRequest): FakeAnswer {
    const orderId = String(requested.orderId)
    const requestId = String(requested.requestId)
    if (orders.has(orderId)) return reply(41, { orderId, requestId })
    const amount = Number(requested.amount)
    if (amount < 1_000 || amount > 50_000_000) return reply(22, { orderId, requestId })
    orders.set(orderId, {
      orderId,
      requestId,
      amount,
      ipnUrl: String(requested.ipnUrl),
      redirectUrl: String(requested.redirectUrl),
      orderInfo: String(requested.orderInfo),
      resultCode: PENDING,
      transId: 0,
    })
    return reply(0, {
      orderId,
      requestId,
      amount,
      payUrl: `https://test-payment.momo.vn/v2/gateway/pay?t=${orderId}`,
      ...(books.hasQr ? { qrCodeUrl: `momo://app?action=payWithApp&orderId=${orderId}` } : {}),
    })
  }

  function refund({
    orderId: requested,
    requestId,
    transId,
    amount: requestedAmount,
  }: MomoRequest): FakeAnswer {
    const [orderId, amount] = [String(requested), Number(requestedAmount)]
    if (refunds.has(orderId)) return reply(41, { orderId, requestId })
    const refused = refusals.shift()
    if (refused !== undefined) return reply(refused, { orderId, requestId })
    const paid = [...orders.values()].find((order) => order.transId === transId && order.resultCode === 0)
    if (!paid) return reply(1088, { orderId, requestId })
    const given = [...refunds.values()].filter(({ paidTransId }) => paidTransId === paid.transId)
    const left = paid.amount - given.reduce((sum, one) => sum + one.amount, 0)
    if (amount > left) return reply(1081, { orderId, requestId })
    const made = { paidTransId: paid.transId, amount, transId: (lastTransId += 1), resultCode: 0 }
    refunds.set(orderId, made)
    return reply(0, { orderId, requestId, amount, transId: made.transId })
  }

  function refundNow({ orderId, requestId }: MomoRequest): FakeAnswer {
    const made = refunds.get(String(orderId))
    if (!made) return reply(42, { orderId, requestId })
    const { amount, transId, resultCode } = made
    const row = { orderId, amount, transId, resultCode, createdTime: Date.now() }
    return reply(resultCode, { orderId, requestId, amount, transId, refundTrans: [row] })
  }

  return books
}
