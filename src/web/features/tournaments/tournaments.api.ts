import type { getBracket, listTournaments } from '#contract/tournaments.ts'
import { openQuery } from '#web/query-client.ts'

export const tournamentsQuery = openQuery<typeof listTournaments>('/tournaments')

export const bracketQuery = (id = '') =>
  openQuery<typeof getBracket>('/tournaments/brackets/{id}', { params: { id } })
