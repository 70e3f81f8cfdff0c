import { serverNow } from '#client/server-clock.ts'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { read } from '#admin/query.ts'
import { formatNumber } from '#contract/format.ts'
import { type Alarm, ALARM_COUNT_MAX, type AlarmName, operatorAlarms } from '#contract/operator/alarms.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { ageText, momentText, vnd } from './format.ts'
import { RunbookLink } from './links.tsx'
import { Loaded } from './loaded.tsx'

/** While one of these is open, the figures cannot be trusted. */
const BROKEN: readonly AlarmName[] = ['audit-chain-broken', 'ledger-broken', 'red-closes']
/** Their time is that of the check that found them. */
const CHECKS: readonly AlarmName[] = ['audit-chain-broken', 'ledger-broken']

type State = keyof typeof alarmCopy.states

const stateOf = ({ name, late }: Alarm): State =>
  BROKEN.includes(name) ? 'broken' : late > 0 ? 'late' : 'waiting'

const styles: Record<State, { tone: BadgeTone; box: string }> = {
  broken: { tone: 'danger', box: 'border-vermilion bg-wash' },
  late: { tone: 'danger', box: 'border-vermilion bg-sunken' },
  waiting: { tone: 'waiting', box: 'border-line-strong bg-sunken' },
}

/** All that waits for the reader, in the order of harm; or of these names only, and nothing while there are none. */
export function AlarmList({ only }: { only?: readonly AlarmName[] }) {
  return (
    <Loaded query={read(operatorAlarms.list)}>
      {(alarms) => {
        const shown = alarms.filter(({ name }) => only?.includes(name) ?? true)
        if (shown.length === 0) return only ? null : <p>{alarmCopy.nothing}</p>
        return <Alarms alarms={shown} />
      }}
    </Loaded>
  )
}

/** How many a narrow window shows at first; each is a line, until the reader asks what to do about them. */
const FIRST_ONES = 3

function Alarms({ alarms }: { alarms: readonly Alarm[] }) {
  const listId = useId()
  const [isOpen, setOpen] = useState(false)
  const hasMore = alarms.length > FIRST_ONES
  return (
    <>
      <ol id={listId} className="grid gap-1 lg:grid-cols-2 lg:gap-2 [&>:only-child]:col-span-full">
        {alarms.map((alarm, index) => (
          <AlarmItem
            key={alarm.name}
            alarm={alarm}
            isBrief={!isOpen}
            className={isOpen || index < FIRST_ONES ? '' : 'max-lg:hidden'}
          />
        ))}
      </ol>
      <Button
        kind="text"
        className="-mb-2"
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? (
          alarmCopy.fewer
        ) : (
          <>
            {hasMore && <span className="lg:hidden">{alarmCopy.all(alarms.length)}</span>}
            <span className={hasMore ? 'max-lg:hidden' : ''}>{alarmCopy.more}</span>
          </>
        )}
      </Button>
    </>
  )
}

type ItemProps = {
  alarm: Alarm
  /** Only what it is and how much; in a narrow window how many. */
  isBrief: boolean
  className: string
}

function AlarmItem({ alarm, isBrief, className }: ItemProps) {
  const { name, runbook } = alarm
  const { label, next, to } = alarmTexts[name]
  const state = stateOf(alarm)
  const whole = isBrief ? 'max-lg:hidden' : ''
  return (
    <li
      data-alarm={name}
      className={`space-y-1 rounded-lg border-l-4 text-[0.9375rem] ${isBrief ? 'px-2.5 py-1.5' : 'px-4 py-3'} ${styles[state].box} ${className}`}
    >
      <div
        className={`flex items-center justify-between gap-x-4 gap-y-1 lg:flex-wrap ${isBrief ? '' : 'flex-wrap'}`}
      >
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {/* A tap between the lines of a long one counts too. */}
          <strong className="[&>a]:inline-block">
            {to !== null ? (
              <Link to={to}>{label}</Link>
            ) : isBrief ? (
              <RunbookLink file={runbook} alarm={name} label={alarmCopy.runbookOf(label)}>
                {label}
              </RunbookLink>
            ) : (
              label
            )}
          </strong>
          <span className={whole}>
            <Badge tone={styles[state].tone}>{stateText(alarm, state)}</Badge>
          </span>
        </span>
        <span className="flex items-baseline gap-3">
          {isBrief && state !== 'waiting' && (
            <span className="text-sm font-bold text-vermilion lg:hidden">{alarmCopy.states[state]}</span>
          )}
          <Figures alarm={alarm} more={whole} />
        </span>
      </div>
      {alarm.place && (
        <p>
          {alarmCopy.firstPlace}
          <Place place={alarm.place} />
        </p>
      )}
      {!isBrief && (
        <>
          <p>{next}</p>
          <p className="text-sm">
            <RunbookLink file={runbook} alarm={name} label={alarmCopy.runbookOf(label)}>
              {alarmCopy.runbook}
            </RunbookLink>
          </p>
        </>
      )}
    </li>
  )
}

/** Of those that wait only some may be late. */
const stateText = ({ count, late }: Alarm, state: State): string =>
  state === 'late' && late < count
    ? alarmCopy.lateOf(formatNumber(late), formatNumber(count))
    : alarmCopy.states[state]

/** How many, worth how much, and for how long the oldest has waited. */
function Figures({ alarm: { name, count, amount, oldest }, more }: { alarm: Alarm; more: string }) {
  if (name === 'one-person') return null
  const isCapped = count >= ALARM_COUNT_MAX
  const bounded = (text: string) => (isCapped ? alarmCopy.atLeast(text) : text)
  const sum =
    amount &&
    amount.value > 0 &&
    (amount.unit === 'VND' ? vnd(amount.value) : `${formatNumber(amount.value)} TCoin`)
  return (
    <span className="flex flex-wrap items-baseline gap-x-3 tabular-nums">
      <strong>{bounded(formatNumber(count))}</strong>
      {sum && <strong className={`whitespace-nowrap ${more}`}>{bounded(sum)}</strong>}
      {oldest !== null && <span className={`text-sm text-soft ${more}`}>{ageOf(name, oldest)}</span>}
    </span>
  )
}

function ageOf(name: AlarmName, oldest: string): string {
  if (CHECKS.includes(name)) return alarmCopy.checked(momentText(oldest))
  const seconds = Math.max(0, (serverNow() - Date.parse(oldest)) / 1_000)
  return alarmCopy.longest(ageText(seconds), momentText(oldest))
}

/** A place at which the audit trail does not fit, with the row where it is one. */
function Place({ place: { id, fault } }: { place: NonNullable<Alarm['place']> }) {
  if (fault === 'seal') return `${alarmCopy.faultAtSeal(id)}${alarmCopy.faults.seal}`
  return (
    <>
      <Link to={`/audit?id=${id}`}>{alarmCopy.faultAt(id)}</Link>
      {alarmCopy.faults[fault]}
    </>
  )
}

export const alarmCopy = {
  nothing: 'Trong những mục bạn được xem, không có việc nào đang chờ và không có gì bất thường.',
  all: (count: number) => `Xem cả ${count} mục`,
  more: 'Xem phải làm gì',
  fewer: 'Thu gọn',
  checked: (moment: string) => `kiểm tra lúc ${moment}`,
  longest: (age: string, moment: string) => `lâu nhất ${age}, từ ${moment}`,
  runbook: 'Sổ tay: phải làm gì',
  runbookOf: (label: string) => `Sổ tay: ${label}`,
  atLeast: (text: string) => `từ ${text}`,
  states: { broken: 'Nghiêm trọng', late: 'Quá hạn', waiting: 'Đang chờ' },
  lateOf: (late: string, count: string) => `Quá hạn ${late} trong ${count}`,
  firstPlace: 'Chỗ sai đầu tiên: ',
  faults: {
    link: 'không nối với dòng trước, hoặc thiếu dòng trước dòng này',
    hash: 'nội dung không khớp mã băm',
    head: 'đuôi nhật ký bị cắt hoặc bị nối thêm',
    seal: 'không khớp với nhật ký hoặc với niêm phong trước',
    personal: 'phần riêng tư bị sửa',
  },
  faultAt: (id: string) => `Dòng ${id}: `,
  faultAtSeal: (id: string) => `Niêm phong ngày số ${id}: `,
} as const

type AlarmText = {
  label: string
  /** What to do about it. */
  next: string
  /** The screen where that is done. */
  to: string | null
}

export const alarmTexts: Record<AlarmName, AlarmText> = {
  'audit-chain-broken': {
    label: 'Nhật ký vận hành bị thay đổi',
    next: 'Giữ nguyên cơ sở dữ liệu, báo ngay chủ sở hữu và người quản trị máy chủ, rồi làm theo sổ tay. Cảnh báo chỉ hết khi kiểm tra lại thấy toàn bộ nhật ký nguyên vẹn.',
    to: '/audit',
  },
  'ledger-broken': {
    label: 'Sổ sách không khớp: sổ cái, đơn nạp, giao hàng hoặc thông báo',
    next: 'Xem quy tắc nào sai và ở dòng nào; không điều chỉnh số dư trước khi rõ nguyên nhân.',
    to: '/reconciliation',
  },
  'red-closes': {
    label: 'Ngày đối soát lệch',
    next: 'Xem mục không khớp của ngày đó, sửa ở khoản chuyển rồi đọc lại sao kê.',
    to: '/daily-closes?status=red',
  },
  'unread-payment-events': {
    label: 'Thông báo thanh toán chưa được xử lý',
    next: 'Cổng đang thử xử lý lại. Còn quá lâu thì báo người quản trị máy chủ xem nhật ký của máy chủ.',
    to: null,
  },
  'open-payment-events': {
    label: 'Thông báo thanh toán chưa quyết định được',
    next: 'Đối chiếu với sao kê rồi nhận là thật hoặc bác bỏ.',
    to: '/payment-events',
  },
  'unmatched-transfers': {
    label: 'Khoản chuyển chờ ghép',
    next: 'Mở từng khoản, xem gợi ý bên cạnh rồi ghép với đơn hoặc cộng cho người chơi.',
    to: '/bank-transfers?state=review',
  },
  'parked-deliveries': {
    label: 'Món giao bị treo',
    next: 'Hỏi game xem đã giao chưa, rồi gửi lại hoặc hoàn TCoin.',
    to: '/deliveries?state=parked',
  },
  'late-deliveries': {
    label: 'Món giao chậm quá 5 phút',
    next: 'Xem máy chủ game có trả lời không; khi nó chạy lại, cổng tự gửi tiếp.',
    to: '/deliveries?open=true',
  },
  'collector-silent': {
    label: 'Game không giao tiếp món đã nhận',
    next: 'Phần nhận món trong game đã dừng hơn 2 phút: khởi động lại nó theo sổ tay. Không món nào bị mất.',
    to: '/deliveries?uncollected=true',
  },
  'untakable-goods': {
    label: 'Quà đã hứa mà game không nhận',
    next: 'Một đợt mã, mốc nạp hay lịch điểm danh đang chạy có món game không có hoặc vượt mức tối đa; người chơi được báo quay lại sau. Thêm vật phẩm vào game, hoặc dừng đợt đó.',
    to: '/gift-codes',
  },
  'game-accounts-unknown': {
    label: 'Không rõ game có giữ tài khoản không, chưa ai đăng ký được',
    next: 'Xem thứ đang trả lời ở địa chỉ của game có đúng là máy chủ game không, theo sổ tay. Cổng tự hỏi lại mỗi phút.',
    to: null,
  },
  'unsent-account-changes': {
    label: 'Khóa, kích hoạt hoặc mật khẩu mới chưa đến game',
    next: 'Xem máy chủ game có trả lời không; khi nó chạy lại, cổng tự gửi tiếp. Không thay đổi nào bị mất.',
    to: null,
  },
  'failed-work': {
    label: 'Việc đến hạn mà làm không được',
    next: 'Cổng tự thử lại, lần sau lâu hơn lần trước. Xem lỗi của từng việc, rồi sửa nguyên nhân theo sổ tay.',
    to: '/failed-work',
  },
  'client-errors': {
    label: 'Trang bị lỗi trên máy người xem',
    next: 'Xem lỗi ở tệp và dòng nào, trên trang và trình duyệt nào, rồi báo người làm trang. Sửa xong thì đánh dấu đã xử lý.',
    to: '/client-errors?state=open&is_new=true',
  },
  'missing-backups': {
    label: 'Sao lưu bị lỗi hoặc không chạy',
    next: 'Bản sao lưu mới nhất quá cũ, hoặc khôi phục thử không được. Xem lỗi trên máy chủ theo sổ tay.',
    to: null,
  },
  'failed-refunds': {
    label: 'Hoàn tiền bị MoMo từ chối',
    next: 'Mở khoản chuyển: hoàn lại lần nữa, trả bằng cách khác, hoặc cộng cho người chơi.',
    to: '/gateway-refunds?state=failed',
  },
  'waiting-refunds': {
    label: 'Hoàn tiền qua MoMo chưa có kết quả',
    next: 'Cổng tự hỏi lại MoMo; quá một ngày thì kiểm tra trên trang của MoMo.',
    to: '/gateway-refunds?state=asked',
  },
  'waiting-claims': {
    label: 'Yêu cầu kiểm tra khoản nạp',
    next: 'Xem biên lai bên cạnh các khoản có thể, rồi cộng tiền hoặc trả lời người chơi.',
    to: '/cases?state=open&about_kind=claim',
  },
  'waiting-cases': {
    label: 'Yêu cầu hỗ trợ chờ trả lời',
    next: 'Trả lời từng yêu cầu, lâu nhất trước. Chờ quá 24 giờ là quá hạn.',
    to: '/cases?state=open',
  },
  'waiting-credits': {
    label: 'Khoản chuyển chờ người thứ hai',
    next: 'Một người khác với người đề xuất mở ra để duyệt hoặc bác.',
    to: '/proposals?state=waiting',
  },
  'waiting-proposals': {
    label: 'Đề xuất chờ duyệt',
    next: 'Đọc lý do và thay đổi, rồi duyệt hoặc bác những đề xuất của người khác.',
    to: '/proposals?state=waiting',
  },
  'uncompared-closes': {
    label: 'Ngày chưa đối chiếu với ngân hàng',
    next: 'Đọc lại sao kê của ngày đó. Tài khoản không có sao kê qua nhà cung cấp thì so với ứng dụng của ngân hàng.',
    to: '/daily-closes?status=not-compared',
  },
  'due-deletions': {
    label: 'Yêu cầu xóa tài khoản',
    next: 'Xem điều gì còn dở với người chơi đó, rồi xóa tài khoản hoặc từ chối kèm lý do.',
    to: '/deletion-requests?state=waiting',
  },
  'failed-mails': {
    label: 'Thư gửi không được',
    next: 'Báo người quản trị máy chủ kiểm tra phần gửi thư và nhật ký của máy chủ thư.',
    to: null,
  },
  'one-person': {
    label: 'Đang tắt quy tắc hai người',
    next: 'Mời chủ sở hữu thứ hai, rồi nhờ người quản trị máy chủ bật lại quy tắc.',
    to: '/staff',
  },
}
