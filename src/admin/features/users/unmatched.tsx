import { Link } from 'react-router'
import type { Unmatched } from '#contract/operator/users.ts'
import { buttonClass } from '#ui/button.tsx'
import { userCopy as copy } from '#admin/features/users/users.copy.ts'
import { momentText, vnd } from '#admin/kit/format.ts'
import { Panel } from '#admin/kit/screen.tsx'

/** Money that waits for a decision, each beside the unpaid order it may be for. */
export function UnmatchedPanel({ transfers }: { transfers: readonly Unmatched[] }) {
  if (transfers.length === 0) return null
  return (
    <Panel title={copy.unmatched}>
      <p className="mb-3 text-sm text-soft">{copy.unmatchedText}</p>
      <ul className="divide-y divide-line">
        {transfers.map((transfer) => (
          <Row key={transfer.bank_transfer_id} transfer={transfer} />
        ))}
      </ul>
    </Panel>
  )
}

function Row({ transfer }: { transfer: Unmatched }) {
  const { bank_transfer_id, amount, account_number, bank_ref, booked_at, created_at, memo, why, order } =
    transfer
  return (
    <li className="grid gap-3 py-3 md:grid-cols-[1fr_1fr_auto] md:items-center">
      <div className="min-w-0">
        <p>
          {copy.transfer} <strong>{vnd(amount)}</strong> · {momentText(booked_at ?? created_at)}
        </p>
        <p className="text-sm wrap-anywhere text-soft">
          {[account_number, bank_ref, memo].filter(Boolean).join(' · ')}
        </p>
      </div>
      <div className="min-w-0">
        {order === null ? (
          <p className="text-soft">{copy.noOrder}</p>
        ) : (
          <p>
            {copy.order} <Link to={`/recharge-orders/${order.code}`}>{order.code}</Link>{' '}
            <strong>{vnd(order.amount)}</strong> · {momentText(order.created_at)}
          </p>
        )}
        <p className="text-sm text-soft">{why}</p>
      </div>
      <Link to={`/bank-transfers/${bank_transfer_id}`} className={buttonClass('main')}>
        {copy.match}
      </Link>
    </li>
  )
}
