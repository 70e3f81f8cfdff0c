import { formatMoment, formatNumber } from '#contract/format.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { Coins } from '#ui/coins.tsx'
import { Facts, type Fact } from '#ui/facts.tsx'
import { orderCopy as copy } from '#web/features/recharge/order.copy.ts'
import { CopyRow } from '#web/parts/copy-row/copy-row.tsx'

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

function factsOf({ amount, bank_name, created_at, credited, payment }: RechargeOrder): Fact[] {
  return [
    { label: copy.asked, value: `${formatNumber(amount)} VND` },
    ...(payment ? [{ label: copy.arrived, value: `${formatNumber(payment.amount)} VND` }] : []),
    ...(credited > 0 ? [{ label: copy.credited, value: <Coins>{formatNumber(credited)}</Coins> }] : []),
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
