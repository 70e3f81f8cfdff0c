import * as z from 'zod/mini'
import { readVietnamClock, vietnamClock } from '#server/platform/values/vietnam-time.rules.ts'
import {
  type BankEvent,
  type BankList,
  listedId,
  listedText,
  listedVnd,
  type PulledRow,
  readRows,
  type Pace,
} from '../payment-vendor.rules.ts'
import { cassoEvent } from './notifications.ts'
import { openProviderCall, ProviderFailure, readJson } from '../provider-call.ts'

const TIMEOUT_MS = 20_000
const ROWS_PER_PAGE = 100
const PAGES_MAX = 300

const envelope = z.object({
  error: z.literal(0),
  data: z.object({
    totalPages: z.int().check(z.gte(0)),
    records: z.array(z.unknown()).check(z.maxLength(ROWS_PER_PAGE)),
  }),
})

// Casso wrote these names in two ways over the years, and its notifications still use both.
const accountNames = ['bankSubAccId', 'bank_sub_acc_id', 'accountNumber', 'subAccId'] as const

const row = z.object({
  id: listedId,
  tid: listedText,
  description: listedText,
  amount: listedVnd,
  when: z.string().check(z.refine((text) => readWhen(text) !== undefined)),
  corresponsiveName: listedText,
  corresponsiveAccount: listedText,
})

/** Casso's list of transactions. It has no filter for an account: the rows of others are passed over. */
export function openCassoList({
  baseUrl,
  token,
  paceMs,
}: { baseUrl: string; token: string } & Pace): BankList {
  const call = openProviderCall({ baseUrl, timeoutMs: TIMEOUT_MS, paceMs })
  return {
    provider: 'casso',
    async pull({ accountNumber, from, to }) {
      const found: PulledRow[] = []
      const unreadable: string[] = []
      for (let page = 1; ; page += 1) {
        if (page > PAGES_MAX) throw new ProviderFailure('unreadable', 'Casso’s list has no end')
        // Oldest first: what comes in meanwhile goes to the end and moves no row to another page.
        const query = new URLSearchParams({
          fromDate: vietnamClock(from).slice(0, 10),
          page: String(page),
          pageSize: String(ROWS_PER_PAGE),
          sort: 'ASC',
        })
        const answer = await call({
          method: 'GET',
          path: `/v2/transactions?${query}`,
          headers: { authorization: `Apikey ${token}` },
        })
        const read = envelope.safeParse(readJson(answer))
        if (!read.success) throw new ProviderFailure('unreadable', 'Casso answered no list of transactions')
        const list = readRows(read.data.data.records, readRow)
        unreadable.push(...list.unreadable)
        found.push(...list.rows)
        if (page >= read.data.data.totalPages) break
      }
      const isAsked = ({ event }: PulledRow) =>
        event.accountNumber === accountNumber && event.bookedAt >= from && event.bookedAt <= to
      return { rows: found.filter(isAsked), unreadable }
    },
  }
}

/** Local time in Vietnam without a zone, or ISO 8601 with one. */
function readWhen(text: string): Date | undefined {
  const local = readVietnamClock(text)
  if (local !== undefined) return local
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)
  const moment = new Date(text)
  return isMoment && !Number.isNaN(moment.getTime()) ? moment : undefined
}

function readRow(given: unknown): { event: BankEvent } | { fault: string } {
  const read = row.safeParse(given)
  if (!read.success) return { fault: String(read.error.issues[0]?.path[0] ?? '') }
  const fields = read.data
  const names = given as Record<string, unknown>
  const accountNumber = accountNames
    .map((name) => names[name])
    .find((value) => typeof value === 'string' && value)
  if (typeof accountNumber !== 'string' || !/^[\x20-\x7e]{1,64}$/.test(accountNumber)) {
    return { fault: 'bankSubAccId' }
  }
  if (fields.amount === 0) return { fault: 'amount' }
  return {
    event: {
      ...cassoEvent({
        id: fields.id,
        amount: fields.amount,
        accountNumber: accountNumber.trim(),
        bankRef: fields.tid.trim() || null,
        memo: fields.description,
        bookedAt: readWhen(fields.when) as Date,
      }),
      ...(fields.corresponsiveName === '' ? {} : { counterName: fields.corresponsiveName }),
      ...(fields.corresponsiveAccount === '' ? {} : { counterAccount: fields.corresponsiveAccount }),
    },
  }
}
