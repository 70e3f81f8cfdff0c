import { operatorDailyCloses } from '#contract/operator/daily-closes.ts'
import type { Api } from '#server/platform/http/api.ts'
import { listRange, readListQuery } from '#server/platform/http/list.ts'
import { CLOSE_LIST, listDailyCloses } from './closes-list.service.ts'
import type { ReconciliationDeps } from './pull.service.ts'

export function registerOperatorDailyCloses(api: Api, { db }: ReconciliationDeps): void {
  api.serve(operatorDailyCloses.list, async ({ query, reply }) => {
    const list = readListQuery({ sort: '["day","DESC"]', ...query }, CLOSE_LIST)
    return listRange(reply, 'daily-closes', { list, ...(await listDailyCloses(db, list)) })
  })
}
