import { operatorDeletions } from '#contract/operator/deletion-requests.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import type { DeletionDeps } from './asking.service.ts'
import { approveDeletion, getDeletion, listDeletions, refuseDeletion } from './deciding.service.ts'

export function registerOperatorDeletions(api: Api, deps: DeletionDeps): void {
  const { db } = deps
  serveOperatorList(api, deps, operatorDeletions.list, { usualSort: ['due_at', 'ASC'], rows: listDeletions })
  api.serve(operatorDeletions.get, ({ params }) => getDeletion(db, params.id))
  api.serveAll(operatorDeletions, deps, { carryOut: approveDeletion, refuse: refuseDeletion })
}
