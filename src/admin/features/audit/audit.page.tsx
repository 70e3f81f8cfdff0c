import { Link } from 'react-router'
import {
  auditActionName,
  auditActionOptions,
  auditSubjectName,
  auditSubjectOptions,
} from '#contract/operator/audit-names.ts'
import { operatorAudit, type AuditRow } from '#contract/operator/audit.ts'
import { auditCopy as copy } from '#admin/features/audit/audit.copy.ts'
import { ChainCheck } from '#admin/features/audit/chain-check.tsx'
import { Facts } from '#ui/facts.tsx'
import { ActSentence, Changes } from '#admin/kit/act-sentence.tsx'
import { AlarmList } from '#admin/kit/alarm-list.tsx'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { momentText } from '#admin/kit/format.ts'
import { ScreenFrame } from '#admin/kit/screen.tsx'

const columns: readonly Column<AuditRow>[] = [
  { name: 'at', label: copy.columns.at, sort: 'id', cell: ({ at }) => momentText(at) },
  {
    name: 'act',
    label: copy.columns.act,
    isText: true,
    cell: (row) => (
      <div className="space-y-1 text-left md:min-w-100">
        <ActSentence actor={<Actor row={row} />} sentence={row.sentence} />
        <Changes changes={row.changes} />
        <Details row={row} />
      </div>
    ),
  },
  {
    name: 'reason',
    label: copy.columns.reason,
    isText: true,
    isBlank: ({ reason }) => reason === null,
    cell: ({ reason }) => reason ?? copy.nothing,
  },
]

const filters: readonly Filter[] = [
  { name: 'actor', label: copy.filters.actor },
  { name: 'action', label: copy.filters.action, options: auditActionOptions() },
  { name: 'subject_type', label: copy.filters.subjectType, options: auditSubjectOptions() },
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

/** The row as it is stored, for those who compare it with the log. */
function Details({ row: { action, subject, request_id, details } }: { row: AuditRow }) {
  return (
    <details>
      <summary className="w-fit text-sm text-soft">{copy.details}</summary>
      <Facts
        className="mt-2"
        facts={[
          { label: copy.action, value: `${auditActionName(action)} (${action})` },
          { label: copy.subject, value: `${auditSubjectName(subject.type)} (${subject.type} ${subject.id})` },
          {
            label: copy.request,
            value:
              request_id === null ? (
                copy.nothing
              ) : (
                <Link to={`/audit?request_id=${request_id}`} title={request_id}>
                  {copy.sameRequest}
                </Link>
              ),
          },
        ]}
      />
      <p className="mt-2 text-sm text-soft">{copy.stored}</p>
      <pre className="text-xs whitespace-pre-wrap wrap-anywhere">{JSON.stringify(details, null, 2)}</pre>
    </details>
  )
}
