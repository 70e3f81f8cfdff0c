import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from '#web/navigation.tsx'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { getGroupEntries, listGroups } from '#contract/ranking.ts'
import type { listServers } from '#contract/settings.ts'
import { pages } from '#contract/pages.ts'
import { PageState } from '#ui/page-state.tsx'
import { Skeletons } from '#ui/skeleton.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { Loaded } from '#web/parts/fallbacks/fallbacks.tsx'
import { OwnPlace, Podium, RankingList, RankingTable } from '#web/features/ranking/ranking-rows.tsx'
import { rankingCopy as copy } from '#web/features/ranking/ranking.copy.ts'
import type { Page } from '#web/page.ts'
import { formatMoment } from '#contract/format.ts'
import { openQuery, ownQuery } from '#web/query-client.ts'

type Group = AnswerOf<typeof listGroups>[number]
type Server = AnswerOf<typeof listServers>[number]

const serversQuery = openQuery<typeof listServers>('/servers')

const groupsQuery = ownQuery<typeof listGroups>('/groups')

const rowsSkeleton = (
  <>
    <Skeletons
      count={3}
      each="h-48 flex-1"
      className="mx-auto mb-5 flex max-w-xl items-end justify-center gap-2"
    />
    <Skeletons count={8} each="h-14 w-full" className="space-y-2" />
  </>
)

function RankingPage() {
  const groups = useQuery(groupsQuery)
  const servers = useQuery(serversQuery)
  // Their chips stand above the ranking, which would move when they came after it.
  const data = servers.isPending ? undefined : groups.data
  return (
    <div className="shell-width pt-6">
      <h1 className="brush-title mb-3 text-3xl">{pages.ranking.title}</h1>
      <Loaded query={{ ...groups, data }} skeleton={rowsSkeleton}>
        {(known) => <Groups groups={known} servers={servers.data ?? []} />}
      </Loaded>
    </div>
  )
}

function Groups({ groups, servers }: { groups: readonly Group[]; servers: readonly Server[] }) {
  const [address, setAddress] = useSearchParams()
  const chosen = groups.find(({ id }) => id === address.get('group')) ?? groups[0]
  if (!chosen) return <PageState picture="empty" title={copy.noGroups} />
  const server = servers.find(({ id }) => id === address.get('server'))
  const choose = (group: string, serverId?: string) =>
    setAddress({ group, ...(serverId === undefined ? {} : { server: serverId }) }, { replace: true })
  return (
    <Tabs
      label={copy.groups}
      tabs={groups.map(({ id, name }) => ({ id, label: name }))}
      chosenId={chosen.id}
      onChoose={(group) => choose(group, server?.id)}
    >
      {chosen.server_id === null && servers.length > 1 && (
        <ServerChips servers={servers} chosen={server} onChoose={(id) => choose(chosen.id, id)} />
      )}
      <GroupRanking
        key={chosen.id}
        group={chosen}
        server={chosen.server_id === null ? server : undefined}
        servers={servers}
      />
    </Tabs>
  )
}

type ChipProps = {
  servers: readonly Server[]
  chosen: Server | undefined
  onChoose: (id: string | undefined) => void
}

function ServerChips({ servers, chosen, onChoose }: ChipProps) {
  const chip = (id: string | undefined, label: string) => (
    <button
      key={label}
      type="button"
      aria-pressed={chosen?.id === id}
      onClick={() => onChoose(id)}
      className="min-h-11 shrink-0 rounded-full border border-line-strong px-4 text-sm font-bold hover:bg-sunken aria-pressed:border-vermilion aria-pressed:bg-wash aria-pressed:text-vermilion aria-pressed:snap-center aria-pressed:[scroll-initial-target:nearest]"
    >
      {label}
    </button>
  )
  return (
    <div
      role="group"
      aria-label={copy.servers}
      className="-mx-4 -mt-2 mb-2 flex gap-2 overflow-x-auto px-4 py-1 md:flex-wrap"
    >
      {chip(undefined, copy.allServers)}
      {servers.map(({ id, name }) => chip(id, name))}
    </div>
  )
}

type RankingProps = { group: Group; server: Server | undefined; servers: readonly Server[] }

function GroupRanking({ group, server, servers }: RankingProps) {
  const query = useQuery({
    ...ownQuery<typeof getGroupEntries>('/groups/{id}/entries', {
      params: { id: group.id },
      query: server ? { server: server.id } : {},
    }),
    staleTime: 0,
  })
  return (
    <>
      <p className="max-w-text text-[0.9375rem]">{group.description}</p>
      <p className="mb-4 min-h-5 text-sm text-soft">
        {query.data?.updated_at && copy.updatedAt(formatMoment(query.data.updated_at))}
      </p>
      <Loaded query={query} skeleton={rowsSkeleton}>
        {(entries) => <Rows group={group} entries={entries} servers={servers} />}
      </Loaded>
    </>
  )
}

type RowsProps = Pick<RankingProps, 'group' | 'servers'> & { entries: AnswerOf<typeof getGroupEntries> }

function Rows({ group, entries: { rows, mine }, servers }: RowsProps) {
  const serverNames = new Map(servers.map(({ id, name }) => [id, name]))
  const shown = { valueName: group.value_name, serverNames }
  if (rows.length === 0) return <PageState picture="empty" title={copy.empty} text={copy.emptyMore} />
  return (
    <>
      <Podium rows={rows} {...shown} />
      <RankingList rows={rows} {...shown} />
      <RankingTable rows={rows} {...shown} caption={group.name} />
      <OwnPlace mine={mine} {...shown} />
    </>
  )
}

export const page: Page = {
  Component: RankingPage,
  queries: () => [groupsQuery, serversQuery],
}
