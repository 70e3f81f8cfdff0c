import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from '#web/navigation.tsx'
import type { DeliveryReceipt } from '#contract/deliveries.ts'
import { formatNumber } from '#contract/format-number.ts'
import { goodInWords } from '#contract/goods.ts'
import { buttonClass } from '#ui/button.tsx'
import { Coins } from '#ui/coins.tsx'
import { Facts } from '#ui/facts.tsx'
import { Icon, type IconName } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { isMissing } from '#client/call.ts'
import { LoadFailure } from '#web/parts/page-states/loaded.tsx'
import { BackLink } from '#web/parts/navigation/text-links.tsx'
import { receiptQuery } from '#web/features/deliveries/deliveries.api.ts'
import { deliveriesCopy as copy, nowOf } from '#web/features/deliveries/deliveries.copy.ts'
import { paths } from '#contract/pages.ts'
import { CopyRow } from '#web/parts/copy-row/copy-row.tsx'
import { useDeliveryPolling, useDeliveryEvents } from '#web/parts/deliveries/delivery-watch.ts'
import { formatMoment } from '#contract/vietnam-time.ts'
import { NotFound } from '#web/parts/page-states/not-found.tsx'

/** The receipt of one purchase, read again until it is delivered or refunded. */
export function Receipt({ id }: { id: string }) {
  const [openedAt_ms] = useState(Date.now)
  const polling = useDeliveryPolling(openedAt_ms)
  const { data, error, isRefetchError, refetch } = useQuery({
    ...receiptQuery(id),
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => polling.next_ms(state.data && [state.data]),
  })
  useDeliveryEvents(data && [data], polling)
  if (!data && error) return isMissing(error) ? <NotFound /> : <LoadFailure onRetry={refetch} />
  return (
    <div className="shell-width pt-6">
      <BackLink to={paths.deliveries()}>{copy.back}</BackLink>
      <h1 className="brush-title mb-6 text-2xl sm:text-3xl">{copy.receipt}</h1>
      {isRefetchError && (
        <p aria-live="polite" className="mb-4 text-soft">
          {copy.reconnecting}
        </p>
      )}
      {data ? <Sheet receipt={data} /> : <Skeleton className="h-96 w-full max-w-2xl" />}
    </div>
  )
}

function Sheet({ receipt }: { receipt: DeliveryReceipt }) {
  return (
    <div className="max-w-2xl space-y-6">
      <Now receipt={receipt} />
      <Facts
        facts={[
          {
            label: copy.what,
            value: (
              <ul>
                {receipt.goods.map((good) => (
                  <li key={`${good.kind}${good.code ?? ''}`} className="first-letter:uppercase">
                    {goodInWords(good)}
                  </li>
                ))}
              </ul>
            ),
          },
          { label: copy.paid, value: <Coins>{formatNumber(receipt.amount)}</Coins> },
          { label: copy.character, value: receipt.character_name },
          { label: copy.server, value: receipt.server_name },
        ]}
      />
      <Timeline receipt={receipt} />
      <dl className="rounded-xl border border-line bg-raised">
        <CopyRow label={copy.reference} text={receipt.id} />
      </dl>
      <div className="flex flex-wrap gap-3">
        <NextPurchase receipt={receipt} />
        <Link to={paths.transactions} className={buttonClass('plain', 'max-sm:flex-1')}>
          {copy.toStatement}
        </Link>
      </div>
    </div>
  )
}

/** The link to a further purchase; none while this one is being delivered. */
function NextPurchase({ receipt: { kind, status } }: { receipt: DeliveryReceipt }) {
  if (status === 'pending') return null
  const isRefunded = status === 'refunded'
  const isGiftAgain = isRefunded && kind === 'gift'
  const more = kind === 'gift' ? copy.exchange : copy.exchangeMore
  return (
    <Link to={isGiftAgain ? paths.gift : paths.exchange} className={buttonClass('main', 'max-sm:flex-1')}>
      {isGiftAgain ? copy.giftAgain : isRefunded ? copy.exchangeAgain : more}
    </Link>
  )
}

const looks: Record<DeliveryReceipt['status'], { icon: IconName; tint: string }> = {
  pending: { icon: 'clock', tint: 'border-line-strong bg-sunken' },
  delivered: { icon: 'check', tint: 'border-leaf bg-leaf-wash' },
  refunded: { icon: 'wallet', tint: 'border-line-strong bg-sunken' },
}

/** Its state, announced to screen readers when it changes, and what happens next. */
function Now({ receipt }: { receipt: DeliveryReceipt }) {
  const { title, text } = nowOf(receipt)
  const { icon, tint } = looks[receipt.status]
  return (
    <div aria-live="polite" className={`flex items-start gap-3 rounded-xl border-l-4 p-4 sm:p-5 ${tint}`}>
      <Icon name={icon} className="mt-0.5 size-6" />
      <div className="min-w-0">
        <h2 className="text-lg">{title}</h2>
        <p className="text-[0.9375rem]">{text}</p>
        {receipt.refund_reason !== null && (
          <p className="mt-1 text-[0.9375rem]">{copy.why(receipt.refund_reason)}</p>
        )}
      </div>
    </div>
  )
}

function Timeline({ receipt: { status, created_at, settled_at } }: { receipt: DeliveryReceipt }) {
  const end = status === 'refunded' ? copy.refundedAt : copy.deliveredAt
  const steps = [
    { name: copy.boughtAt, at: formatMoment(created_at) },
    settled_at === null ? { name: copy.waiting, at: '' } : { name: end, at: formatMoment(settled_at) },
  ]
  return (
    <section aria-labelledby="timeline-title">
      <h2 id="timeline-title" className="mb-2 text-lg">
        {copy.timeline}
      </h2>
      <ol className="space-y-3 border-l-2 border-line-strong pl-4">
        {steps.map(({ name, at }) => (
          <li key={name}>
            <p className="font-bold">{name}</p>
            <p className="text-sm text-soft tabular-nums">{at}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
