import { savedFilters } from '#contract/operator/session.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { listSaved, removeSaved, renameSaved, saveFilter } from './saved-filters.service.ts'

export function registerSavedFilters(api: Api, { db }: PlatformDeps): void {
  api.serve(savedFilters.list, ({ identity, query }) => listSaved(db, identity.userId, query.list))
  api.serve(savedFilters.save, ({ identity, body }) => saveFilter(db, identity.userId, body))
  api.serve(savedFilters.rename, ({ identity, params, body }) =>
    renameSaved(db, { userId: identity.userId, id: params.id, name: body.name }),
  )
  api.serve(savedFilters.remove, ({ identity, params }) =>
    removeSaved(db, { userId: identity.userId, id: params.id }),
  )
}
