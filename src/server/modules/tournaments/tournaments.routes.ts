import { getBracket, listTournaments } from '#contract/tournaments.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import * as tournaments from './tournaments.service.ts'

export function registerTournaments(api: Api, deps: PlatformDeps): void {
  api.serve(listTournaments, () => tournaments.listTournaments(deps.db))
  api.serve(getBracket, ({ params }) => tournaments.getBracket(deps.db, params.id))
}
