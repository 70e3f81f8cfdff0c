import { vietnamClock } from '#server/platform/values/vietnam-time.rules.ts'
import {
  isRecord,
  type JsonRecord,
  type JsonValue,
  NumberText,
  readNotificationJson,
} from '../notification.rules.ts'
import { ofAccount, readRows } from '../notice-fields.ts'
import type { BankList, PulledList, Pace } from '../payment-vendor.rules.ts'
import { openProviderCall, ProviderFailure } from '../provider-call.ts'
import { readCassoRow } from './notifications.ts'

const TIMEOUT_MS = 20_000
const ROWS_PER_PAGE = 100
const PAGES_MAX = 300

/** Casso's list of transactions. It has no filter for an account: the rows of others are passed over. */
export function openCassoList({
  baseUrl,
  token,
  paceMs,
}: { baseUrl: string; token: string } & Pace): BankList {
  const call = openProviderCall({ baseUrl, timeoutMs: TIMEOUT_MS, paceMs })
  return {
    provider: 'casso',
    async pull(window) {
      const { from, to } = window
      const found: PulledList = { rows: [], unreadable: [] }
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
        const { records, totalPages } = pageOf(answer)
        const list = readRows(records, readCassoRow)
        found.unreadable.push(...list.unreadable)
        found.rows.push(...list.rows)
        if (page >= totalPages) break
      }
      const { rows, unreadable } = ofAccount(window, found)
      const isInTime = (at: Date | null) => at === null || (at >= from && at <= to)
      return { rows: rows.filter(({ event }) => isInTime(event.bookedAt)), unreadable }
    },
  }
}

function pageOf(answer: string): { records: JsonValue[]; totalPages: number } {
  const body = readNotificationJson(Buffer.from(answer))
  const data =
    isRecord(body) && body.error instanceof NumberText && body.error.text === '0' ? body.data : null
  const { records, totalPages } = isRecord(data ?? undefined) ? (data as JsonRecord) : {}
  const isPage = Array.isArray(records) && records.length <= ROWS_PER_PAGE
  if (!isPage || !(totalPages instanceof NumberText) || !/^\d{1,9}$/.test(totalPages.text))
    throw new ProviderFailure('unreadable', 'Casso answered no list of transactions')
  return { records, totalPages: Number(totalPages.text) }
}
