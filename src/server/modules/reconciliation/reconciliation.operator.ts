import { operatorDailyCloses } from '#contract/operator/daily-closes.ts'
import type { Api } from '#server/platform/http/api.ts'
import { listAnswer, readList } from '#server/platform/http/list.ts'
import { listDailyCloses } from './daily-close.service.ts'
import type { ReconciliationDeps } from './pull.service.ts'

export function registerOperatorDailyCloses(api: Api, { db }: ReconciliationDeps): void {
  api.serve(operatorDailyCloses.list, async ({ query, reply }) => {
    const page = readList(query, ['day', 'DESC'])
    return listAnswer(reply, 'daily-closes', { page, ...(await listDailyCloses(db, page.filter, page)) })
  })
}
