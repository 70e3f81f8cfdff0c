import { getLegalText } from '#contract/legal.ts'
import { operatorLegal } from '#contract/operator/legal.ts'
import { readPublic } from '#server/platform/db/replica.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import * as legal from './legal.service.ts'
import { readLegalText } from './legal.service.ts'

export function registerLegal(api: Api, { db }: PlatformDeps): void {
  api.serveRead(getLegalText, ({ params, query }) =>
    readPublic(db, (near) => readLegalText(near, params.kind, query.version)),
  )
}

export function registerOperatorLegal(api: Api, deps: PlatformDeps & { publicUrl: string }): void {
  const { db } = deps
  api.serve(operatorLegal.list, () => legal.listCurrent(db))
  api.serve(operatorLegal.get, ({ params, identity }) =>
    legal.getForOperator(db, { kind: params.kind, userId: identity.userId }),
  )
  api.serve(operatorLegal.versions, ({ params }) => legal.listVersions(db, params.kind))
  api.serve(operatorLegal.publish, (call) => legal.publish(deps, call))
  api.serve(operatorLegal.saveDraft, ({ params, identity, body }) =>
    legal.saveDraft(deps, { kind: params.kind, userId: identity.userId }, body),
  )
  api.serve(operatorLegal.dropDraft, ({ params, identity }) =>
    legal.dropDraft(deps, { kind: params.kind, userId: identity.userId }),
  )
}
