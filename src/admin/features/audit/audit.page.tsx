import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ActSentence, Changes } from '#admin/kit/act-sentence.tsx'
import { alarmCopy, AlarmList } from '#admin/kit/alarm-list.tsx'
import { listScreen } from '#admin/kit/data-list.tsx'
import { column, type Column, momentColumn } from '#admin/kit/data-table.tsx'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { momentText } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { messagesOf } from '#admin/kit/use-send.ts'
import { read } from '#admin/query.ts'
import { formatNumber } from '#contract/format.ts'
import { operatorAlarms } from '#contract/operator/alarms.ts'
import {
  auditActionName,
  auditActionOptions,
  type AuditRow,
  auditSubjectName,
  auditSubjectOptions,
  operatorAudit,
} from '#contract/operator/audit.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'

/** Checks whether the trail was changed outside the portal; only by a button, since the check reads much. */
function ChainCheck() {
  const client = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery({
    ...read(operatorAudit.verify),
    enabled: false,
    retry: false,
  })
  async function check() {
    await refetch()
    // The alarm begins or ends with what was found.
    await client.invalidateQueries({ queryKey: [operatorAlarms.list.path] })
  }
  return (
    <div className="space-y-3">
      <Button kind="plain" isBusy={isFetching} onClick={() => void check()}>
        {copy.check}
      </Button>
      <div aria-live="polite">
        {isFetching && copy.checking}
        {!isFetching && error && <Alert>{messagesOf(error).join(' ')}</Alert>}
        {!isFetching && !error && data && data.faults.length === 0 && (
          <Alert tone="success">
            {data.whole_at === null
              ? copy.whole(formatNumber(data.rows), momentText(data.checked_at))
              : copy.wholeSince(
                  formatNumber(data.rows),
                  momentText(data.checked_at),
                  momentText(data.whole_at),
                )}
          </Alert>
        )}
        {!isFetching && !error && data && data.faults.length > 0 && (
          <Alert>
            <p>{copy.broken}</p>
            <ul>
              {data.faults.map(({ id, fault }) => (
                <li key={`${id}-${fault}`}>
                  {fault === 'seal' ? alarmCopy.faultAtSeal(id) : alarmCopy.faultAt(id)}
                  {alarmCopy.faults[fault]}
                </li>
              ))}
            </ul>
          </Alert>
        )}
      </div>
    </div>
  )
}

const copy = {
  check: 'Kiểm tra chuỗi',
  checking: 'Đang đọc nhật ký…',
  whole: (rows: string, moment: string) => `Nhật ký nguyên vẹn: ${rows} dòng, kiểm tra lúc ${moment}.`,
  wholeSince: (rows: string, moment: string, before: string) =>
    `Nhật ký nguyên vẹn: ${rows} dòng mới, kiểm tra lúc ${moment}. Toàn bộ nhật ký đã được kiểm tra lúc ${before}.`,
  broken: 'Nhật ký đã bị sửa ngoài cổng. Báo ngay cho người quản trị máy chủ và giữ nguyên cơ sở dữ liệu.',
  columns: { at: 'Lúc', act: 'Việc đã làm', reason: 'Lý do' },
  filters: {
    actor: 'Tên đăng nhập',
    action: 'Hành động',
    subjectType: 'Loại đối tượng',
    subjectId: 'Mã đối tượng',
    requestId: 'Mã yêu cầu',
    from: 'Từ ngày',
    to: 'Đến ngày',
  },
  ownAct: '(người chơi)',
  empty: 'Chưa có dòng nào. Mỗi thao tác vận hành để lại một dòng ở đây.',
  nothing: '—',
  details: 'Chi tiết',
  action: 'Mã thao tác',
  subject: 'Đối tượng',
  request: 'Mã yêu cầu',
  sameRequest: 'Cùng yêu cầu',
  stored: 'Giá trị đã ghi (JSON)',
} as const

const columns: readonly Column<AuditRow>[] = [
  momentColumn('at', copy.columns.at, { sort: 'id' }),
  column(
    'act',
    copy.columns.act,
    (row) => (
      <div className="space-y-1 text-left md:min-w-100">
        <ActSentence actor={<Actor row={row} />} sentence={row.sentence} />
        <Changes changes={row.changes} />
        <Details row={row} />
      </div>
    ),
    { isText: true, onPhone: 'main' },
  ),
  column('reason', copy.columns.reason, ({ reason }) => reason ?? copy.nothing, {
    isText: true,
    isBlank: ({ reason }) => reason === null,
  }),
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

export const Component = listScreen(operatorAudit.list, columns, filters, {
  lead: (
    <>
      <AlarmList only={['audit-chain-broken']} />
      <ChainCheck />
    </>
  ),
  usualSort: ['id', 'DESC'],
  empty: copy.empty,
  isFile: true,
})

function Actor({ row: { actor, actor_kind } }: { row: AuditRow }) {
  if (actor === null) return labels.system
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
          {
            label: copy.subject,
            value: `${auditSubjectName(subject.type)} (${subject.type} ${subject.id})`,
          },
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
