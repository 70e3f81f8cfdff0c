import { paths } from '#contract/pages.ts'
import type { getBracket, listTournaments } from '#contract/tournaments.ts'
import { bare } from '#web/first-calls.ts'
import { apiQuery } from '#web/query-client.ts'

/** Bare as those of `first-calls.ts`: most who come here have not been on the site before. The list's call is named as its page is. */
export const tournamentCalls = {
  listTournaments: bare<typeof listTournaments>('GET', paths.tournaments),
  getBracket: bare<typeof getBracket>('GET', '/tournaments/brackets/{id}'),
}

export const tournamentsQuery = apiQuery(tournamentCalls.listTournaments)

export const bracketQuery = (id = '') => apiQuery(tournamentCalls.getBracket, { params: { id } })
