import { getGroupEntries, listGroups } from '#contract/ranking.ts'
import { apiQuery } from '#web/query-client.ts'

export const groupsQuery = apiQuery(listGroups)

export const entriesQuery = (id: string) => apiQuery(getGroupEntries, { params: { id } })
