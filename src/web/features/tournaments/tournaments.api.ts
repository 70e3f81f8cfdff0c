import { queryOptions } from '@tanstack/react-query'
import { TEAMS_PAGE } from '#contract/tournament-rules.ts'
import type { getOwnTeam, listTournamentTeams, PublicTeam } from '#contract/tournament-teams.ts'
import type {
  getBracket,
  getDraw,
  getTournamentReminder,
  listCharacterResults,
  listOwnResults,
  listTournaments,
} from '#contract/tournaments.ts'
import { browserCall } from '#web/browser-call.ts'
import { openQuery, ownQuery } from '#web/query-client.ts'

export const tournamentsQuery = openQuery<typeof listTournaments>('/tournaments')

export const bracketQuery = (id = '') =>
  openQuery<typeof getBracket>('/tournaments/brackets/{id}', { params: { id } })

export const drawQuery = (id: string) =>
  openQuery<typeof getDraw>('/tournaments/{id}/draw', { params: { id } })

export const ownTeamPath = '/tournaments/{id}/mine'

export const ownTeamQuery = (id: string) => ownQuery<typeof getOwnTeam>(ownTeamPath, { params: { id } })

export const reminderQuery = (id: string) =>
  ownQuery<typeof getTournamentReminder>('/tournaments/{id}/reminder', { params: { id } })

const RESULTS_PER_PAGE = 20

export const ownResultsQuery = (page: number) =>
  ownQuery<typeof listOwnResults>('/tournaments/results', {
    query: { page, items_per_page: RESULTS_PER_PAGE },
  })

export const characterResultsQuery = (name: string, page: number) =>
  openQuery<typeof listCharacterResults>('/tournaments/characters/{name}/results', {
    params: { name },
    query: { page, items_per_page: RESULTS_PER_PAGE },
  })

/** As many pages of the list as any tournament has. */
const TEAM_PAGES_MAX = 12

/** All teams of a tournament. */
export const teamsQuery = (id: string) =>
  queryOptions({
    queryKey: ['open', '/tournaments/{id}/teams', { params: { id } }],
    queryFn: async () => {
      const teams: PublicTeam[] = []
      for (let page = 0; page < TEAM_PAGES_MAX; page += 1) {
        const after = teams.at(-1)?.id
        const next = await browserCall<typeof listTournamentTeams>(
          { method: 'GET', path: '/tournaments/{id}/teams' },
          { params: { id }, query: { after } },
        )
        teams.push(...next)
        if (next.length < TEAMS_PAGE) break
      }
      return teams
    },
  })
