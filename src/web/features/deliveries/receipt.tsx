import { Link } from '#web/navigation.tsx'
import {
  type DeliveryReceipt,
  goodInWords,
  isFree,
  isUncollected,
  receiptNumber,
} from '#contract/deliveries.ts'
import { formatNumber } from '#contract/format.ts'
import { buttonClass } from '#ui/button.tsx'
import { Coins } from '#ui/coins.tsx'
import { Facts } from '#ui/facts.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { isMissing } from '#client/call.ts'
import { LoadFailure, NotFound } from '#web/parts/fallbacks/fallbacks.tsx'
import { BackLink } from '#web/parts/navigation/links.tsx'
import { ReportLink } from '#web/parts/navigation/report-link.tsx'
import { deliveriesCopy as copy } from '#web/features/deliveries/deliveries.copy.ts'
import { paths } from '#contract/pages.ts'
import { CopyRow } from '#web/parts/clipboard/copy-row.tsx'
import { deliveryProgress, stampOf } from '#web/parts/deliveries/delivery-progress.ts'
import { DeliveryScene, pictureOfDelivery } from '#web/parts/deliveries/delivery-scene.tsx'
import { useReceipt } from '#web/parts/deliveries/delivery-watch.ts'
import { progressCopy } from '#web/parts/progress/progress.ts'
import { useNoticesSeen } from '#web/parts/notices/notices.api.ts'
import { ShareProgress } from '#web/parts/progress/share-progress.tsx'

/** The receipt of one purchase, read again until it is delivered or refunded. */
export function Receipt({ id }: { id: string }) {
  const { receipt, error, isLost, refetch } = useReceipt(id)
  if (!receipt && error) return isMissing(error) ? <NotFound /> : <LoadFailure onRetry={refetch} />
  return (
    <div className="shell-width pt-6">
      <BackLink to={paths.deliveries()}>{copy.back}</BackLink>
      <h1 className="brush-title mb-6 text-2xl sm:text-3xl">{copy.receipt}</h1>
      {isLost && (
        <p aria-live="polite" className="mb-4 text-soft">
          {progressCopy.lost}
        </p>
      )}
      {receipt ? <Sheet receipt={receipt} /> : <Skeleton className="h-96 w-full max-w-2xl" />}
    </div>
  )
}

function Sheet({ receipt }: { receipt: DeliveryReceipt }) {
  useNoticesSeen(paths.deliveries(receipt.id))
  return (
    <div className="max-w-2xl space-y-6">
      <Now receipt={receipt} />
      <Facts
        facts={[
          {
            label: isFree(receipt.kind) ? copy.given[receipt.kind] : copy.what,
            value: (
              <ul>
                {receipt.goods.map((good) => (
                  <li
                    key={`${good.kind}${good.code ?? ''}`}
                    className={good.code ? 'first-letter:uppercase' : 'whitespace-nowrap'}
                  >
                    {goodInWords(good)}
                  </li>
                ))}
              </ul>
            ),
          },
          receipt.replaces === null
            ? {
                label: copy.paid,
                value: isFree(receipt.kind) ? copy.free : <Coins>{formatNumber(receipt.amount)}</Coins>,
              }
            : {
                label: copy.replaces,
                value: (
                  <Link to={paths.deliveries(receipt.replaces)} className="underline">
                    {copy.oldReceipt}
                  </Link>
                ),
              },
          { label: copy.character, value: receipt.character_name },
          { label: copy.server, value: receipt.server_name },
        ]}
      />
      <dl className="rounded-xl bg-raised">
        <CopyRow label={copy.reference} text={receiptNumber(receipt.id)} />
      </dl>
      <div className="flex flex-wrap gap-3">
        <NextPurchase receipt={receipt} />
        {receipt.status === 'delivered' && !isUncollected(receipt) && (
          <ShareProgress
            picture={pictureOfDelivery(receipt, stampOf(receipt))}
            className="max-sm:flex-[1_1_7.5rem]"
          />
        )}
        <Link to={paths.transactions} className={buttonClass('plain', 'max-sm:flex-[1_1_7.5rem]')}>
          {copy.toStatement}
        </Link>
      </div>
      <ReportLink kind="delivery" id={receipt.id} />
    </div>
  )
}

/** The link to a further purchase; none while this one is being delivered, and for goods that cost nothing. */
function NextPurchase({ receipt: { kind, status } }: { receipt: DeliveryReceipt }) {
  if (status === 'pending' || isFree(kind)) return null
  const isRefunded = status === 'refunded'
  const isGiftAgain = isRefunded && kind === 'gift'
  const more = kind === 'gift' ? copy.exchange : copy.exchangeMore
  return (
    <Link
      to={isGiftAgain ? paths.gift : paths.exchange}
      className={buttonClass('main', 'max-sm:flex-[1_1_7.5rem]')}
    >
      {isGiftAgain ? copy.giftAgain : isRefunded ? copy.exchangeAgain : more}
    </Link>
  )
}

/** Its state, announced to screen readers when it changes, and what happens next. */
function Now({ receipt }: { receipt: DeliveryReceipt }) {
  const progress = deliveryProgress(receipt)
  return (
    <div className="space-y-5">
      <div aria-live="polite">
        <h2 className="text-lg">{progress.title}</h2>
        <p className="text-[0.9375rem]">{progress.text}</p>
        {receipt.refund_reason !== null && (
          <p className="mt-1 text-[0.9375rem]">{copy.why(receipt.refund_reason)}</p>
        )}
      </div>
      <section aria-label={progressCopy.steps}>
        <DeliveryScene receipt={receipt} progress={progress} />
      </section>
    </div>
  )
}
