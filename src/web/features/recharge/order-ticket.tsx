import { formatNumber } from '#contract/format.ts'
import { paths } from '#contract/pages.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { Alert } from '#ui/alert.tsx'
import { Section } from '#ui/section.tsx'
import { ChannelMark } from '#web/features/recharge/channel-mark.tsx'
import { announcedMinutes, clockText, timeLeft_ms } from '#web/features/recharge/countdown.ts'
import { OrderHelp } from '#web/features/recharge/order-help.tsx'
import { PayingSteps } from '#web/features/recharge/paying-steps.tsx'
import { QrPicture } from '#web/features/recharge/qr-picture.tsx'
import { orderStates, rechargeCopy as copy } from '#web/features/recharge/recharge.copy.ts'
import { orderCopy } from '#web/features/recharge/order.copy.ts'
import { CopyRow } from '#web/parts/copy-row/copy-row.tsx'
import { TextLink } from '#web/parts/navigation/text-links.tsx'
import { useSettings } from '#web/parts/settings/settings.ts'

/** What a player needs to pay an open order: on a phone, all of it that must be seen at once is on the first screen. */
export function OrderTicket({ order, now_ms }: { order: RechargeOrder; now_ms: number }) {
  const isAtMomo = order.pay_url !== undefined
  return (
    <div className="grid items-start gap-x-12 gap-y-7 md:grid-cols-[20rem_minmax(0,1fr)]">
      <div className="mx-auto w-full max-w-80">
        <div className="mb-2.5 flex flex-wrap items-center gap-x-3">
          <ChannelMark channel={order.channel} className="h-9 w-12" />
          <h1 className="sr-only">{orderCopy.order(order.code)}</h1>
          <p className="mr-auto text-2xl leading-9 font-bold whitespace-nowrap tabular-nums">
            {formatNumber(order.amount)} <span className="text-base">VND</span>
          </p>
          <TimeLeft left_ms={timeLeft_ms(order, now_ms)} />
        </div>
        <QrPicture order={order} />
      </div>
      <div className="space-y-7">
        <Waiting order={order} />
        <DemoNote code={order.code} />
        {!isAtMomo && <PayingSteps />}
        {isAtMomo ? <AtMomo order={order} /> : <ByHand order={order} />}
        <OrderHelp code={order.code} />
      </div>
    </div>
  )
}

/** What happens now, and how long it usually takes where that is known. */
function Waiting({ order: { pay_url, usual_seconds } }: { order: RechargeOrder }) {
  const { title, text } = pay_url === undefined ? orderStates.pending : orderCopy.waitingAtMomo
  return (
    <div aria-live="polite" className="border-l-4 border-line-strong pl-4">
      <h2 className="text-lg">{title}</h2>
      <p className="text-[0.9375rem]">{text}</p>
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
      <p className="mt-3 text-sm text-soft">{orderCopy.keepMemo}</p>
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
        <strong className="block text-xl leading-tight text-ink tabular-nums">{clockText(left_ms)}</strong>
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
      <TextLink to={`${paths.sandbox}?code=${code}`}>{orderCopy.demoLink} →</TextLink>
    </Alert>
  )
}
