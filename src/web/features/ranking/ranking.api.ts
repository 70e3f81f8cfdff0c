import { getGroupEntries, listGroups } from '#contract/ranking.ts'
import { listServers } from '#contract/servers.ts'
import { apiQuery } from '#web/query-client.ts'

export const serversQuery = apiQuery(listServers)

export const groupsQuery = apiQuery(listGroups)

export const entriesQuery = (id: string) => apiQuery(getGroupEntries, { params: { id } })
