import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from '#web/navigation.tsx'
import type { AnswerOf } from '#contract/endpoint.ts'
import { getGroupEntries, listGroups } from '#contract/ranking.ts'
import { listServers } from '#contract/servers.ts'
import { pages } from '#contract/pages.ts'
import { PageState } from '#ui/page-state.tsx'
import { Skeletons } from '#ui/skeletons.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { Loaded } from '#web/parts/page-states/loaded.tsx'
import { RankingList, RankingTable } from '#web/features/ranking/ranking-rows.tsx'
import { rankingCopy as copy } from '#web/features/ranking/ranking.copy.ts'
import type { Page } from '#web/page.ts'
import { formatMoment } from '#contract/vietnam-time.ts'
import { apiQuery } from '#web/query-client.ts'

type Group = AnswerOf<typeof listGroups>[number]

const serversQuery = apiQuery(listServers)

const groupsQuery = apiQuery(listGroups)

const rowsSkeleton = <Skeletons count={8} each="h-14 w-full" className="space-y-2" />

function RankingPage() {
  return (
    <div className="shell-width pt-8">
      <h1 className="brush-title text-3xl">{pages.ranking.title}</h1>
      <p className="mt-3 mb-5 max-w-text text-soft">{copy.lead}</p>
      <Loaded query={useQuery(groupsQuery)} skeleton={rowsSkeleton}>
        {(groups) => <Groups groups={groups} />}
      </Loaded>
    </div>
  )
}

function Groups({ groups }: { groups: readonly Group[] }) {
  const [address, setAddress] = useSearchParams()
  const chosen = groups.find(({ id }) => id === address.get('group')) ?? groups[0]
  if (!chosen) return <PageState picture="empty" title={copy.noGroups} />
  return (
    <Tabs
      label={copy.groups}
      tabs={groups.map(({ id, name }) => ({ id, label: name }))}
      chosenId={chosen.id}
      onChoose={(group) => setAddress({ group }, { replace: true })}
    >
      <GroupRanking key={chosen.id} group={chosen} />
    </Tabs>
  )
}

function GroupRanking({ group }: { group: Group }) {
  const query = useQuery({ ...apiQuery(getGroupEntries, { params: { id: group.id } }), staleTime: 0 })
  return (
    <>
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="max-w-text">{group.description}</p>
        <p className="min-h-5 text-sm text-soft">
          {query.data?.updated_at && copy.updatedAt(formatMoment(query.data.updated_at))}
        </p>
      </div>
      <Loaded query={query} skeleton={rowsSkeleton}>
        {(entries) => <Rows group={group} entries={entries} />}
      </Loaded>
    </>
  )
}

function Rows({ group, entries }: { group: Group; entries: AnswerOf<typeof getGroupEntries> }) {
  const { rows, mine } = entries
  const { data: servers = [] } = useQuery(serversQuery)
  const serverNames = new Map(servers.map(({ id, name }) => [id, name]))
  const shown = { valueName: group.value_name, serverNames }
  if (rows.length === 0) return <PageState picture="empty" title={copy.empty} text={copy.emptyMore} />
  const isBeyond = mine !== undefined && !rows.some(({ is_mine }) => is_mine)
  return (
    <>
      <RankingList rows={rows} {...shown} />
      <RankingTable rows={rows} {...shown} caption={group.name} />
      {isBeyond && (
        <section aria-label={copy.mine} className="mt-4">
          <h2 className="mb-2 text-lg">{copy.mine}</h2>
          <RankingList rows={[mine]} {...shown} />
          <RankingTable rows={[mine]} {...shown} caption={copy.mine} />
        </section>
      )}
      {!mine && <p className="mt-4 text-soft">{copy.notRanked}</p>}
    </>
  )
}

export const page: Page = {
  Component: RankingPage,
  queries: () => [groupsQuery, serversQuery],
}
