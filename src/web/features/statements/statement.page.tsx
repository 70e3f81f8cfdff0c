import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from '#web/navigation.tsx'
import { formatNumber } from '#contract/format-number.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { PageState } from '#ui/page-state.tsx'
import { Skeletons } from '#ui/skeletons.tsx'
import { StatementFilters } from '#web/features/statements/statement-filters.tsx'
import { StatementList } from '#web/features/statements/statement-list.tsx'
import {
  changeView,
  isFiltered,
  isReversed,
  readView,
  writeView,
  type StatementView,
} from '#web/features/statements/statement-query.ts'
import { StatementTable } from '#web/features/statements/statement-table.tsx'
import { saveStatement, statementQuery } from '#web/features/statements/statements.api.ts'
import { statementsCopy as copy } from '#web/features/statements/statements.copy.ts'
import type { Page } from '#web/page.ts'
import { pages, paths } from '#contract/pages.ts'
import { AccountNav } from '#web/parts/navigation/account-nav.tsx'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { PagedList } from '#web/parts/lists/paged-list.tsx'

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
      <StatementFilters view={view} onChange={turn} />
      <div className="my-3 flex min-h-11 flex-wrap items-center justify-between gap-x-3">
        <p aria-live="polite" className="text-sm text-soft">
          {pagination && copy.found(formatNumber(pagination.total))}
        </p>
        {pagination && pagination.total > 0 && !isReversed(view) && <SaveStatement view={view} />}
      </div>
      <PagedList
        query={query}
        page={view.page}
        onTurn={(page, options) => turn({ page }, options)}
        skeleton={
          !isReversed(view) && <Skeletons count={6} each="h-20 w-full md:h-12" className="space-y-3" />
        }
        empty={<NoTransactions isFiltered={isFiltered(view)} />}
      >
        {(transactions) => (
          <>
            <StatementList transactions={transactions} className="md:hidden" />
            <StatementTable
              transactions={transactions}
              sort={view.sort}
              className="hidden md:table"
              onSort={(sort) => turn({ sort })}
            />
          </>
        )}
      </PagedList>
    </div>
  )
}

function SaveStatement({ view }: { view: StatementView }) {
  const [isSaving, setSaving] = useState(false)

  async function save() {
    setSaving(true)
    await saveStatement(view).catch(reportFailure)
    setSaving(false)
  }

  return (
    <Button kind="plain" isBusy={isSaving} onClick={() => void save()}>
      <Icon name="download" />
      {copy.saveFile}
    </Button>
  )
}

function NoTransactions({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <PageState picture="empty" title={copy.nothingFound} />
  return (
    <PageState picture="empty" title={copy.empty} text={copy.emptyMore}>
      <Link to={paths.recharge} className={buttonClass()}>
        {copy.recharge}
      </Link>
    </PageState>
  )
}

export const page: Page = {
  Component: StatementPage,
}
