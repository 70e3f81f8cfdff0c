import { reportClientError } from '#contract/client-errors.ts'
import { operatorClientErrors } from '#contract/operator/client-errors.ts'
import { serveOperatorList } from '#server/modules/audit/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import {
  type ClientErrorDeps,
  getClientError,
  handleClientError,
  listClientErrors,
  storeReport,
} from './client-errors.service.ts'

export function registerClientErrors(api: Api, deps: ClientErrorDeps): void {
  api.serve(reportClientError, ({ body, request, reply }) => {
    reply.header('cache-control', 'no-store')
    return storeReport(deps, body, clientKey(request.ip))
  })
  serveOperatorList(api, deps, operatorClientErrors.list, {
    usualSort: ['last_seen', 'DESC'],
    rows: listClientErrors,
  })
  api.serve(operatorClientErrors.get, ({ params }) => getClientError(deps.db, params.id))
  api.serve(operatorClientErrors.handle, (call) => handleClientError(deps, call))
}
