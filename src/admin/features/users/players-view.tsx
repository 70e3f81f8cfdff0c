import { serverNow } from '#client/server-clock.ts'
import { type ReactNode, useEffect } from 'react'
import { column, type Column, DataTable, numberColumn, vndColumn } from '#admin/kit/data-table.tsx'
import { momentText, signedNumber } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { Panel } from '#admin/kit/screen.tsx'
import { formatNumber } from '#contract/format.ts'
import type { PlayersView as View } from '#contract/operator/users.ts'
import { CASE_KIND_WORDS, CASE_WORDS, CLAIM_WORDS, ORDER_WORDS } from '#contract/operator/words.ts'
import { STATUS_NAMES } from '#contract/transactions.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'

export const playersViewCopy = {
  button: 'Xem như người chơi',
  text: 'Bạn chỉ xem được những gì người chơi này thấy, trong 10 phút. Không làm được gì thay họ; việc xem được ghi vào nhật ký vận hành.',
  submit: 'Xem',
  title: (name: string) => `Như ${name} thấy`,
  until: (moment: string) => `Chỉ để xem, đến ${moment}. Người chơi không biết và không có gì thay đổi.`,
  close: 'Thôi xem',
  account: 'Tài khoản',
  balance: 'Số dư',
  activated: 'Kích hoạt',
  yes: 'Đã kích hoạt',
  no: 'Chưa kích hoạt',
  email: 'Email',
  phone: 'Điện thoại',
  none: 'Chưa có',
  stops: 'Đang bị chặn',
  nothingStops: 'Không có gì chặn người chơi này.',
  of: { 'sign-in': 'Đăng nhập', trading: 'Giao dịch', recharge: 'Nạp TCoin' },
  notices: 'Thông báo trên mọi trang',
  noNotices: 'Không có thông báo nào.',
  deliveries: 'Món đã mua',
  claims: 'Yêu cầu kiểm tra',
  cases: 'Yêu cầu hỗ trợ',
  transactions: 'Lịch sử giao dịch',
  empty: 'Không có gì.',
  columns: {
    at: 'Lúc',
    code: 'Mã đơn',
    amount: 'Số tiền',
    coins: 'TCoin',
    credited: 'Đã cộng',
    state: 'Trạng thái',
    until: 'Hết hạn lúc',
    what: 'Nội dung',
    character: 'Nhân vật',
    answer: 'Trả lời',
    about: 'Về',
    lastMessage: 'Tin mới nhất',
    balance: 'Số dư sau',
  },
} as const

const { columns } = playersViewCopy

type RowOf<Name extends 'orders' | 'deliveries' | 'claims' | 'cases' | 'transactions'> = View[Name][number]

const orders: readonly Column<RowOf<'orders'> & { id: string }>[] = [
  column('at', columns.at, ({ created_at }) => momentText(created_at)),
  column('code', columns.code, ({ code }) => code),
  vndColumn('amount', columns.amount),
  column('state', columns.state, ({ status }) => ORDER_WORDS[status]),
  numberColumn('credited', columns.credited),
  column('until', columns.until, ({ expires_at }) => momentText(expires_at)),
]

const deliveries: readonly Column<RowOf<'deliveries'>>[] = [
  column('at', columns.at, ({ created_at }) => momentText(created_at)),
  column('character', columns.character, ({ character_name }) => character_name),
  column('coins', columns.coins, ({ amount }) => formatNumber(amount), { isNumber: true }),
  column('state', columns.state, ({ status }) => STATUS_NAMES[status]),
]

const claims: readonly Column<RowOf<'claims'>>[] = [
  column('at', columns.at, ({ created_at }) => momentText(created_at)),
  vndColumn('amount', columns.amount),
  column('state', columns.state, ({ status }) => CLAIM_WORDS[status]),
  column('answer', columns.answer, ({ message }) => message ?? '—', { isText: true }),
]

const cases: readonly Column<RowOf<'cases'>>[] = [
  column('at', columns.at, ({ created_at }) => momentText(created_at)),
  column('what', columns.what, ({ about }) => CASE_KIND_WORDS[about.kind]),
  column('about', columns.about, ({ about }) => about.title, { isText: true }),
  column('last', columns.lastMessage, ({ last_message_at }) => momentText(last_message_at)),
  column('state', columns.state, ({ state }) => CASE_WORDS[state]),
]

const transactions: readonly Column<RowOf<'transactions'>>[] = [
  column('at', columns.at, ({ created_at }) => momentText(created_at)),
  column('what', columns.what, ({ description }) => description, { isText: true }),
  column('coins', columns.coins, ({ amount }) => signedNumber(amount), { isNumber: true }),
  column('balance', columns.balance, ({ balance_after }) => formatNumber(balance_after), { isNumber: true }),
  column('state', columns.state, ({ status }) => STATUS_NAMES[status]),
]

/** What a player sees, as it was read; it is hidden when it may no longer be shown. */
export function PlayersView({ view, onClose }: { view: View; onClose: () => void }) {
  const { user, until, refusals, notices } = view
  useEffect(() => {
    const timer = setTimeout(onClose, Date.parse(until) - serverNow())
    return () => clearTimeout(timer)
  }, [until, onClose])
  return (
    <Panel
      title={playersViewCopy.title(user.username)}
      acts={
        <Button kind="plain" onClick={onClose}>
          {playersViewCopy.close}
        </Button>
      }
    >
      <div className="space-y-5">
        <Alert tone="note">{playersViewCopy.until(momentText(until))}</Alert>
        <div className="grid items-start gap-5 lg:grid-cols-2">
          <Part title={playersViewCopy.account}>
            <Facts
              facts={[
                { label: playersViewCopy.balance, value: `${formatNumber(user.balance)} TCoin` },
                {
                  label: playersViewCopy.activated,
                  value: user.activated ? playersViewCopy.yes : playersViewCopy.no,
                },
                { label: labels.server, value: user.server_name },
                { label: playersViewCopy.email, value: user.email ?? playersViewCopy.none },
                { label: playersViewCopy.phone, value: user.phone ?? playersViewCopy.none },
              ]}
            />
          </Part>
          <Part title={playersViewCopy.stops}>
            {refusals.length === 0 && <p className="text-soft">{playersViewCopy.nothingStops}</p>}
            {refusals.map(({ of, message }) => (
              <p key={of}>
                <strong>{playersViewCopy.of[of]}:</strong> {message}
              </p>
            ))}
            <h3 className="pt-3 font-bold">{playersViewCopy.notices}</h3>
            {notices.length === 0 && <p className="text-soft">{playersViewCopy.noNotices}</p>}
            {notices.map((notice) => (
              <p key={notice}>{notice}</p>
            ))}
          </Part>
        </div>
        <Rows
          title={labels.order}
          columns={orders}
          rows={view.orders.map((order) => ({ ...order, id: order.code }))}
        />
        <Rows title={playersViewCopy.deliveries} columns={deliveries} rows={view.deliveries} />
        <Rows title={playersViewCopy.claims} columns={claims} rows={view.claims} />
        <Rows title={playersViewCopy.cases} columns={cases} rows={view.cases} />
        <Rows title={playersViewCopy.transactions} columns={transactions} rows={view.transactions} />
      </div>
    </Panel>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="min-w-0 space-y-2">
    <h3 className="font-bold">{title}</h3>
    {children}
  </div>
)

type RowsProps<Row> = { title: string; columns: readonly Column<Row>[]; rows: readonly Row[] }

const Rows = <Row extends { id: string }>({ title, columns: shown, rows }: RowsProps<Row>) => (
  <Part title={title}>
    <DataTable label={title} columns={shown} rows={rows} empty={playersViewCopy.empty} />
  </Part>
)
