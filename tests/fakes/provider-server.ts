import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestTransfer } from '#tests/support/signed-notifications.ts'
import type { FakeAnswer, FakeCall } from './provider-answer.ts'
import { openMomoBooks, type FakeMomo, type MomoSecrets } from './provider-momo.ts'
import { openPayosBooks, type FakePayos, type PayosSecrets } from './provider-payos.ts'

/** The fault of the next calls. `lost-after` performs the call and never answers. */
export type ProviderFault =
  | 'hang'
  | 'lost-after'
  | 'error'
  | 'busy'
  | 'busy-long'
  | 'garbage'
  | 'wrong-signature'

export type FakeProviders = {
  url: string
  /** The banks' own books, which SePay and Casso both list. */
  transfers: TestTransfer[]
  /** Ids of transfers that the lists leave out. */
  silent: Set<number>
  /** Rows put in front of the lists' own as they are. */
  strayRows: unknown[]
  momo: FakeMomo
  payos: FakePayos
  /** Calls that came in, as `GET /userapi/transactions/list`. */
  calls: string[]
  /** Called for each call before it is processed. */
  onCall: ((path: string) => Promise<void>) | null
  failNext(fault: ProviderFault, times?: number): void
  /** Every call to a path with this prefix gets this fault, until it is reset with null. */
  breakPath(prefix: string, fault: ProviderFault | null): void
  close(): Promise<void>
}

export type ProviderSecrets = {
  sepayToken: string
  cassoToken: string
  momo: MomoSecrets
  payos: PayosSecrets
}

const vietnamClock = (moment: Date) =>
  new Date(moment.getTime() + 7 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

/** SePay's and Casso's lists, payOS and MoMo behind one address, with books of their own and faults on demand. */
export async function startFakeProviders(secrets: ProviderSecrets): Promise<FakeProviders> {
  const transfers: TestTransfer[] = []
  const silent = new Set<number>()
  const strayRows: unknown[] = []
  const calls: string[] = []
  const faults: ProviderFault[] = []
  const broken = new Map<string, ProviderFault>()
  const momo = openMomoBooks(secrets.momo)
  const payos = openPayosBooks(secrets.payos)
  const listed = () => transfers.filter(({ id }) => !silent.has(id))

  function answer(call: FakeCall, isForged: boolean): FakeAnswer {
    const { pathname } = call.url
    if (pathname === '/userapi/transactions/list') return sepayList(call)
    if (pathname === '/v2/transactions') return cassoList(call)
    if (pathname.startsWith('/v2/payment-requests')) return payos.answer(call, isForged)
    if (pathname.startsWith('/v2/gateway/api/')) return momo.answer(call)
    return { status: 404, body: {} }
  }

  function sepayList({ url, headers }: FakeCall): FakeAnswer {
    if (headers.authorization !== `Bearer ${secrets.sepayToken}`) return { status: 401, body: {} }
    const parameter = (name: string) => url.searchParams.get(name) ?? ''
    const rows = listed()
      .filter(({ account }) => [account, ''].includes(parameter('account_number')))
      .filter(({ id }) => id >= Number(parameter('since_id')))
      .map(({ bookedAt, ...transfer }) => ({ ...transfer, at: vietnamClock(bookedAt) }))
      .filter(({ at }) => at >= parameter('transaction_date_min') && at <= parameter('transaction_date_max'))
      .sort((a, b) => b.id - a.id)
      .slice(0, Number(parameter('limit')))
      .map(({ id, amount, account, virtualAccount, memo, ref, at, direction }) => ({
        id: String(id),
        bank_brand_name: 'Vietcombank',
        account_number: account,
        transaction_date: at,
        amount_out: direction === 'out' ? `${amount}.00` : '0.00',
        amount_in: direction === 'in' ? `${amount}.00` : '0.00',
        accumulated: '0.00',
        transaction_content: memo,
        reference_number: ref,
        code: null,
        sub_account: virtualAccount ?? null,
        bank_account_id: '1',
      }))
    const transactions = [...strayRows, ...rows]
    return { body: { status: 200, error: null, messages: { success: true }, transactions } }
  }

  function cassoList({ url, headers }: FakeCall): FakeAnswer {
    if (headers.authorization !== `Apikey ${secrets.cassoToken}`) return { status: 401, body: {} }
    const pageSize = Number(url.searchParams.get('pageSize'))
    const page = Number(url.searchParams.get('page'))
    const from = url.searchParams.get('fromDate') ?? ''
    const all = listed()
      .filter(({ bookedAt }) => vietnamClock(bookedAt) >= from)
      .sort((a, b) => a.id - b.id)
    const records = all.slice((page - 1) * pageSize, page * pageSize).map((transfer) => ({
      id: transfer.id,
      tid: transfer.ref,
      description: transfer.memo,
      amount: transfer.direction === 'in' ? transfer.amount : -transfer.amount,
      cusumBalance: 0,
      when: vietnamClock(transfer.bookedAt),
      bankSubAccId: transfer.account,
    }))
    const totalPages = Math.ceil(all.length / pageSize)
    return { body: { error: 0, message: 'success', data: { page, pageSize, totalPages, records } } }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://provider')
    const call = {
      method: request.method ?? '',
      url,
      body: await readBody(request),
      headers: request.headers,
    }
    calls.push(`${call.method} ${url.pathname}`)
    await providers.onCall?.(url.pathname)
    const standing = [...broken].find(([prefix]) => url.pathname.startsWith(prefix))?.[1]
    const fault = standing ?? faults.shift()
    if (fault === 'hang') return
    if (fault === 'error') return send(response, { status: 500, body: { error: 'broken' } })
    if (fault === 'garbage') return void response.end('<html>bảo trì</html>')
    if (fault === 'busy') return send(response, { status: 429, body: {}, headers: { 'retry-after': '0' } })
    if (fault === 'busy-long')
      return send(response, { status: 429, body: {}, headers: { 'x-sepay-userapi-retry-after': '60' } })
    const reply = answer(call, fault === 'wrong-signature')
    if (fault === 'lost-after') return void response.destroy()
    send(response, reply)
  }

  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const providers: FakeProviders = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    transfers,
    silent,
    strayRows,
    momo,
    payos,
    calls,
    onCall: null,
    failNext(fault, times = 1) {
      for (let index = 0; index < times; index += 1) faults.push(fault)
    },
    breakPath(prefix, fault) {
      if (fault === null) broken.delete(prefix)
      else broken.set(prefix, fault)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return providers
}

function send(response: ServerResponse, { status = 200, body, headers = {} }: FakeAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
