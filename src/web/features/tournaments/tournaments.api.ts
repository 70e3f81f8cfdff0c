import { getBracket, listTournaments } from '#contract/tournaments.ts'
import { apiQuery } from '#web/query-client.ts'

export const tournamentsQuery = apiQuery(listTournaments)

export const bracketQuery = (id = '') => apiQuery(getBracket, { params: { id } })
