import type { ComponentProps } from 'react'
import { keepPreviousData } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import { useSearchParams } from '#web/navigation.tsx'
import { formatNumber } from '#contract/format.ts'
import { PageState } from '#ui/page-state.tsx'
import { Skeletons } from '#ui/skeleton.tsx'
import { Months, StatementList, StatementTable } from '#web/features/statements/statement-rows.tsx'
import {
  changeView,
  isFiltered,
  isReversed,
  readView,
  writeView,
  statementQuery,
  type StatementView,
} from '#web/features/statements/statement-query.ts'
import { StatementTools } from '#web/features/statements/statement-tools.tsx'
import { statementsCopy as copy } from '#web/features/statements/statements.copy.ts'
import type { Page } from '#web/page.ts'
import { pages, paths } from '#contract/pages.ts'
import { AccountNav } from '#web/parts/navigation/account-nav.tsx'
import { PagedList } from '#web/parts/lists/paged-list.tsx'
import { EmptyList } from '#web/parts/fallbacks/fallbacks.tsx'

function StatementPage() {
  const [address, setAddress] = useSearchParams()
  const view = readView(address)
  const query = useQuery({
    ...statementQuery(view),
    enabled: !isReversed(view),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const turn = (change: Partial<StatementView>, options?: { replace: boolean }) =>
    setAddress(writeView(changeView(view, change)), options)
  const pagination = query.data?.payload.pagination

  return (
    <div className="shell-width pt-6">
      <AccountNav />
      <h1 className="brush-title mb-6 text-3xl">{pages.transactions.title}</h1>
      <StatementTools
        view={view}
        canSave={pagination !== undefined && pagination.total > 0 && !isReversed(view)}
        onChange={turn}
      />
      <p aria-live="polite" className="my-3 min-h-5 text-sm text-soft">
        {pagination && copy.found(formatNumber(pagination.total))}
      </p>
      <PagedList
        query={query}
        page={view.page}
        onTurn={(page, options) => turn({ page }, options)}
        skeleton={
          !isReversed(view) && <Skeletons count={6} each="h-20 w-full md:h-12" className="space-y-3" />
        }
        empty={<NoTransactions isFiltered={isFiltered(view)} />}
      >
        {(transactions) =>
          // By amount, the months are mixed.
          view.sort.startsWith('created_at') ? (
            <Months transactions={transactions}>
              {(lines) => <Lines transactions={lines} sort={view.sort} onSort={(sort) => turn({ sort })} />}
            </Months>
          ) : (
            <Lines transactions={transactions} sort={view.sort} onSort={(sort) => turn({ sort })} />
          )
        }
      </PagedList>
    </div>
  )
}

type LinesProps = Omit<ComponentProps<typeof StatementTable>, 'className'>

function Lines({ transactions, sort, onSort }: LinesProps) {
  return (
    <>
      <StatementList transactions={transactions} className="md:hidden" />
      <StatementTable transactions={transactions} sort={sort} className="hidden md:table" onSort={onSort} />
    </>
  )
}

function NoTransactions({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <PageState picture="empty" title={copy.nothingFound} />
  return <EmptyList title={copy.empty} text={copy.emptyMore} to={paths.recharge} linkText={copy.recharge} />
}

export const page: Page = {
  Component: StatementPage,
}
