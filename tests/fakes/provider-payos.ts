import { createHmac } from 'node:crypto'
import type { FakeAnswer, FakeCall } from './provider-answer.ts'

export type PayosSecrets = { clientId: string; apiKey: string; checksumKey: string }

type PayosTransaction = {
  reference: string
  amount: number
  accountNumber: string
  description: string
  transactionDateTime: string
  virtualAccountName: null
  virtualAccountNumber: null
  counterAccountBankId: null
  counterAccountBankName: null
  counterAccountName: null
  counterAccountNumber: null
}

export type FakePayosRequest = {
  orderCode: number
  amount: number
  description: string
  returnUrl: string
  cancelUrl: string
  transactions: PayosTransaction[]
}

export type FakePayos = {
  requests: Map<number, FakePayosRequest>
  /** The account payOS takes money on for us. */
  account: { bin: string; number: string }
  pay(orderCode: number, payment: { reference: string; amount?: number; bookedAt?: Date }): void
  answer(call: FakeCall, isForged: boolean): FakeAnswer
}

const vietnamClock = (moment: Date) =>
  new Date(moment.getTime() + 7 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

const sorted = (value: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))

/** payOS' payment requests; its answers are signed like its notifications. */
export function openPayosBooks({ clientId, apiKey, checksumKey }: PayosSecrets): FakePayos {
  const requests = new Map<number, FakePayosRequest>()
  const hmac = (text: string) => createHmac('sha256', checksumKey).update(text).digest('hex')
  const signData = (data: object) =>
    hmac(
      Object.entries(sorted(data))
        .map(([name, value]) => {
          const text = Array.isArray(value)
            ? JSON.stringify(value.map((one) => sorted(one as object)))
            : String(value ?? '')
          return `${name}=${text}`
        })
        .join('&'),
    )

  const reply = (data: object, isForged: boolean): FakeAnswer => ({
    body: {
      code: '00',
      desc: 'success',
      data,
      signature: isForged ? hmac('another') : signData(data),
    },
  })

  const books: FakePayos = {
    requests,
    account: { bin: '970436', number: '0011000000001' },
    pay(orderCode, { reference, amount, bookedAt = new Date() }) {
      const request = requests.get(orderCode)
      if (!request) throw new Error(`payOS has no request ${orderCode}`)
      request.transactions.push({
        reference,
        amount: amount ?? request.amount,
        accountNumber: books.account.number,
        description: request.description,
        transactionDateTime: vietnamClock(bookedAt),
        virtualAccountName: null,
        virtualAccountNumber: null,
        counterAccountBankId: null,
        counterAccountBankName: null,
        counterAccountName: null,
        counterAccountNumber: null,
      })
    },
    answer({ method, url, body, headers }, isForged) {
      if (headers['x-client-id'] !== clientId || headers['x-api-key'] !== apiKey)
        return { status: 401, body: { code: '401', desc: 'không có quyền' } }
      if (method === 'POST')
        return create(JSON.parse(body) as FakePayosRequest & { signature: string }, isForged)
      const request = requests.get(Number(url.pathname.split('/').at(-1)))
      if (!request) return { body: { code: '101', desc: 'không tồn tại', data: null } }
      const amountPaid = request.transactions.reduce((sum, { amount }) => sum + amount, 0)
      return reply(
        {
          id: `link${request.orderCode}`,
          orderCode: request.orderCode,
          amount: request.amount,
          amountPaid,
          amountRemaining: request.amount - amountPaid,
          status: amountPaid >= request.amount ? 'PAID' : 'PENDING',
          createdAt: new Date().toISOString(),
          transactions: request.transactions,
          canceledAt: null,
          cancellationReason: null,
        },
        isForged,
      )
    },
  }

  function create(requested: FakePayosRequest & { signature: string }, isForged: boolean): FakeAnswer {
    const { amount, cancelUrl, description, orderCode, returnUrl } = requested
    const text = `amount=${amount}&cancelUrl=${cancelUrl}&description=${description}&orderCode=${orderCode}&returnUrl=${returnUrl}`
    if (requested.signature !== hmac(text)) return { body: { code: '201', desc: 'sai chữ ký', data: null } }
    if (requests.has(orderCode)) return { body: { code: '231', desc: 'đã tồn tại', data: null } }
    requests.set(orderCode, { orderCode, amount, description, returnUrl, cancelUrl, transactions: [] })
    return reply(
      {
        bin: books.account.bin,
        accountNumber: books.account.number,
        accountName: 'CONG TY NINJA',
        amount,
        description,
        orderCode,
        currency: 'VND',
        paymentLinkId: `link${orderCode}`,
        status: 'PENDING',
        checkoutUrl: `https://pay.payos.vn/web/link${orderCode}`,
        qrCode: `payos-qr-${orderCode}`,
      },
      isForged,
    )
  }

  return books
}
