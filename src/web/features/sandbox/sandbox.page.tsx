import { useState } from 'react'
import { queryOptions } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import { Link, useSearchParams, useNavigate } from '#web/navigation.tsx'
import { REFETCH_INTERVAL_MS, SMS_OTP_TEXT, SMS_SHORT_CODE } from '#contract/constants.ts'
import { paySandbox, type listOrders, type RechargeOrder } from '#contract/recharge.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { PageState } from '#ui/page-state.tsx'
import { Section } from '#ui/section.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Loaded, LoadFailure, NotFound, PageSkeleton } from '#web/parts/fallbacks/fallbacks.tsx'
import { CallError } from '#client/call.ts'
import type { Page } from '#web/page.ts'
import { pages, paths } from '#contract/pages.ts'
import { useSession, refreshUser } from '#web/session/session-store.ts'
import { openModal } from '#web/parts/modals/modal-store.ts'
import { settingsQuery, useFreshSettings } from '#web/parts/settings/settings.ts'
import { formatNumber } from '#contract/format.ts'
import { AmountField } from '#web/parts/amounts/amount-field.tsx'
import { Form } from '#client/forms/form.tsx'
import { useSendForm } from '#web/parts/forms/use-send.ts'
import { sendSandboxSms } from '#contract/accounts/one-time-codes.ts'
import { Field } from '#ui/field.tsx'
import { ownQuery } from '#web/query-client.ts'

const copy = {
  lead: 'Trang này thay cho ứng dụng ngân hàng và chiếc điện thoại trong bản dùng thử. Không có tiền thật, không tốn cước tin nhắn.',
  howTitle: 'Điều gì xảy ra khi bạn bấm?',
  how: [
    'Trang gửi một thông báo giống hệt ngân hàng hoặc nhà mạng sẽ gửi, có chữ ký.',
    'Thông báo đến đúng địa chỉ công khai mà bên thật sẽ gọi, không có lối tắt.',
    'Chuyển khoản: cổng kiểm tra chữ ký, tìm đơn theo nội dung rồi cộng TCoin vào ví, chỉ một lần.',
    'Tin nhắn: cổng trả lời bằng mã OTP. Mỗi số nhận một mã trong 60 giây, nhiều nhất 5 mã mỗi giờ.',
  ],
  phoneTitle: 'Điện thoại thử',
  phone: 'Số điện thoại',
  text: 'Nội dung tin nhắn',
  sendText: 'Gửi tin nhắn',
  reply: (shortCode: string) => `Trả lời từ ${shortCode}`,
  noReply: 'Không có tin trả lời: chỉ số di động Việt Nam mới nhận được mã.',
  orders: 'Đơn đang chờ',
  order: (code: string) => `Đơn ${code}`,
  payment: (amount: string, bank: string) => `${amount} VND qua ${bank}`,
  amount: 'Số tiền chuyển (VND)',
  amountHint: 'Sửa số tiền để thử trường hợp chuyển thiếu hoặc dư.',
  amountMissing: 'Vui lòng nhập số tiền',
  pay: 'Chuyển khoản thử',
  watch: 'Xem đơn nạp',
  none: 'Không có đơn nào đang chờ.',
  noneMore: 'Tạo một đơn nạp trước, rồi quay lại đây để trả.',
  recharge: 'Tạo đơn nạp',
  visitor: 'Đăng nhập để thấy các đơn đang chờ của bạn.',
  login: 'Đăng nhập',
} as const

const NEWEST_COUNT = 20

/** The newest orders; at most three of them can be open. */
const newestOrdersQuery = ownQuery<typeof listOrders>('/recharge/orders', {
  query: { page: 1, items_per_page: NEWEST_COUNT },
})

/**
 * The bank and the phone of a demo. Without a demo the page does not exist. Open to visitors: players who forgot their
 * password needs the phone.
 */
function SandboxPage() {
  const { data: settings, isError, refetch } = useFreshSettings()
  if (isError && !settings) return <LoadFailure onRetry={refetch} />
  if (!settings) return <PageSkeleton />
  if (settings.demo !== '1') return <NotFound />
  return (
    <div className="shell-width pt-8">
      <h1 className="brush-title text-3xl">{pages.sandbox.title}</h1>
      <p className="mt-3 mb-6 max-w-text text-soft">{copy.lead}</p>
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="space-y-8">
          <Orders />
          <SandboxPhone />
        </div>
        <section className="rounded-xl border border-line bg-sunken p-4">
          <h2 className="mb-2 text-lg">{copy.howTitle}</h2>
          <ol className="list-decimal space-y-2 pl-5 text-[0.9375rem]">
            {copy.how.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </section>
      </div>
    </div>
  )
}

/** As high as an order, so that nothing moves when the session is known. */
const ORDERS_CLASS = 'h-72 w-full lg:h-56'

function Orders() {
  const { status } = useSession()
  return (
    <Section title={copy.orders}>
      {(status === 'unknown' || status === 'checking') && (
        <>
          <Skeleton className="while-anonymous h-32 w-full" />
          <Skeleton className={`while-signed-in ${ORDERS_CLASS}`} />
        </>
      )}
      {status === 'anonymous' && (
        <div className="flex flex-wrap items-center gap-4">
          <p className="text-soft">{copy.visitor}</p>
          <Button
            kind="plain"
            onClick={() => openModal('login', { next: location.pathname + location.search })}
          >
            {copy.login}
          </Button>
        </div>
      )}
      {status === 'player' && <OpenOrders />}
    </Section>
  )
}

function OpenOrders() {
  const code = useSearchParams()[0].get('code')
  const query = useQuery({ ...newestOrdersQuery, staleTime: 0, refetchInterval: REFETCH_INTERVAL_MS })
  const open = query.data?.data.filter(({ status }) => status === 'pending') ?? []
  // The order the player comes from is shown first.
  const orders = open.sort((one, other) => Number(other.code === code) - Number(one.code === code))
  return (
    <Loaded query={query} skeleton={<Skeleton className={ORDERS_CLASS} />}>
      {() =>
        orders.length === 0 ? (
          <PageState title={copy.none} text={copy.noneMore}>
            <Link to={paths.recharge} className={buttonClass()}>
              {copy.recharge}
            </Link>
          </PageState>
        ) : (
          <ul className="space-y-4">
            {orders.map((order) => (
              <SandboxOrder key={order.code} order={order} />
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

/** In a live installation the page answers 404. */
const demoQuery = queryOptions<boolean>({
  queryKey: ['demo'],
  queryFn: async ({ client }) => {
    const settings = await client.ensureQueryData(settingsQuery)
    if (settings['demo'] !== '1') throw new CallError(404, null)
    return true
  },
})

export const page: Page = {
  queries: () => [demoQuery],
  Component: SandboxPage,
  head: () => ({ isIndexable: false }),
}

/** One pending order, and the form that pays it. */
function SandboxOrder({ order }: { order: RechargeOrder }) {
  const navigate = useNavigate()
  const form = useSendForm(paySandbox, {
    start: { amount: order.amount as number | null },
    check: ({ amount }) => ({ amount: amount ? undefined : copy.amountMissing }),
    toBody: ({ amount }) => ({ code: order.code, amount }),
    onDone: () => {
      void refreshUser()
      void navigate(paths.order(order.code))
    },
  })

  return (
    <li className="rounded-xl border border-line bg-raised p-4 shadow-card">
      <h3 className="text-base tabular-nums">{copy.order(order.code)}</h3>
      <p className="mb-3 text-sm text-soft">{copy.payment(formatNumber(order.amount), order.bank_name)}</p>
      <Form form={form}>
        <AmountField {...form.amount('amount')} label={copy.amount} hint={copy.amountHint} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" isBusy={form.isSending} className="max-sm:flex-[1_1_7.5rem]">
            {copy.pay}
          </Button>
          <Link to={paths.order(order.code)} className={buttonClass('plain', 'max-sm:flex-[1_1_7.5rem]')}>
            {copy.watch}
          </Link>
        </div>
      </Form>
    </li>
  )
}

/** The phone of a demo: a text message to the short code, and its reply. */
function SandboxPhone() {
  const [reply, setReply] = useState<string | null>(null)
  const form = useSendForm(sendSandboxSms, {
    start: { phone: '', text: SMS_OTP_TEXT as string },
    onDone: (answer) => setReply(answer.reply),
    onRefused: () => setReply(null),
  })

  return (
    <Section title={copy.phoneTitle}>
      <div className="rounded-xl border border-line bg-raised p-4 shadow-card">
        <Form form={form}>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              {...form.field('phone')}
              label={copy.phone}
              type="tel"
              inputMode="tel"
              autoComplete="tel"
            />
            <Field {...form.field('text')} label={copy.text} autoComplete="off" autoCapitalize="characters" />
          </div>
          <Button type="submit" isBusy={form.isSending}>
            {copy.sendText}
          </Button>
        </Form>
        <div role="status">
          {reply !== null && !form.isSending && (
            <div className="mt-4 rounded-lg border-l-4 border-leaf bg-leaf-wash px-4 py-3">
              <p className="text-sm text-soft">{copy.reply(SMS_SHORT_CODE)}</p>
              <p className="font-bold break-words">{reply === '' ? copy.noReply : reply}</p>
            </div>
          )}
        </div>
      </div>
    </Section>
  )
}
