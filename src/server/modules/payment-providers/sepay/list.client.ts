import * as z from 'zod/mini'
import { vietnamClock } from '#server/platform/values/vietnam-time.rules.ts'
import {
  type BankEvent,
  type BankList,
  listedId,
  listedText,
  listedVnd,
  type ListWindow,
  type PulledList,
  readRows,
  type Pace,
} from '../payment-vendor.rules.ts'
import { accountNumber, vietnamMoment } from '../notification.rules.ts'
import { openProviderCall, ProviderFailure, readJson } from '../provider-call.ts'

const TIMEOUT_MS = 20_000
/** SePay gives up to 5,000, more than the bounded answer holds. */
const ROWS_PER_CALL = 500
const CALLS_MAX = 200

const envelope = z.object({ status: z.literal(200), transactions: z.array(z.unknown()) })

const row = z.object({
  id: listedId,
  account_number: accountNumber,
  transaction_date: vietnamMoment,
  amount_in: listedVnd,
  amount_out: listedVnd,
  transaction_content: listedText,
  reference_number: listedText,
  code: listedText,
})

/**
 * SePay's list of transactions, its interface of version 1: version 2 names them by UUIDs, and only the numbers of
 * version 1 are those a notification carries.
 */
export function openSepayList({
  baseUrl,
  token,
  paceMs,
}: { baseUrl: string; token: string } & Pace): BankList {
  const call = openProviderCall({ baseUrl, timeoutMs: TIMEOUT_MS, paceMs })

  async function fetchRows({ accountNumber, from, to, sinceId }: ListWindow): Promise<unknown[]> {
    const query = new URLSearchParams({
      account_number: accountNumber,
      transaction_date_min: vietnamClock(from),
      transaction_date_max: vietnamClock(to),
      limit: String(ROWS_PER_CALL),
      ...(sinceId === undefined ? {} : { since_id: sinceId }),
    })
    const answer = await call({
      method: 'GET',
      path: `/userapi/transactions/list?${query}`,
      headers: { authorization: `Bearer ${token}` },
    })
    const read = envelope.safeParse(readJson(answer))
    if (!read.success) throw new ProviderFailure('unreadable', 'SePay answered no list of transactions')
    return read.data.transactions
  }

  return {
    provider: 'sepay',
    /** A full answer may have left rows out, at an unknown end: then each half of the time is fetched. */
    async pull(window) {
      const found = new Map<string, { event: BankEvent; raw: Buffer }>()
      const unreadable: string[] = []
      const open: ListWindow[] = [window]
      for (let calls = 0; open.length > 0; calls += 1) {
        if (calls === CALLS_MAX) throw new ProviderFailure('unreadable', 'SePay’s list has no end')
        const next = open.shift() as ListWindow
        const rows = await fetchRows(next)
        if (rows.length >= ROWS_PER_CALL) {
          open.unshift(...halves(next))
          continue
        }
        const list: PulledList = readRows(rows, readRow)
        unreadable.push(...list.unreadable)
        for (const one of list.rows) found.set(one.event.providerEventId, one)
      }
      return { rows: [...found.values()], unreadable }
    },
  }
}

function halves(window: ListWindow): [ListWindow, ListWindow] {
  const from = Math.floor(window.from.getTime() / 1_000)
  const to = Math.floor(window.to.getTime() / 1_000)
  if (to <= from) throw new ProviderFailure('unreadable', 'SePay lists more in one second than it gives')
  const middle = Math.floor((from + to) / 2)
  return [
    { ...window, to: new Date(middle * 1_000) },
    { ...window, from: new Date((middle + 1) * 1_000) },
  ]
}

/** The same event as from SePay's notification of the movement (`notification.rules.ts`); the list names its fields otherwise. */
function readRow(given: unknown): { event: BankEvent } | { fault: string } {
  const read = row.safeParse(given)
  if (!read.success) return { fault: String(read.error.issues[0]?.path[0] ?? '') }
  const fields = read.data
  const isIn = fields.amount_in > 0
  const amountVnd = isIn ? fields.amount_in : Math.abs(fields.amount_out)
  if (amountVnd === 0 || (isIn && fields.amount_out !== 0)) return { fault: 'amount_in' }
  return {
    event: {
      provider: 'sepay',
      providerEventId: fields.id,
      direction: isIn ? 'in' : 'out',
      amountVnd,
      accountNumber: fields.account_number,
      bankRef: fields.reference_number.trim() || null,
      memo: fields.transaction_content,
      fullText: '',
      code: fields.code.trim() || null,
      bookedAt: fields.transaction_date,
    },
  }
}
