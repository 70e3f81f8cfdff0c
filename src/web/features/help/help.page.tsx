import { keepPreviousData } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import { formatMoment } from '#contract/format.ts'
import type { CaseRow } from '#contract/help/cases.ts'
import { pages, paths } from '#contract/pages.ts'
import { Badge } from '#ui/badge.tsx'
import { buttonClass } from '#ui/button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Link, useParams } from '#web/navigation.tsx'
import type { Page } from '#web/page.ts'
import { OpenedCase } from '#web/features/help/case.tsx'
import { caseQuery, casesQuery } from '#web/features/help/help.api.ts'
import { caseStates, helpCopy as copy } from '#web/features/help/help.copy.ts'
import { ReportForm } from '#web/features/help/report.tsx'
import { EmptyList } from '#web/parts/fallbacks/fallbacks.tsx'
import { PagedList, usePageInAddress } from '#web/parts/lists/paged-list.tsx'
import { AccountNav } from '#web/parts/navigation/account-nav.tsx'
import { NEW_CASE, REPORT } from '#web/parts/navigation/report-link.tsx'

/** What the player reported, the newest first; the page shown is in the address. */
function CaseList() {
  const { page, turn } = usePageInAddress()
  const query = useQuery({ ...casesQuery(page), staleTime: 0, placeholderData: keepPreviousData })
  return (
    <div className="shell-width pt-6">
      <AccountNav />
      <h1 className="brush-title text-3xl">{pages.help.title}</h1>
      <p className="mt-3 max-w-text text-soft">{copy.lead}</p>
      <Link to={paths.help(NEW_CASE)} className={buttonClass('main', 'mt-4 mb-6')}>
        {copy.ask}
      </Link>
      <PagedList
        query={query}
        page={page}
        onTurn={turn}
        skeleton={<Skeleton className="h-72 w-full" />}
        empty={
          <EmptyList title={copy.none} text={copy.noneText} to={paths.help(NEW_CASE)} linkText={copy.ask} />
        }
      >
        {(cases) => (
          <ul className="max-w-3xl divide-y divide-line overflow-hidden rounded-xl border border-line bg-raised">
            {cases.map((one) => (
              <li key={one.id}>
                <CaseLink one={one} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </div>
  )
}

function CaseLink({ one: { id, about, state, created_at, last_message_at } }: { one: CaseRow }) {
  const { label, tone } = caseStates[state]
  return (
    <Link to={paths.help(id)} className="block space-y-1 px-4 py-3 hover:bg-sunken">
      <span className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <strong className="min-w-0 flex-[1_1_10rem] wrap-anywhere">{about.title}</strong>
        <Badge tone={tone}>{label}</Badge>
      </span>
      <span className="block text-sm text-soft">{copy.number(id, formatMoment(created_at))}</span>
      {last_message_at !== created_at && (
        <span className="block text-sm text-soft">{copy.lastMessage(formatMoment(last_message_at))}</span>
      )}
    </Link>
  )
}

/** All cases, the one that the address names, or the form of a new one. */
function HelpPage() {
  const { id } = useParams()
  if (id === undefined) return <CaseList />
  return id === NEW_CASE ? <ReportForm /> : <OpenedCase key={id} id={id} />
}

export const page: Page = {
  Component: HelpPage,
  queries: ({ id }) => (id === undefined ? [casesQuery(1)] : id === NEW_CASE ? [] : [caseQuery(id)]),
  head: ({ params: { id } }) =>
    id === undefined ? undefined : { title: id === NEW_CASE ? REPORT : copy.one },
}
