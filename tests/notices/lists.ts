import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readConfig } from '#server/config/config.ts'
import { wireDeps } from '#server/app/deps.ts'
import { dayOf, reconcileDay } from '#server/modules/reconciliation/index.ts'
import { DatabaseListener } from '#server/platform/db/notices.ts'
import { openLog } from '#server/platform/log/log.ts'
import { vietnamTime } from '#tests/support/signed-notifications.ts'
import type { Cleanup } from '../harness/fleet.ts'
import type { Setup } from '../torture/notices/setup.ts'
import { ACCOUNTS, type ListedRow } from './lanes.ts'
import { jsonIn } from './rules/bytes.ts'
import { readElement } from './rules/reading.ts'
import type { Rules } from './rules/rules.ts'

/** SePay's and Casso's lists, with the rows that they have of it. */
async function startLists(cleanup: Cleanup, rows: readonly ListedRow[]): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://lists')
    response.setHeader('content-type', 'application/json')
    if (pathname === '/v2/transactions') {
      const records = rows.filter(({ list }) => list === 'casso').map(({ row }) => row)
      const [page, size] = [Number(searchParams.get('page')), Number(searchParams.get('pageSize'))]
      const shown = records.slice((page - 1) * size, page * size)
      const totalPages = Math.max(1, Math.ceil(records.length / size))
      response.end(JSON.stringify({ error: 0, data: { page, pageSize: size, totalPages, records: shown } }))
      return
    }
    const account = searchParams.get('account_number')
    const [from = '', to = ''] = ['transaction_date_min', 'transaction_date_max'].map((name) =>
      searchParams.get(name),
    )
    const transactions = rows
      .filter(({ list, truth }) => {
        const at = vietnamTime(truth.at)
        return (
          list === 'sepay' &&
          at >= (from ?? '') &&
          at <= (to ?? '') &&
          (account ?? truth.account) === truth.account
        )
      })
      .map(({ row }) => row)
    response.end(JSON.stringify({ status: 200, error: null, messages: { success: true }, transactions }))
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  cleanup.defer(() => new Promise<void>((done) => void server.close(() => done())))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Reads the lists day by day, as the portal does every night, and tells the rules of the rows in the same order. */
export async function pullDays(setup: Setup, rows: readonly ListedRow[], rules: Rules): Promise<number> {
  await using cleanup = new AsyncDisposableStack()
  const url = await startLists(cleanup, rows)
  const { db, environment } = setup
  const config = readConfig({
    ...environment,
    SEPAY_API_TOKEN: 'sepay-token',
    SEPAY_BASE_URL: url,
    CASSO_API_TOKEN: 'casso-token',
    CASSO_BASE_URL: url,
  })
  const log = openLog('fatal')
  const deps = wireDeps({
    config,
    log,
    database: { db, listener: new DatabaseListener(environment.DATABASE_URL, log) },
  })
  const days = [...new Set(rows.map(({ truth }) => dayOf(truth.at)))].toSorted()
  for (const day of days) {
    await reconcileDay(deps, day)
    for (const list of ['sepay', 'casso'] as const)
      for (const account of [ACCOUNTS.vietcombank, ACCOUNTS.acb])
        for (const row of rows) {
          const read = readElement(
            list === 'sepay' ? 'sepay-list' : 'casso',
            jsonIn(JSON.stringify(row.row)),
            null,
          )
          const isAsked = [read.account, read.virtual].includes(account)
          if (row.list === list && dayOf(row.truth.at) === day && isAsked)
            rules.tell(read, 'pulled', new Date())
        }
  }
  return days.length
}
