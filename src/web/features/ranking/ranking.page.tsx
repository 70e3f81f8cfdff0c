import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { AnswerOf } from '#contract/endpoint.ts'
import { getGroupEntries, listGroups } from '#contract/ranking.ts'
import { listServers } from '#contract/servers.ts'
import { pages } from '#contract/pages.ts'
import { LoadFailure, PageState } from '#ui/page-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { outcomeCopy } from '#web/parts/outcomes/outcomes.copy.ts'
import { RankingList, RankingTable } from '#web/features/ranking/ranking-rows.tsx'
import { rankingCopy as copy } from '#web/features/ranking/ranking.copy.ts'
import type { Page } from '#web/page.ts'
import { formatMoment } from '#contract/vietnam-time.ts'
import { apiQuery } from '#web/query-client.ts'

type Group = AnswerOf<typeof listGroups>[number]

const serversQuery = apiQuery(listServers)

const groupsQuery = apiQuery(listGroups)

const entriesQuery = (id: string) => apiQuery(getGroupEntries, { params: { id } })

function RankingPage() {
  const { data: groups, isError, refetch } = useQuery(groupsQuery)
  return (
    <div className="shell-width pt-8">
      <h1 className="brush-title text-3xl">{pages.ranking.title}</h1>
      <p className="mt-3 mb-5 max-w-prose text-soft">{copy.lead}</p>
      {isError && !groups && (
        <LoadFailure message={outcomeCopy.defaultFailure} onRetry={() => void refetch()} />
      )}
      {!groups && !isError && <RowsSkeleton />}
      {groups && <Groups groups={groups} />}
    </div>
  )
}

function Groups({ groups }: { groups: readonly Group[] }) {
  const [address, setAddress] = useSearchParams()
  const chosen = groups.find(({ id }) => id === address.get('group')) ?? groups[0]
  if (!chosen) return <PageState title={copy.noGroups} picture={picture} />
  return (
    <Tabs
      label={copy.groups}
      tabs={groups.map(({ id, name }) => ({ id, label: name }))}
      chosenId={chosen.id}
      onChoose={(group) => setAddress({ group }, { replace: true, preventScrollReset: true })}
    >
      <Standing key={chosen.id} group={chosen} />
    </Tabs>
  )
}

const picture = { src: '/images/empty-scroll.svg', width: 200, height: 150 }

function Standing({ group }: { group: Group }) {
  const { data, isError, refetch } = useQuery({ ...entriesQuery(group.id), staleTime: 0 })
  return (
    <>
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="max-w-prose">{group.description}</p>
        <p className="min-h-5 text-sm text-soft">
          {data?.updated_at && copy.updatedAt(formatMoment(data.updated_at))}
        </p>
      </div>
      {isError && !data && (
        <LoadFailure message={outcomeCopy.defaultFailure} onRetry={() => void refetch()} />
      )}
      {!data && !isError && <RowsSkeleton />}
      {data && <Rows group={group} standing={data} />}
    </>
  )
}

function Rows({ group, standing }: { group: Group; standing: AnswerOf<typeof getGroupEntries> }) {
  const { rows, mine } = standing
  const { data: servers = [] } = useQuery(serversQuery)
  const serverNames = new Map(servers.map(({ id, name }) => [id, name]))
  const shown = { valueName: group.value_name, serverNames }
  if (rows.length === 0) {
    return (
      <PageState title={copy.empty} picture={picture}>
        <p className="text-soft">{copy.emptyMore}</p>
      </PageState>
    )
  }
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

const SKELETON_COUNT = 8

function RowsSkeleton() {
  return (
    <div aria-busy="true" className="space-y-2">
      {Array.from({ length: SKELETON_COUNT }, (_, index) => (
        <Skeleton key={index} className="h-14 w-full" />
      ))}
    </div>
  )
}

export const page: Page = {
  Component: RankingPage,
  queries: () => [groupsQuery, serversQuery],
}
