import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { operatorBankTransfers, type BankTransfer } from '#contract/operator/bank-transfers.ts'
import type { OperatorOrder } from '#contract/operator/recharge-orders.ts'
import { Button } from '#ui/button.tsx'
import { ordersCopy } from '#admin/features/recharge-orders/orders.copy.ts'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { momentText, vnd } from '#admin/kit/format.ts'
import { LoadFailure } from '#admin/kit/loaded.tsx'
import { PageSkeleton } from '#admin/kit/page-skeleton.tsx'
import { Panel } from '#admin/kit/screen.tsx'
import { readList } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'

const copy = ordersCopy.money

/** The newest ten that fit. */
const transfers = (filter: object) =>
  readList(operatorBankTransfers.list, {
    sort: '["created_at","DESC"]',
    range: '[0,9]',
    filter: JSON.stringify(filter),
  })

/** The money of an order; of an unpaid one, also what waits in review and may be meant for it. */
export function OrderMoney({ order }: { order: OperatorOrder }) {
  const isPaid = order.status.startsWith('paid')
  const own = useQuery(transfers({ q: order.code, state: 'all' }))
  const like = useQuery({
    ...transfers({
      state: 'review',
      direction: 'in',
      account: order.account_number,
      amount: order.amount,
      from: order.created_at,
    }),
    enabled: !isPaid,
  })
  const [chosen, setChosen] = useState<string | null>(null)
  const mayMatch = useMay()('bank-transfers.match') && !isPaid
  const error = own.error ?? like.error
  const linked = own.data?.rows ?? []
  const ids = new Set(linked.map(({ id }) => id))
  const similar = like.data?.rows.filter(({ id }) => !ids.has(id)) ?? []
  const inbox = `/bank-transfers?account=${order.account_number}`
  return (
    <Panel title={copy.title}>
      {error ? (
        <LoadFailure error={error} onRetry={() => Promise.all([own.refetch(), like.refetch()])} />
      ) : own.isPending || (like.isPending && !isPaid) ? (
        <PageSkeleton />
      ) : (
        <>
          {linked.length + similar.length === 0 && (
            <p className="text-soft">
              {copy.none} <Link to={inbox}>{copy.inbox}</Link>
            </p>
          )}
          <ul className="space-y-3">
            {[...linked, ...similar].map((transfer) => (
              <li key={transfer.id} className="flex flex-wrap items-center justify-between gap-3">
                <TransferLine transfer={transfer} note={ids.has(transfer.id) ? copy.linked : copy.similar} />
                {mayMatch && transfer.state === 'review' && transfer.waiting === null && (
                  <Button onClick={() => setChosen(transfer.id)}>{copy.match}</Button>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {chosen !== null && (
        <ActDialog
          title={copy.match}
          submitLabel={copy.submit}
          endpoint={operatorBankTransfers.match}
          params={{ id: chosen }}
          toBody={({ reason }) => ({ order_code: order.code, reason })}
          onClose={() => setChosen(null)}
        >
          {() => <p>{copy.text}</p>}
        </ActDialog>
      )}
    </Panel>
  )
}

function TransferLine({ transfer, note }: { transfer: BankTransfer; note: string }) {
  return (
    <div className="min-w-0">
      <Link to={`/bank-transfers/${transfer.id}`}>
        {copy.transfer} {transfer.id}
      </Link>{' '}
      <strong>{vnd(transfer.amount)}</strong>
      <p className="text-sm text-soft wrap-anywhere">
        {note} · {momentText(transfer.created_at)}
        {transfer.reason_text && ` · ${transfer.reason_text}`}
        {transfer.memo && ` · ${transfer.memo}`}
      </p>
    </div>
  )
}
