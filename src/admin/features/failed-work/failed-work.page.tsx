import { listScreen } from '#admin/kit/data-list.tsx'
import { column, type Column, momentColumn, numberColumn } from '#admin/kit/data-table.tsx'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { type FailedWorkRow, operatorFailedWork } from '#contract/operator/failed-work.ts'
import { failedWorkCopy as copy, jobText } from './failed-work.copy.ts'

const columns: readonly Column<FailedWorkRow>[] = [
  column('job', copy.job, ({ job }) => jobText(job), { isText: true, isName: true }),
  column('id', copy.code, ({ id }) => <code className="wrap-anywhere">{id}</code>, { isText: true }),
  column('error', copy.error, ({ error }) => <code className="wrap-anywhere">{error}</code>, {
    isText: true,
    onPhone: 'main',
  }),
  numberColumn('failures', copy.failures, { sort: 'failures' }),
  momentColumn('failing_since', copy.failingSince, { sort: 'failing_since' }),
  momentColumn('retry_at', copy.retryAt, { sort: 'retry_at' }),
]

const filters: readonly Filter[] = [{ name: 'job', label: copy.jobCode }]

export const Component = listScreen(operatorFailedWork.list, columns, filters, {
  usualSort: ['failing_since', 'ASC'],
  lead: <p className="max-w-2xl text-soft">{copy.note}</p>,
  empty: copy.empty,
  refreshMs: 10_000,
})
