import { Link } from 'react-router'
import { operatorAudit, type AuditRow } from '#contract/operator/audit.ts'
import { auditCopy as copy } from '#admin/features/audit/audit.copy.ts'
import { ChainCheck } from '#admin/features/audit/chain-check.tsx'
import { differencesOf } from '#admin/features/audit/differences.ts'
import { AlarmList } from '#admin/kit/alarm-list.tsx'
import { SubjectLink } from '#admin/features/audit/subject-link.tsx'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { momentText } from '#admin/kit/format.ts'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { settingText } from '#admin/kit/setting-value.tsx'

const columns: readonly Column<AuditRow>[] = [
  { name: 'at', label: copy.columns.at, sort: 'id', cell: ({ at }) => momentText(at) },
  { name: 'actor', label: copy.columns.actor, cell: (row) => <Actor row={row} /> },
  { name: 'action', label: copy.columns.action, cell: ({ action }) => <code>{action}</code> },
  {
    name: 'subject',
    label: copy.columns.subject,
    cell: ({ subject }) => <SubjectLink subject={subject} />,
  },
  {
    name: 'difference',
    label: copy.columns.difference,
    isText: true,
    cell: (row) => <Differences row={row} />,
  },
  { name: 'reason', label: copy.columns.reason, isText: true, cell: ({ reason }) => reason ?? copy.nothing },
  {
    name: 'request',
    label: copy.columns.request,
    cell: ({ request_id }) =>
      request_id === null ? (
        copy.nothing
      ) : (
        <Link to={`/audit?request_id=${request_id}`} title={request_id}>
          {copy.sameRequest}
        </Link>
      ),
  },
]

const filters: readonly Filter[] = [
  { name: 'actor', label: copy.filters.actor },
  { name: 'action', label: copy.filters.action },
  {
    name: 'subject_type',
    label: copy.filters.subjectType,
    options: Object.entries(copy.subjects).map(([value, label]) => ({ value, label })),
  },
  { name: 'subject_id', label: copy.filters.subjectId },
  { name: 'request_id', label: copy.filters.requestId },
  { name: 'from', label: copy.filters.from, type: 'date' },
  { name: 'to', label: copy.filters.to, type: 'date' },
]

export function Component() {
  return (
    <ScreenFrame title={copy.title}>
      <AlarmList only={['audit-chain-broken']} />
      <ChainCheck />
      <DataList
        endpoint={operatorAudit.list}
        label={copy.title}
        columns={columns}
        filters={filters}
        usualSort={['id', 'DESC']}
        empty={copy.empty}
        isFile
      />
    </ScreenFrame>
  )
}

function Actor({ row: { actor, actor_kind } }: { row: AuditRow }) {
  if (actor === null) return copy.system
  const link = <Link to={`/users/${actor.id}`}>{actor.username}</Link>
  return actor_kind === 'user' ? (
    <>
      {link} {copy.ownAct}
    </>
  ) : (
    link
  )
}

/** Side by side what was and what is; the rest of the row below it. */
function Differences({ row: { details, subject } }: { row: AuditRow }) {
  const { changed, rest } = differencesOf(details)
  if (changed.length === 0 && rest.length === 0) return copy.nothing
  // Of a new thing every field was empty: its values alone say so.
  const isNew = changed.length > 1 && changed.every(({ before }) => before === '')
  const shown = (field: string, text: string) =>
    subject.type === 'setting' && field === '' ? settingText(subject.id, text) : text || copy.nothing
  return (
    <dl className="min-w-0 space-y-1 text-left">
      {changed.map(({ field, before, after }) => (
        <div key={field} className="flex flex-wrap items-baseline gap-x-2">
          {field !== '' && <dt className="text-sm text-soft">{field}</dt>}
          <dd className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            {!isNew && (
              <>
                <del className="wrap-anywhere text-soft">
                  <span className="sr-only">{copy.before}: </span>
                  {shown(field, before)}
                </del>
                <span aria-hidden="true">→</span>
              </>
            )}
            <ins className="font-bold wrap-anywhere no-underline">
              <span className="sr-only">{copy.after}: </span>
              {shown(field, after)}
            </ins>
          </dd>
        </div>
      ))}
      {rest.map(({ field, value }) => (
        <div key={field} className="flex flex-wrap gap-x-2 text-sm text-soft">
          <dt>{field}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
