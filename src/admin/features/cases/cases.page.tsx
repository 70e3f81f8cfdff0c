import { Link } from 'react-router'
import { listScreen } from '#admin/kit/data-list.tsx'
import { column, type Column, momentColumn, numberColumn } from '#admin/kit/data-table.tsx'
import { type Filter, optionsOf } from '#admin/kit/filter-bar.tsx'
import { ageText } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { type OperatorCase, operatorCases } from '#contract/operator/help/cases.ts'
import { casesCopy as copy, CaseStatus, playerOf } from './case-parts.tsx'

const columns: readonly Column<OperatorCase>[] = [
  column('id', labels.id, ({ id }) => <Link to={`/cases/${id}`}>{id}</Link>, { sort: 'id' }),
  column('player', copy.who, (row) =>
    row.visitor === null ? <PersonLink person={playerOf(row)} /> : `${copy.visitor} ${row.visitor.contact}`,
  ),
  column('about', copy.about, ({ about }) => about.title, { isText: true, onPhone: 'main' }),
  column('state', labels.state, ({ state }) => <CaseStatus state={state} />),
  column('assigned', copy.assigned, ({ assigned_to }) => assigned_to?.username ?? copy.nobody),
  numberColumn('messages', copy.messages),
  momentColumn('created_at', copy.createdAt),
  momentColumn('last_message_at', copy.lastMessage),
  column('first_answer', copy.firstAnswer, ({ first_answer_seconds: seconds }) =>
    seconds === null ? '—' : ageText(seconds),
  ),
]

const filters: readonly Filter[] = [
  { name: 'state', label: labels.state, options: optionsOf(copy.states) },
  { name: 'about_kind', label: copy.kind, options: optionsOf(copy.kinds) },
  { name: 'is_visitor', label: copy.who, type: 'flag', options: optionsOf(copy.whos) },
  { name: 'assigned_to', label: copy.assigned, options: optionsOf({ nobody: copy.nobody }) },
]

export const Component = listScreen(operatorCases.list, columns, filters, {
  usualSort: ['id', 'DESC'],
  empty: copy.empty,
  refreshMs: 60_000,
})
