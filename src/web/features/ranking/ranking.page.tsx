import { keepPreviousData } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import { useSearchParams } from '#web/navigation.tsx'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { getGroupEntries, listGroups } from '#contract/ranking.ts'
import { pages } from '#contract/pages.ts'
import { PageState } from '#ui/page-state.tsx'
import { Skeletons } from '#ui/skeleton.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { Loaded } from '#web/parts/fallbacks/fallbacks.tsx'
import { OwnPlace } from '#web/features/ranking/own-place.tsx'
import { ClassAndDay, type Server, ServerChips } from '#web/features/ranking/ranking-filters.tsx'
import { Podium, RankingList, RankingTable, type Shown } from '#web/features/ranking/ranking-rows.tsx'
import { rankingCopy as copy } from '#web/features/ranking/ranking.copy.ts'
import type { Page } from '#web/page.ts'
import { formatMoment } from '#contract/format.ts'
import { serversQuery } from '#web/parts/settings/settings.ts'
import { ownQuery } from '#web/query-client.ts'
import { useNow } from '#web/parts/time/use-now.ts'

type Group = AnswerOf<typeof listGroups>[number]

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
  const isOfAll = chosen.server_id === null && chosen.source === 'game'
  const part: Part = {
    server: servers.find(({ id }) => id === address.get('server'))?.id,
    class: onlyIf(/^\d{1,6}$/, address.get('class')),
    day: onlyIf(/^\d{4}-\d\d-\d\d$/, address.get('day')),
  }
  const choose = (group: string, next: Part) =>
    setAddress(Object.fromEntries(Object.entries({ group, ...next }).filter(isGiven)), { replace: true })
  return (
    <Tabs
      label={copy.groups}
      tabs={groups.map(({ id, name }) => ({ id, label: name }))}
      chosenId={chosen.id}
      onChoose={(group) => choose(group, part)}
    >
      {isOfAll && servers.length > 1 && (
        <ServerChips
          servers={servers}
          chosen={servers.find(({ id }) => id === part.server)}
          onChoose={(server) => choose(chosen.id, { ...part, server })}
        />
      )}
      <GroupRanking
        key={chosen.id}
        group={chosen}
        part={{
          server: isOfAll ? part.server : undefined,
          class: chosen.source === 'game' ? part.class : undefined,
          day: part.day,
        }}
        onPart={(next) => choose(chosen.id, { ...part, ...next })}
        servers={servers}
      />
    </Tabs>
  )
}

/** What the address names beside the group. */
type Part = { server: string | undefined; class: string | undefined; day: string | undefined }

const onlyIf = (pattern: RegExp, text: string | null) =>
  text !== null && pattern.test(text) ? text : undefined

const isGiven = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined

type RankingProps = {
  group: Group
  part: Part
  onPart: (next: Partial<Part>) => void
  servers: readonly Server[]
}

function GroupRanking({ group, part, onPart, servers }: RankingProps) {
  const query = useQuery({
    ...ownQuery<typeof getGroupEntries>('/groups/{id}/entries', {
      params: { id: group.id },
      query: Object.fromEntries(Object.entries(part).filter(isGiven)),
    }),
    staleTime: 0,
    // Filters and text stay where they are while another part is read.
    placeholderData: keepPreviousData,
  })
  const { data, isPlaceholderData } = query
  return (
    <>
      <p className="max-w-text text-[0.9375rem]">{group.description}</p>
      {group.counts && (
        <p className="max-w-text text-[0.9375rem]">{copy.counts(group.value_name, group.counts)}</p>
      )}
      <div className="mb-2 min-h-5 text-sm text-soft">
        {data?.updated_at &&
          (part.day === undefined ? (
            <Age at={data.updated_at} />
          ) : (
            <p>{copy.endOf(formatMoment(data.updated_at))}</p>
          ))}
      </div>
      {data && (
        <ClassAndDay
          classes={group.source === 'game' ? data.classes : []}
          classId={part.class}
          day={part.day}
          firstDay={data.first_day}
          onClass={(id) => onPart({ class: id })}
          onDay={(day) => onPart({ day })}
        />
      )}
      <Loaded query={query} skeleton={rowsSkeleton}>
        {(entries) => (
          <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : ''}>
            <Rows group={group} entries={entries} servers={servers} part={part} />
          </div>
        )}
      </Loaded>
    </>
  )
}

const MINUTE_MS = 60_000
/** Three times as long as a refresh takes its time. */
const LATE_MINUTES = 15

/** When the ranking was read, and how long ago that is. */
function Age({ at }: { at: string }) {
  const minutes = Math.max(0, Math.floor((useNow(true) - Date.parse(at)) / MINUTE_MS))
  return (
    <>
      <p>{copy.updatedAt(formatMoment(at), ageOf(minutes))}</p>
      {minutes >= LATE_MINUTES && <p className="font-bold">{copy.late}</p>}
    </>
  )
}

function ageOf(minutes: number): string {
  if (minutes < 1) return copy.justNow
  if (minutes < 60) return copy.minutesAgo(minutes)
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? copy.hoursAgo(hours) : copy.daysAgo(Math.floor(hours / 24))
}

type RowsProps = Pick<RankingProps, 'group' | 'servers' | 'part'> & {
  entries: AnswerOf<typeof getGroupEntries>
}

function Rows({ group, entries, servers, part }: RowsProps) {
  const { rows, mine, own, has_previous } = entries
  const shown: Shown = {
    valueName: group.value_name,
    serverNames: new Map(servers.map(({ id, name }) => [id, name])),
    isOfGame: group.source === 'game',
    isCompared: has_previous,
  }
  const ownPlace = (
    <OwnPlace mine={mine} own={own} isOver={part.day !== undefined} isSticky={rows.length > 0} {...shown} />
  )
  if (rows.length > 0)
    return (
      <>
        <Podium rows={rows} {...shown} />
        <RankingList rows={rows} {...shown} />
        <RankingTable rows={rows} {...shown} caption={group.name} />
        {ownPlace}
      </>
    )
  const isPart = Object.values(part).some((value) => value !== undefined)
  return (
    <>
      {ownPlace}
      <PageState
        picture="empty"
        title={isPart ? copy.emptyPart : copy.empty}
        text={isPart ? copy.emptyPartMore : copy.emptyMore}
      />
    </>
  )
}

export const page: Page = {
  Component: RankingPage,
  queries: () => [groupsQuery, serversQuery],
}
