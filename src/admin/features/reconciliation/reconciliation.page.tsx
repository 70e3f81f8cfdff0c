import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ActButton } from '#admin/kit/act-dialog.tsx'
import { momentText } from '#admin/kit/format.ts'
import { PersonLink, RunbookLink } from '#admin/kit/links.tsx'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'
import { formatNumber } from '#contract/format.ts'
import {
  operatorReconciliation,
  type Reconciliation,
  type ReconciliationExample,
  type ReconciliationRule,
  type ReconciliationRun,
} from '#contract/operator/daily-closes.ts'
import { Alert } from '#ui/alert.tsx'
import { Badge } from '#ui/badge.tsx'
import { Facts } from '#ui/facts.tsx'

const POLL_MS = 2_000

export function Component() {
  const mayStart = useMay()('bank-transfers.match')
  const query = read(operatorReconciliation.get)
  const { data } = useQuery({
    ...query,
    refetchInterval: ({ state }) => (state.data?.running ? POLL_MS : false),
  })
  return (
    <ScreenFrame
      acts={
        mayStart && (
          <ActButton
            label={copy.start}
            disabled={!data || data.running !== null}
            title={copy.startTitle}
            endpoint={operatorReconciliation.start}
            text={copy.startText}
          />
        )
      }
    >
      <Link to="/daily-closes">{copy.closes}</Link>
      <Loaded query={query}>{(reconciliation) => <State {...reconciliation} />}</Loaded>
    </ScreenFrame>
  )
}

function State({ running, last, failed_at: failedAt }: Reconciliation) {
  return (
    <div className="space-y-4">
      <div aria-live="polite" className="space-y-3">
        {running && (
          <Alert tone="note">
            {copy.running(running.by?.username ?? copy.byJob, momentText(running.asked_at))}
          </Alert>
        )}
        {failedAt !== null && <Alert>{copy.failed(momentText(failedAt))}</Alert>}
      </div>
      {last === null ? <p>{copy.never}</p> : <Run run={last} />}
    </div>
  )
}

const Run = ({ run }: { run: ReconciliationRun }) => (
  <div className="grid items-start gap-4 lg:grid-cols-[1fr_2fr]">
    <Panel title={copy.last}>
      <Facts
        facts={[
          {
            label: copy.result,
            value: run.found === 0 ? copy.whole : copy.broken(formatNumber(run.found)),
          },
          { label: copy.at, value: momentText(run.finished_at) },
          { label: copy.took, value: copy.seconds((run.took_ms / 1000).toFixed(2)) },
          {
            label: copy.by,
            value: run.by ? <PersonLink person={run.by} /> : copy.origins[run.origin],
          },
        ]}
      />
    </Panel>
    <Panel title={copy.rules}>
      {run.found > 0 && (
        <p className="mb-3 text-sm text-soft">
          {copy.noAdjustment}{' '}
          <RunbookLink file="ledger.md" alarm="ledger-broken" label={copy.runbook}>
            {copy.runbook}
          </RunbookLink>
        </p>
      )}
      <ul className="space-y-3">
        {run.rules.map((one) => (
          <li key={one.rule} className="border-b border-line pb-3 last:border-0 last:pb-0">
            <Rule {...one} />
          </li>
        ))}
      </ul>
    </Panel>
  </div>
)

const Rule = ({ rule, found, examples }: ReconciliationRun['rules'][number]) => (
  <>
    <div className="flex items-start justify-between gap-3">
      <span>
        <strong>{rule}</strong> {ruleTexts[rule]}
      </span>
      <Badge tone={found === 0 ? 'success' : 'danger'}>
        {found === 0 ? copy.holds : copy.broken(formatNumber(found))}
      </Badge>
    </div>
    {found > examples.length && <p className="mt-1 text-sm text-soft">{copy.first(examples.length)}</p>}
    {found > 0 && (
      <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {examples.map((example, index) => (
          <li key={`${example.kind}-${example.id}-${index}`}>
            <Example {...example} />
          </li>
        ))}
      </ul>
    )}
  </>
)

/** The screen of each kind that has one. */
const SCREENS: Partial<Record<NonNullable<ReconciliationExample['kind']>, string>> = {
  user: '/users',
  'ledger-transfer': '/ledger-transfers',
  'bank-transfer': '/bank-transfers',
  'payment-event': '/payment-events',
  'recharge-order': '/recharge-orders',
  delivery: '/deliveries',
}

function Example({ kind, id }: ReconciliationExample) {
  if (kind === null || id === null) return copy.all
  const text = `${copy.kinds[kind]} ${id}`
  if (kind === 'account-day') {
    const [account = ''] = id.split(' ')
    return <Link to={`/payment-events?account=${encodeURIComponent(account)}`}>{text}</Link>
  }
  const screen = SCREENS[kind]
  return screen === undefined ? text : <Link to={`${screen}/${id}`}>{text}</Link>
}

const copy = {
  start: 'Chạy ngay',
  startTitle: 'Đối soát ngay',
  startText:
    'Tiến trình nền đọc toàn bộ sổ cái, đơn nạp, giao hàng và thông báo thanh toán, mất vài giây đến vài phút. Không có gì bị thay đổi.',
  running: (by: string, at: string) => `Đang chạy, do ${by} yêu cầu lúc ${at}.`,
  byJob: 'lịch hằng ngày',
  failed: (at: string) => `Lần chạy lúc ${at} không đi đến cùng. Nhật ký máy chủ ghi vì sao; hãy chạy lại.`,
  never: 'Chưa có lần đối soát nào. Tiến trình nền chạy mỗi ngày một lần.',
  last: 'Lần gần nhất',
  rules: 'Quy tắc',
  at: 'Xong lúc',
  took: 'Mất',
  seconds: (text: string) => `${text} giây`,
  by: 'Do',
  result: 'Kết quả',
  whole: 'Mọi quy tắc đều đúng',
  broken: (count: string) => `${count} chỗ không khớp`,
  holds: 'Đúng',
  first: (count: number) => `${count} chỗ đầu tiên:`,
  noAdjustment: 'Không điều chỉnh số dư trước khi rõ nguyên nhân.',
  runbook: 'Sổ tay: phải làm gì',
  closes: 'Xem chốt ngày, đối soát với sao kê ngân hàng',
  origins: {
    daily: 'Lịch hằng ngày',
    console: 'Người vận hành',
    command: 'Dòng lệnh portal reconcile',
  } satisfies Record<ReconciliationRun['origin'], string>,
  kinds: {
    user: 'Ví của người chơi',
    'ledger-account': 'Tài khoản sổ cái',
    'ledger-transfer': 'Dòng sổ cái',
    'bank-transfer': 'Khoản chuyển',
    'payment-event': 'Thông báo',
    'account-day': 'Tài khoản, ngày',
    'recharge-order': 'Đơn nạp',
    delivery: 'Lượt giao',
    'idempotency-key': 'Khóa',
    team: 'Đội',
    promotion: 'Khuyến mãi',
    'gift-codes': 'Đợt mã quà',
  },
  all: 'Toàn bộ sổ cái',
} as const

/** The text of each rule while it holds. */
const ruleTexts: Record<ReconciliationRule, string> = {
  R1: 'Tổng mọi số dư bằng 0',
  R2: 'Mỗi số dư bằng tổng các dòng sổ của nó',
  R3: 'Dòng sổ của mỗi tài khoản được đánh số liên tục',
  R4: 'Mỗi dòng sổ bắt đầu ở số dư mà dòng trước kết thúc',
  R5: 'Không ví nào âm',
  R6: 'Mỗi lần chuyển có đúng hai dòng sổ, cùng số tiền và cùng loại',
  R7: 'Tiền đến, khoản cộng, đơn nạp và lần thu hồi khớp nhau từng cái một',
  R8: 'Trạng thái mỗi lượt giao khớp với sổ cái',
  R9: 'TCoin đang giữ bằng tổng các lượt giao chưa xong',
  R10: 'Mỗi lần kích hoạt, món quà và lần đổi lượng khớp với khoản trả của nó',
  R11: 'Mỗi khóa chống làm hai lần chỉ đến kết quả của nó',
  R12: 'Mỗi thông báo thanh toán còn nguyên như lúc đến',
  R13: 'Lệ phí giải đấu đã thu đúng bằng lệ phí của các đội được nhận',
  R14: 'TCoin đang giữ cho thưởng nạp đúng bằng phần đã hứa, và mỗi ngân sách đúng với sổ cái',
  R15: 'Mỗi khoản thưởng nạp đúng với sổ cái, với đơn đã trả và không vượt mức tối đa',
  R16: 'Tiền các nguồn báo theo tài khoản và ngày = đã cộng + đang chờ + đã bỏ qua có lý do',
}
