import { operatorDeletions } from '#contract/operator/deletion-requests.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import type { DeletionDeps } from './asking.service.ts'
import { approveDeletion, getDeletion, listDeletions, refuseDeletion } from './deciding.service.ts'

export function registerOperatorDeletions(api: Api, deps: DeletionDeps): void {
  const { db } = deps
  serveOperatorList(api, deps, operatorDeletions.list, {
    resource: 'deletion-requests',
    usualSort: ['due_at', 'ASC'],
    isGrowing: true,
    rows: (filter, page) => listDeletions(db, filter, page),
  })
  api.serve(operatorDeletions.get, ({ params }) => getDeletion(db, params.id))
  api.serve(operatorDeletions.carryOut, (call) => approveDeletion(deps, call))
  api.serve(operatorDeletions.refuse, (call) => refuseDeletion(deps, call))
}
