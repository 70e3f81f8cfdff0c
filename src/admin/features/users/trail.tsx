import { Link } from 'react-router'
import { ActSentence, Changes } from '#admin/kit/act-sentence.tsx'
import { momentText, signedNumber, vnd } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { LoadFailure, PageSkeleton, useParts } from '#admin/kit/loaded.tsx'
import { formatNumber } from '#contract/format.ts'
import { operatorUsers, type TrailRow } from '#contract/operator/users.ts'
import { Button } from '#ui/button.tsx'
import { userCopy as copy } from './users.copy.ts'

/** Each kind of row, and what its `what` means. */
const trailCopy: Record<TrailRow['kind'], { name: string; what: Record<string, string> }> = {
  order: {
    name: 'Đơn nạp',
    what: {
      pending: 'chờ tiền',
      paid: 'đã nhận đủ',
      paid_under: 'nhận thiếu',
      paid_over: 'nhận thừa',
      expired: 'hết hạn',
      cancelled: 'đã hủy',
      review: 'chờ kiểm tra',
    },
  },
  'bank-transfer': {
    name: 'Khoản chuyển',
    what: {
      review: 'chờ kiểm tra',
      credited: 'đã cộng TCoin',
      refunded: 'đã trả lại',
      ignored: 'đã bỏ qua',
    },
  },
  ledger: {
    name: 'Ví',
    what: {
      recharge: 'nạp TCoin',
      p2p: 'chuyển TCoin',
      activation: 'phí kích hoạt',
      exchange_hold: 'đổi lượng',
      exchange_settle: 'đổi lượng xong',
      exchange_refund: 'hoàn TCoin đổi lượng',
      gift_hold: 'mua quà tân thủ',
      gift_settle: 'mua quà xong',
      gift_refund: 'hoàn TCoin mua quà',
      adjustment: 'điều chỉnh',
      bonus: 'thưởng nạp',
      gift_code: 'mã quà',
      invitation: 'thưởng mời bạn',
      reversal: 'thu hồi khoản nạp',
      debt: 'ghi nợ',
      debt_settle: 'trả nợ',
      opening: 'số dư từ cổng cũ',
    },
  },
  delivery: {
    name: 'Giao hàng',
    what: {
      pending: 'chờ gửi',
      sending: 'đang gửi',
      unknown: 'chưa rõ kết quả',
      parked: 'bị treo',
      delivered: 'game đã nhận',
      refunded: 'đã hoàn TCoin',
    },
  },
  claim: {
    name: 'Yêu cầu kiểm tra',
    what: { open: 'chờ kiểm tra', answered: 'đã trả lời', settled: 'đã xử lý', rejected: 'đã từ chối' },
  },
  case: {
    name: 'Yêu cầu hỗ trợ',
    what: { open: 'chờ trả lời', answered: 'đã trả lời', closed: 'đã đóng' },
  },
  'sign-in': {
    name: 'Đăng nhập',
    what: {
      succeeded: 'thành công',
      'wrong-password': 'sai mật khẩu',
      'wrong-second-factor': 'sai mã hai lớp',
    },
  },
  act: {
    name: 'Thao tác',
    what: {},
  },
}

/** All that happened to a player, the newest first; older parts are added below. */
export function Trail({ userId }: { userId: string }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useParts(
    operatorUsers.trail,
    { id: userId },
  )
  if (error && !data) return <LoadFailure error={error} onRetry={refetch} />
  if (data === undefined) return <PageSkeleton />
  const rows = data.pages.flatMap((page) => page.rows)
  if (rows.length === 0) return <p className="text-soft">{copy.trailEmpty}</p>
  return (
    <>
      <ol className="divide-y divide-line" aria-label={copy.trail}>
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </ol>
      <div className="mt-3 text-center">
        {hasNextPage ? (
          <Button kind="plain" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {copy.older}
          </Button>
        ) : (
          <p className="text-sm text-soft">{copy.begin}</p>
        )}
      </div>
    </>
  )
}

function Row({ row }: { row: TrailRow }) {
  const { at, kind, what, note, by, act } = row
  const { name, what: meanings } = trailCopy[kind]
  const amount = amountOf(row)
  const to = screenOf(row)
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 py-2">
      <time dateTime={at} className="w-34 shrink-0 text-sm text-soft tabular-nums">
        {momentText(at)}
      </time>
      <div className="min-w-0 grow basis-60 wrap-anywhere">
        {act ? (
          <>
            <ActSentence actor={by ?? labels.system} sentence={act.sentence} />
            <Changes changes={act.changes} />
          </>
        ) : (
          <>
            <strong>{to === null ? name : <Link to={to}>{name}</Link>}</strong> · {meanings[what] ?? what}
            {by !== null && <> · {by}</>}
          </>
        )}
        {note !== null && <p className="text-sm text-soft">{note}</p>}
      </div>
      {amount !== null && <span className="ml-auto font-bold tabular-nums">{amount}</span>}
    </li>
  )
}

function amountOf({ kind, amount }: TrailRow): string | null {
  if (amount === null) return null
  if (kind === 'ledger') return `${signedNumber(amount)} TCoin`
  return kind === 'delivery' ? `${formatNumber(amount)} TCoin` : vnd(amount)
}

/** Sign-ins and acts have no screen of their own. */
function screenOf({ kind, ref }: TrailRow): string | null {
  switch (kind) {
    case 'order':
      return `/recharge-orders/${ref}`
    case 'bank-transfer':
      return `/bank-transfers/${ref}`
    case 'delivery':
      return `/deliveries/${ref}`
    case 'claim':
      return `/recharge-claims/${ref}`
    case 'case':
      return `/cases/${ref}`
    case 'ledger':
      return `/ledger-transfers/${ref}`
    default:
      return null
  }
}
