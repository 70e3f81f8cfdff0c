import { Link } from 'react-router'
import { listScreen } from '#admin/kit/data-list.tsx'
import { column, type Column } from '#admin/kit/data-table.tsx'
import { type Filter, optionsOf } from '#admin/kit/filter-bar.tsx'
import { vnd } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { useMay } from '#admin/session/console-session.ts'
import { type OperatorDailyClose, operatorDailyCloses } from '#contract/operator/daily-closes.ts'
import { CLOSE_WORDS } from '#contract/operator/words.ts'
import { closesCopy as copy, CloseStatus, dayText } from './close-parts.tsx'

const columns: readonly Column<OperatorDailyClose>[] = [
  column('day', copy.day, ({ id, day }) => <Link to={`/daily-closes/${id}`}>{dayText(day)}</Link>, {
    sort: 'day',
  }),
  column('account', labels.account, ({ account_number }) => account_number),
  column('status', copy.status, ({ status }) => <CloseStatus status={status} />),
  column('differences', copy.differences, ({ differences }) =>
    differences.map((name) => copy.meanings[name] ?? name).join(' · '),
  ),
  column(
    'bank',
    copy.bank,
    ({ bank_in_vnd }) => (bank_in_vnd === null ? copy.noStatement : vnd(bank_in_vnd)),
    { isNumber: true },
  ),
  column('arrived', copy.arrived, ({ arrived_vnd }) => vnd(arrived_vnd), { isNumber: true }),
  column('review', copy.review, ({ review_vnd }) => vnd(review_vnd), { isNumber: true }),
]

const filters: readonly Filter[] = [
  { name: 'status', label: copy.status, options: optionsOf(CLOSE_WORDS) },
  { name: 'account_number', label: labels.account },
  { name: 'from', label: labels.from, type: 'date' },
  { name: 'to', label: labels.to, type: 'date' },
]

export const Component = listScreen(operatorDailyCloses.list, columns, filters, {
  acts: <BooksLink />,
  usualSort: ['day', 'DESC'],
  empty: copy.empty,
  isFile: true,
})

function BooksLink() {
  const may = useMay()
  return may('ledger.read') && <Link to="/reconciliation">{copy.books}</Link>
}
