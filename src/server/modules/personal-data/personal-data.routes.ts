import { Readable } from 'node:stream'
import { downloadPersonalData } from '#contract/personal-data.ts'
import { callerOf } from '#server/modules/sessions/index.ts'
import type { Api } from '#server/platform/http/api.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { exportOwnData } from './own-data.service.ts'

export function registerPersonalData(api: Api, deps: PlatformDeps): void {
  api.serve(downloadPersonalData, async ({ identity, body, request, reply }) => {
    const asked = { identity, body, requestId: request.id, caller: callerOf(request) }
    const { name, pieces } = await exportOwnData(deps, asked)
    reply
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="${name}"`)
      .type('application/json; charset=utf-8')
      .send(Readable.from(pieces, { objectMode: false }))
    return undefined
  })
}
