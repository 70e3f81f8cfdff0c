import { formatNumber } from '#contract/format-number.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { Alert } from '#ui/alert.tsx'
import { buttonClass } from '#ui/button.tsx'
import { CancelOrder } from '#web/features/recharge/cancel-order.tsx'
import { announcedMinutes, clockText, timeLeft_ms } from '#web/features/recharge/countdown.ts'
import { QrPicture } from '#web/features/recharge/qr-picture.tsx'
import { rechargeCopy as copy } from '#web/features/recharge/recharge.copy.ts'
import { paths } from '#contract/pages.ts'
import { TextLink } from '#web/parts/navigation/text-links.tsx'
import { CopyRow } from '#web/parts/copy-row/copy-row.tsx'
import { useSettings } from '#web/parts/settings/settings.ts'

/** What a player needs to pay an open order: the picture to scan, and the same as text to copy. */
export function OrderTicket({ order, now_ms }: { order: RechargeOrder; now_ms: number }) {
  return (
    <div className="mt-6 grid items-start gap-x-10 gap-y-6 md:grid-cols-[20rem_minmax(0,1fr)]">
      <div>
        <QrPicture order={order} />
        <TimeLeft left_ms={timeLeft_ms(order, now_ms)} />
      </div>
      <div>
        <DemoNote code={order.code} />
        {order.pay_url === undefined ? (
          <ByHand order={order} />
        ) : (
          <AtMomo order={order} payUrl={order.pay_url} />
        )}
        <p className="mt-3 text-sm text-soft">{copy.watching}</p>
        <CancelOrder code={order.code} />
      </div>
    </div>
  )
}

function ByHand({ order }: { order: RechargeOrder }) {
  return (
    <>
      <p className="mb-4">{copy.scan}</p>
      <h2 className="mb-2 text-lg">{copy.byHand}</h2>
      <dl className="divide-y divide-line rounded-xl border border-line bg-raised">
        <CopyRow label={copy.bank} text={order.bank_name} />
        <CopyRow label={copy.accountNumber} text={order.account_number} />
        <CopyRow label={copy.accountName} text={order.account_name} />
        <AmountRow amount={order.amount} />
        <CopyRow label={copy.memo} text={order.memo} isImportant />
      </dl>
      <p className="mt-3 text-sm text-soft">{copy.keepMemo}</p>
    </>
  )
}

function AmountRow({ amount }: { amount: number }) {
  return <CopyRow label={copy.transferAmount} text={`${formatNumber(amount)} VND`} copied={String(amount)} />
}

/** MoMo knows the amount and the order already: there is nothing to copy. */
function AtMomo({ order, payUrl }: { order: RechargeOrder; payUrl: string }) {
  return (
    <>
      <p className="mb-4">{copy.scanAtMomo}</p>
      <a href={payUrl} rel="noreferrer" className={buttonClass('main', 'w-full sm:w-auto')}>
        {copy.openMomo}
      </a>
      <dl className="mt-4 divide-y divide-line rounded-xl border border-line bg-raised">
        <AmountRow amount={order.amount} />
        <CopyRow label={copy.code} text={order.code} />
      </dl>
    </>
  )
}

function TimeLeft({ left_ms }: { left_ms: number }) {
  const minutes = announcedMinutes(left_ms)
  return (
    <div className="mt-3 text-center">
      <p role="timer" className="text-soft">
        {copy.timeLeft} <strong className="text-lg text-ink tabular-nums">{clockText(left_ms)}</strong>
      </p>
      <p aria-live="polite" className="sr-only">
        {minutes === null ? '' : minutes === 0 ? copy.noMinuteLeft : copy.minutesLeft(minutes)}
      </p>
    </div>
  )
}

function DemoNote({ code }: { code: string }) {
  if (useSettings().demo !== '1') return null
  return (
    <div className="mb-5">
      <Alert tone="note">
        <strong>{copy.demoTitle}</strong>
        <p>{copy.demoText}</p>
        <TextLink to={`${paths.sandbox}?code=${code}`}>{copy.demoLink} →</TextLink>
      </Alert>
    </div>
  )
}
