import { getBracket, listTournaments } from '#contract/tournaments.ts'
import { readPublic } from '#server/platform/db/replica.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { readGameNames } from '#server/domain/game-names.ts'
import type { Api } from '#server/platform/http/api.ts'
import * as tournaments from './tournaments.service.ts'

export function registerTournaments(api: Api, deps: PlatformDeps): void {
  // Names come from the memory of this process, which knows of a change before a replica does.
  api.serveRead(listTournaments, async () => {
    const names = await readGameNames(deps.db)
    return readPublic(deps.db, (db) => tournaments.listTournaments(db, names))
  })
  api.serveRead(getBracket, async ({ params }) => {
    const names = await readGameNames(deps.db)
    return readPublic(deps.db, (db) => tournaments.getBracket(db, params.id, names))
  })
}
