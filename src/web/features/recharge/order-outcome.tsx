import { lazyComponent } from '#web/load-chunk.tsx'
import { Link } from '#web/navigation.tsx'
import { formatMoment, formatNumber } from '#contract/format.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { buttonClass } from '#ui/button.tsx'
import { Icon, type IconName } from '#ui/icon.tsx'
import { ClaimLink } from '#web/features/recharge/order-actions.tsx'
import { missingOf, orderProgress } from '#web/features/recharge/order-progress.ts'
import type { PurchasePartProps } from '#web/features/recharge/order-purchase.tsx'
import { orderCopy as copy } from '#web/features/recharge/order.copy.ts'
import { paths } from '#contract/pages.ts'
import { rechargeOf } from '#web/parts/amounts/missing-coins.tsx'
import { ShareProgress } from '#web/parts/progress/share-progress.tsx'
import { useOutcomeFocus, CountUp, ProgressHead, ProgressSteps } from '#web/parts/progress/progress-view.tsx'
import { useSession } from '#web/session/session-store.ts'
import { Coins } from '#ui/coins.tsx'
import type { Progress } from '#web/parts/progress/progress.ts'
import { Facts, type Fact } from '#ui/facts.tsx'
import { CopyRow } from '#web/parts/clipboard/copy-row.tsx'

/** Only read where an order buys something. */
const PurchasePart = lazyComponent<PurchasePartProps>(
  () => import('#web/features/recharge/order-purchase.tsx').then((part) => part.PurchasePart),
  { failed: copy.purchaseFailed },
)

const icons: Record<RechargeOrder['status'], IconName> = {
  pending: 'clock',
  paid: 'check',
  paid_under: 'warning',
  paid_over: 'check',
  expired: 'clock',
  cancelled: 'close',
  review: 'warning',
}

/**
 * What has become of the order: what happened, what the player has now, and what to do next. `isNew` where it happened while
 * the page was open: then it takes the focus.
 */
export function OrderOutcome({ order, isNew = false }: { order: RechargeOrder; isNew?: boolean }) {
  const progress = orderProgress(order)
  const heading = useOutcomeFocus(isNew)
  const icon = icons[order.status]
  const tint = icon === 'check' ? 'border-leaf bg-leaf-wash' : 'border-line-strong bg-sunken'
  return (
    <div className={`rounded-xl border-l-4 p-4 sm:p-5 ${tint}`}>
      {/* What takes the focus is read out by that alone. */}
      <div aria-live={isNew ? 'off' : 'polite'} className="flex items-start gap-3">
        <Icon name={icon} className="mt-0.5 size-6" />
        <div className="min-w-0">
          <h2 ref={heading} tabIndex={-1} className="text-lg outline-none">
            {progress.title}
          </h2>
          <p className="text-[0.9375rem]">{progress.text}</p>
          {order.bonus && (
            <p className="text-[0.9375rem] font-bold wrap-anywhere">{bonusText(order.bonus)}</p>
          )}
        </div>
      </div>
      <div className="mt-4 empty:hidden">
        <OrderScene order={order} progress={progress} isCounting={isNew} />
      </div>
      {order.purchase && order.credited > 0 && (
        <div className="mt-4 min-h-18">
          <PurchasePart code={order.code} purchase={order.purchase} />
        </div>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        {order.credited > 0 ? <AfterCredit order={order} isNew={isNew} /> : <WithoutCredit order={order} />}
      </div>
    </div>
  )
}

const bonusText = ({ title, amount, is_given, condition }: NonNullable<RechargeOrder['bonus']>): string =>
  is_given
    ? copy.bonusGiven(formatNumber(amount), title)
    : [copy.bonusLate(formatNumber(amount)), condition].filter(Boolean).join(' ')

/** First what is still to do about this order, then what TCoin are for. */
function AfterCredit({ order, isNew }: { order: RechargeOrder; isNew: boolean }) {
  const { user } = useSession()
  const missing = missingOf(order)
  const isMain = missing === 0 && (!order.purchase || order.purchase.state === 'not-bought')
  return (
    <>
      {missing > 0 && (
        <Link to={rechargeOf(missing, 1)} className={buttonClass('main', 'max-sm:flex-[1_1_7.5rem]')}>
          {copy.payMissing(formatNumber(missing))}
        </Link>
      )}
      {order.purchase?.state !== 'waiting' && (
        <Link
          to={exchangeOf(order)}
          className={buttonClass(isMain ? 'main' : 'plain', 'max-sm:flex-[1_1_7.5rem]')}
        >
          {copy.toExchange}
        </Link>
      )}
      <Link to={paths.transactions} className={buttonClass('plain', 'max-sm:flex-[1_1_7.5rem]')}>
        {copy.toStatement}
      </Link>
      {isNew && missing === 0 && (
        <ShareProgress
          picture={{
            portrait: '/images/tcoin.svg',
            name: user?.server_name ?? '',
            figure: `+${formatNumber(order.credited)} TCoin`,
            stamp: copy.stamp,
          }}
          className="max-sm:flex-[1_1_7.5rem]"
        />
      )}
    </>
  )
}

/** Filled in as the order should have bought. */
const exchangeOf = ({ purchase }: RechargeOrder): string =>
  purchase?.state === 'not-bought'
    ? `${paths.exchange}?character=${encodeURIComponent(purchase.character_id)}&amount=${purchase.amount}`
    : paths.exchange

function WithoutCredit({ order: { code, status } }: { order: RechargeOrder }) {
  return (
    <>
      <Link
        to={paths.recharge}
        className={buttonClass(status === 'review' ? 'plain' : 'main', 'max-sm:flex-[1_1_7.5rem]')}
      >
        {copy.newOrder}
      </Link>
      <ClaimLink orderCode={code} />
    </>
  )
}

type Props = { order: RechargeOrder; progress: Progress; isCounting: boolean }

/** Credited TCoin, or a payment under review. */
function OrderScene({ order, progress, isCounting }: Props) {
  const { user } = useSession()
  if (progress.steps.length === 0) return null
  const isDone = order.credited > 0
  return (
    <div className="space-y-5">
      <ProgressHead
        picture={<img src="/images/tcoin.svg" width={72} height={72} alt="" className="size-18 shrink-0" />}
        name={isDone ? copy.credited : order.bank_name}
        figure={
          isDone ? (
            <span className="text-gold">
              +<CountUp value={order.credited} isCounting={isCounting} /> TCoin
            </span>
          ) : (
            `${formatNumber(order.payment?.amount ?? order.amount)} VND`
          )
        }
        stamp={progress.stamp}
      />
      <ProgressSteps steps={progress.steps} />
      {isDone && user && (
        <div className="flex items-center justify-between gap-4">
          {copy.newBalance} <Coins>{formatNumber(user.balance)}</Coins>
        </div>
      )}
    </div>
  )
}

/** The facts of an order and of its payment. It is called a receipt once money has arrived. */
export function OrderReceipt({ order }: { order: RechargeOrder }) {
  return (
    <section aria-labelledby="receipt-title" className="mt-6 max-w-2xl">
      <h2 id="receipt-title" className="mb-3 text-lg">
        {order.payment ? copy.receipt : copy.facts}
      </h2>
      <Facts facts={factsOf(order)} />
      <dl className="mt-4 rounded-xl border border-line bg-raised">
        <CopyRow label={copy.code} text={order.code} />
      </dl>
    </section>
  )
}

function factsOf({ amount, bank_name, bonus, created_at, credited, payment }: RechargeOrder): Fact[] {
  return [
    { label: copy.orderAmount, value: `${formatNumber(amount)} VND` },
    ...(payment ? [{ label: copy.arrived, value: `${formatNumber(payment.amount)} VND` }] : []),
    ...(credited > 0 ? [{ label: copy.credited, value: <Coins>{formatNumber(credited)}</Coins> }] : []),
    ...(bonus?.is_given ? [{ label: copy.bonus, value: <Coins>{formatNumber(bonus.amount)}</Coins> }] : []),
    { label: copy.channel, value: bank_name },
    { label: copy.createdAt, value: formatMoment(created_at) },
    ...(payment ? arrivalOf(payment) : []),
  ]
}

function arrivalOf({
  arrived_at,
  credited_at,
  bank_reference,
}: NonNullable<RechargeOrder['payment']>): Fact[] {
  return [
    { label: copy.arrivedAt, value: formatMoment(arrived_at) },
    { label: copy.creditedAt, value: credited_at === null ? copy.notCreditedYet : formatMoment(credited_at) },
    ...(bank_reference === null ? [] : [{ label: copy.bankReference, value: bank_reference }]),
  ]
}
