import { getBracket, listTournaments } from '#contract/tournaments.ts'
import { readPublic } from '#server/platform/db/replica.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import * as tournaments from './tournaments.service.ts'

export function registerTournaments(api: Api, deps: PlatformDeps): void {
  api.serveRead(listTournaments, () => readPublic(deps.db, tournaments.listTournaments))
  api.serveRead(getBracket, ({ params }) =>
    readPublic(deps.db, (db) => tournaments.getBracket(db, params.id)),
  )
}
