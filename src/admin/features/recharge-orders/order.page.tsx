import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { ActButton, ActDialog } from '#admin/kit/act-dialog.tsx'
import { momentText, vnd } from '#admin/kit/format.ts'
import { kitCopy, labels } from '#admin/kit/kit.copy.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { Loaded, LoadFailure, PageSkeleton } from '#admin/kit/loaded.tsx'
import { NotesPanel } from '#admin/kit/notes-panel.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { showToast } from '#client/toasts.tsx'
import { read, readList } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'
import { formatNumber } from '#contract/format.ts'
import { type BankTransfer, operatorBankTransfers } from '#contract/operator/bank-transfers.ts'
import {
  type OperatorOrder,
  type OperatorOrderDetail,
  operatorRechargeOrders,
  ORDER_NOTE_MAX,
} from '#contract/operator/recharge.ts'
import { NOT_BOUGHT_WORDS } from '#contract/operator/words.ts'
import { STATUS_NAMES } from '#contract/transactions.ts'
import { Button } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'
import { ordersCopy } from './orders.copy.ts'

export function Component() {
  const { code = '' } = useParams()
  const may = useMay()
  return (
    <Loaded key={code} query={read(operatorRechargeOrders.get, { params: { code } })}>
      {(order) => (
        <ScreenFrame
          title={`${ordersCopy.title} ${code}`}
          acts={order.checkout && <QueryButton code={code} provider={order.checkout.provider} />}
        >
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <Panel title={labels.order}>
              <Facts
                facts={[
                  { label: labels.player, value: <PersonLink person={order.user} /> },
                  { label: labels.state, value: ordersCopy.statuses[order.status] },
                  { label: ordersCopy.channel, value: kitCopy.channels[order.channel] },
                  { label: labels.account, value: order.account_number },
                  { label: labels.amount, value: vnd(order.amount) },
                  { label: ordersCopy.rate, value: formatNumber(order.rate) },
                  { label: labels.credited, value: formatNumber(order.credited) },
                  { label: ordersCopy.createdAt, value: momentText(order.created_at) },
                  { label: ordersCopy.expiresAt, value: momentText(order.expires_at) },
                  { label: ordersCopy.paidAt, value: momentText(order.paid_at) },
                  ...(order.checkout
                    ? [
                        { label: ordersCopy.query.provider, value: order.checkout.provider },
                        {
                          label: ordersCopy.query.queriedAt,
                          value: momentText(order.checkout.last_query_at),
                        },
                      ]
                    : []),
                ]}
              />
            </Panel>
            {order.purchase && <Purchase purchase={order.purchase} isCredited={order.credited > 0} />}
            {may('bank-transfers.read') && <OrderMoney order={order} />}
            <NotesPanel
              list={operatorRechargeOrders.notes}
              add={operatorRechargeOrders.addNote}
              params={{ code }}
              max={ORDER_NOTE_MAX}
              mayAdd={may('recharge-orders.note')}
              empty={ordersCopy.noNotes}
            />
          </div>
        </ScreenFrame>
      )}
    </Loaded>
  )
}

const purchaseCopy = ordersCopy.purchase

type PurchaseProps = { purchase: NonNullable<OperatorOrderDetail['purchase']>; isCredited: boolean }

/** What the order buys by itself, and why it did not. */
function Purchase({ purchase, isCredited }: PurchaseProps) {
  const { state, reason, character_id, character_name, receive, amount, delivery } = purchase
  const states = {
    waiting: isCredited ? purchaseCopy.buying : purchaseCopy.forMoney,
    bought: purchaseCopy.bought,
    'not-bought': purchaseCopy.notBought,
  }
  return (
    <Panel title={purchaseCopy.title}>
      <Facts
        facts={[
          { label: labels.state, value: states[state] },
          ...(reason === undefined ? [] : [{ label: purchaseCopy.reason, value: NOT_BOUGHT_WORDS[reason] }]),
          { label: purchaseCopy.character, value: `${character_name} (${character_id})` },
          { label: purchaseCopy.luong, value: formatNumber(receive) },
          { label: purchaseCopy.price, value: `${formatNumber(amount)} TCoin` },
          ...(delivery === null
            ? []
            : [
                {
                  label: purchaseCopy.delivery,
                  value: <Link to={`/deliveries/${delivery.id}`}>{STATUS_NAMES[delivery.status]}</Link>,
                },
              ]),
        ]}
      />
    </Panel>
  )
}

const copy = ordersCopy.money

/** The newest ten that fit. */
const transfers = (filter: object) =>
  readList(operatorBankTransfers.list, {
    sort: '["created_at","DESC"]',
    range: '[0,9]',
    filter: JSON.stringify(filter),
  })

/** The money of an order; of an unpaid one, also what waits in review and may be meant for it. */
function OrderMoney({ order }: { order: OperatorOrder }) {
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
          text={copy.text}
        />
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

const queryButtonCopy = ordersCopy.query

/** Queries the provider of an order for its state, and shows the answer. */
function QueryButton({ code, provider }: { code: string; provider: string }) {
  const mayQuery = useMay()('bank-transfers.match')
  if (!mayQuery) return null
  return (
    <ActButton
      label={queryButtonCopy.label}
      kind="plain"
      title={queryButtonCopy.title(provider)}
      endpoint={operatorRechargeOrders.query}
      params={{ code }}
      onDone={({ state, found }) =>
        showToast(
          state === null
            ? queryButtonCopy.repeated
            : `${provider}: ${queryButtonCopy.states[state]}.${found > 0 ? queryButtonCopy.found(formatNumber(found)) : ''}`,
        )
      }
      text={queryButtonCopy.text}
    />
  )
}
