import { listTransactions, TRANSACTIONS_CSV_PATH } from '#contract/transactions.ts'
import { apiQueryOf, type StatementView } from '#web/features/statements/statement-query.ts'
import { createCall } from '#client/call.ts'
import { saveFile } from '#client/save-file.ts'
import { apiQuery } from '#web/query-client.ts'
import { sessionHeaders } from '#web/session-headers.ts'

export const statementQuery = (view: StatementView) => apiQuery(listTransactions, { query: apiQueryOf(view) })

const statementFile = { ...listTransactions, path: TRANSACTIONS_CSV_PATH }

/** Saves everything that the view lists, not only its page. A plain link would not send the session. */
export async function saveStatement(view: StatementView): Promise<void> {
  const call = createCall(async ({ url, headers }) => {
    const response = await fetch(url, { headers: sessionHeaders(headers) })
    if (!response.ok) return { status: response.status, text: await response.text() }
    const [, name = 'giao-dich.csv'] =
      /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
    saveFile(await response.blob(), name)
    return { status: response.status, text: '' }
  })
  const { page: _page, items_per_page: _count, ...query } = apiQueryOf(view)
  await call(statementFile, { query })
}
