import { Readable } from 'node:stream'
import * as calls from '#contract/accounts/personal-data.ts'
import { operatorDeletions } from '#contract/operator/deletion-requests.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import { callerOf } from '#server/modules/sessions/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import { requestErasure, describeDeletion, withdrawRequest, type DeletionDeps } from './asking.service.ts'
import { approveDeletion, getDeletion, listDeletions, refuseDeletion } from './deciding.service.ts'
import { exportOwnData } from './exporting.service.ts'

export function registerPersonalData(api: Api, deps: DeletionDeps): void {
  api.serve(calls.downloadPersonalData, async ({ identity, body, request, reply }) => {
    const ownerRequest = { identity, body, requestId: request.id, caller: callerOf(request) }
    const { name, pieces } = await exportOwnData(deps, ownerRequest)
    reply
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="${name}"`)
      .type('application/json; charset=utf-8')
      .send(Readable.from(pieces, { objectMode: false }))
  })
  api.serve(calls.getDeletionRequest, ({ identity }) => describeDeletion(deps, identity))
  api.serve(calls.askForDeletion, ({ identity, body, request }) =>
    requestErasure(deps, { identity, body, requestId: request.id, caller: callerOf(request) }),
  )
  api.serve(calls.withdrawDeletion, ({ identity, request }) =>
    withdrawRequest(deps, { identity, requestId: request.id }),
  )
}

export function registerOperatorDeletions(api: Api, deps: DeletionDeps): void {
  const { db } = deps
  serveOperatorList(api, deps, operatorDeletions.list, { usualSort: ['due_at', 'ASC'], rows: listDeletions })
  api.serve(operatorDeletions.get, ({ params }) => getDeletion(db, params.id))
  api.serveAll(operatorDeletions, deps, { carryOut: approveDeletion, refuse: refuseDeletion })
}
