import { formatNumber } from '#contract/format.ts'
import { paths } from '#contract/pages.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { Alert } from '#ui/alert.tsx'
import { Section } from '#ui/section.tsx'
import { ChannelMark } from '#web/features/recharge/channels.tsx'
import { announcedMinutes, timeLeft_ms } from '#web/features/recharge/countdown.ts'
import { minutesText } from '#web/parts/time/clock-text.ts'
import { CancelOrder, ClaimLink } from '#web/features/recharge/order-actions.tsx'
import { QrPicture } from '#web/features/recharge/qr-picture.tsx'
import { rechargeCopy as copy } from '#web/features/recharge/recharge.copy.ts'
import { orderCopy, orderStateTexts } from '#web/features/recharge/order.copy.ts'
import { CopyRow } from '#web/parts/clipboard/copy-row.tsx'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { ReportLink } from '#web/parts/navigation/report-link.tsx'
import { useSettings } from '#web/parts/settings/settings.ts'

/** What a player needs to pay an open order: on a phone, all of it that is needed at once is on the first screen. */
export function OrderTicket({ order, now_ms }: { order: RechargeOrder; now_ms: number }) {
  const isAtMomo = order.pay_url !== undefined
  return (
    <div className="grid items-start gap-x-12 gap-y-7 md:grid-cols-[20rem_minmax(0,1fr)]">
      <div className="mx-auto w-full max-w-80">
        <div className="mb-2.5 flex flex-wrap items-center gap-x-3">
          <ChannelMark channel={order.channel} className="h-9 w-12" />
          <h1 className="sr-only">{orderCopy.order(order.code)}</h1>
          <p translate="no" className="mr-auto text-2xl leading-9 font-bold whitespace-nowrap tabular-nums">
            {formatNumber(order.amount)} <span className="text-base">VND</span>
          </p>
          <TimeLeft left_ms={timeLeft_ms(order, now_ms)} />
        </div>
        {!isAtMomo && <SamePhone />}
        <QrPicture order={order} />
      </div>
      <div className="space-y-7">
        <Waiting order={order} />
        <DemoNote code={order.code} />
        {isAtMomo ? <AtMomo order={order} /> : <ByHand order={order} />}
        <OrderHelp code={order.code} />
      </div>
    </div>
  )
}

/** What happens now, and how long it usually takes where that is known. */
function Waiting({ order: { pay_url, usual_seconds, bonus, purchase } }: { order: RechargeOrder }) {
  const { title, text } = pay_url === undefined ? orderStateTexts.pending : orderCopy.waitingAtMomo
  return (
    <div aria-live="polite" className="border-l-4 border-line-strong pl-4">
      <h2 className="text-lg">{title}</h2>
      <p className="text-[0.9375rem]">{text}</p>
      {purchase && (
        <p className="text-[0.9375rem] font-bold wrap-anywhere">
          {orderCopy.buys(
            formatNumber(purchase.receive),
            purchase.character_name,
            formatNumber(purchase.amount),
          )}
        </p>
      )}
      {bonus && (
        <p className="text-[0.9375rem] font-bold wrap-anywhere">
          {orderCopy.bonusPromised(formatNumber(bonus.amount), bonus.title)} {bonus.condition}
        </p>
      )}
      {usual_seconds !== undefined && (
        <p className="text-[0.9375rem] font-bold">{orderCopy.usually(usual_seconds)}</p>
      )}
      <p className="text-sm text-soft">{orderCopy.watching}</p>
    </div>
  )
}

function ByHand({ order }: { order: RechargeOrder }) {
  return (
    <Section title={orderCopy.byHand} titleClass="mb-2 text-lg">
      <dl className="divide-y divide-line rounded-xl bg-raised">
        <CopyRow label={orderCopy.bank} text={order.bank_name} />
        <CopyRow label={orderCopy.accountNumber} text={order.account_number} />
        <CopyRow label={orderCopy.accountName} text={order.account_name} />
        <AmountRow amount={order.amount} />
        <CopyRow label={orderCopy.memo} text={order.memo} isImportant />
      </dl>
      <p className="mt-3 text-sm text-soft">{orderCopy.memoHint}</p>
    </Section>
  )
}

function AmountRow({ amount }: { amount: number }) {
  return (
    <CopyRow label={orderCopy.transferAmount} text={`${formatNumber(amount)} VND`} copied={String(amount)} />
  )
}

/** MoMo knows the amount and the order already: there is nothing to copy. */
function AtMomo({ order }: { order: RechargeOrder }) {
  return (
    <div>
      <p className="mb-4">{orderCopy.scanAtMomo}</p>
      <dl className="divide-y divide-line rounded-xl bg-raised">
        <AmountRow amount={order.amount} />
        <CopyRow label={orderCopy.code} text={order.code} />
      </dl>
    </div>
  )
}

function TimeLeft({ left_ms }: { left_ms: number }) {
  const minutes = announcedMinutes(left_ms)
  return (
    <>
      <p role="timer" className="ml-auto text-right text-xs leading-tight text-soft">
        {copy.timeLeft}{' '}
        <strong translate="no" className="block text-xl leading-tight text-ink tabular-nums">
          {minutesText(left_ms)}
        </strong>
      </p>
      <p aria-live="polite" className="sr-only">
        {minutes === null ? '' : minutes === 0 ? orderCopy.noMinuteLeft : orderCopy.minutesLeft(minutes)}
      </p>
    </>
  )
}

function DemoNote({ code }: { code: string }) {
  if (useSettings().demo !== '1') return null
  return (
    <Alert tone="note">
      <strong>{orderCopy.demoTitle}</strong>
      <p>{orderCopy.demoText}</p>
      <TextLink to={`${paths.sandbox}?code=${code}`}>{orderCopy.demoLink}&nbsp;→</TextLink>
    </Alert>
  )
}

/** For an order that is waiting: a claim, the community, and its cancellation. */
function OrderHelp({ code }: { code: string }) {
  return (
    <Section title={orderCopy.help} titleClass="text-lg">
      <ul>
        <li>
          <ClaimLink orderCode={code} />
        </li>
        <li>
          <ReportLink kind="order" id={code} />
        </li>
        <li>
          <TextLink to={paths.community}>{orderCopy.contactStaff}</TextLink>
        </li>
        <li>
          <CancelOrder code={code} className="" />
        </li>
      </ul>
    </Section>
  )
}

/** How to pay with the phone that shows the code, as most do: banks' apps read it from the phone's pictures. */
const SamePhone = () => (
  <section aria-labelledby="same-phone" className="same-phone mb-2.5 md:pointer-fine:hidden">
    <h2 id="same-phone" className="text-sm">
      {orderCopy.samePhone}
    </h2>
    <ol className="mt-1 grid grid-cols-3 gap-2 text-xs leading-tight">
      {orderCopy.steps.map((words, index) => (
        <li key={words}>
          <strong className="text-vermilion">{index + 1}.</strong> {words}
        </li>
      ))}
    </ol>
  </section>
)
