import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { listScreen } from '#admin/kit/data-list.tsx'
import { column, type Column, momentColumn, numberColumn, vndColumn } from '#admin/kit/data-table.tsx'
import { vnd } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { OrderLink, PersonLink } from '#admin/kit/links.tsx'
import { LoadFailure } from '#admin/kit/loaded.tsx'
import { ActOnSeveral } from '#admin/kit/several.tsx'
import { read } from '#admin/query.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import {
  type BankTransfer,
  operatorBankTransfers,
  severalBankTransfers,
} from '#contract/operator/bank-transfers.ts'
import { SEVERAL_MAX } from '#contract/operator/fields.ts'
import { Badge } from '#ui/badge.tsx'
import { inboxCopy, inboxFilters } from './inbox.copy.ts'
import { TransferState } from './transfer-parts.tsx'

/** The link includes the filter, so that the next transfer there is the next of this list. */
function OpenLink({ id }: { id: string }) {
  const { search } = useLocation()
  return <Link to={`/bank-transfers/${id}${search}`}>{id}</Link>
}

const columns: readonly Column<BankTransfer>[] = [
  column('id', labels.id, ({ id }) => <OpenLink id={id} />),
  momentColumn('created_at', inboxCopy.arrivedAt, { sort: 'created_at' }),
  vndColumn('amount', labels.amount),
  column('state', labels.state, (transfer) => <TransferState transfer={transfer} />),
  column('reason', inboxCopy.reason, ({ reason_text }) => reason_text, { isText: true }),
  column('memo', labels.memo, ({ memo }) => <span className="wrap-anywhere">{memo}</span>, {
    isText: true,
    onPhone: 'line',
    isBlank: ({ memo }) => !memo,
  }),
  column('order', labels.order, ({ order_code }) => <OrderLink code={order_code} />),
  column('player', labels.player, ({ user }) => <PersonLink person={user} />, {
    isBlank: ({ user }) => !user,
  }),
  numberColumn('credited', labels.credited),
  column('account', labels.account, ({ account_number }) => account_number),
  column('reference', labels.reference, ({ bank_ref }) => bank_ref),
]

export const Component = listScreen(operatorBankTransfers.list, columns, inboxFilters, {
  usualSort: ['created_at', 'ASC'],
  empty: inboxCopy.empty,
  refreshMs: 30_000,
  isFile: true,
  bulk: { permission: 'bank-transfers.match', Acts: MatchMany },
})

const copy = inboxCopy.many

type Suggested = AnswerOf<typeof severalBankTransfers.suggestedOrders>[number]
type Props = { chosen: readonly BankTransfer[]; onDone: () => void }

/** Matches the chosen transfers, each with the order that is suggested for it. Only strong suggestions are ticked at first. */
function MatchMany({ chosen, onDone }: Props) {
  const [changed, setChanged] = useState<Record<string, boolean>>({})
  const ids = chosen.slice(0, SEVERAL_MAX).map(({ id }) => id)
  const { data, error, refetch } = useQuery(
    read(severalBankTransfers.suggestedOrders, { query: { ids: ids.join(',') } }),
  )
  const isTicked = ({ transfer, suggestion }: Suggested) =>
    suggestion !== null && (changed[transfer.id] ?? suggestion.strength === 'strong')
  const ticked = (data ?? []).filter(isTicked)
  const matches = ticked.flatMap(({ transfer: { id }, suggestion }) =>
    suggestion?.order ? [{ id, order_code: suggestion.order.code, claim_id: suggestion.claim_id }] : [],
  )
  return (
    <ActOnSeveral
      label={copy.label}
      count={chosen.length > SEVERAL_MAX ? chosen.length : matches.length}
      endpoint={severalBankTransfers.matchMany}
      toBody={({ reason }) => ({ matches, reason })}
      linkTo={(id) => ({ to: `/bank-transfers/${id}`, name: id })}
      onDone={onDone}
      text={copy.text}
    >
      {() => (
        <>
          {error && <LoadFailure error={error} onRetry={refetch} />}
          <ul className="divide-y divide-line">
            {data?.map((one) => (
              <li key={one.transfer.id} className="py-2">
                <Choice
                  suggested={one}
                  isTicked={isTicked(one)}
                  onTick={(tick) => setChanged({ ...changed, [one.transfer.id]: tick })}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </ActOnSeveral>
  )
}

const tones = { strong: 'success', fair: 'waiting', weak: 'note' } as const

type ChoiceProps = { suggested: Suggested; isTicked: boolean; onTick: (isTicked: boolean) => void }

function Choice({ suggested: { transfer, suggestion }, isTicked, onTick }: ChoiceProps) {
  return (
    <div className="wrap-anywhere">
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          checked={isTicked}
          disabled={suggestion === null}
          onChange={({ target }) => onTick(target.checked)}
        />
        <span>
          {transfer.id} · <strong>{vnd(transfer.amount)}</strong>
          {suggestion?.order && ` → ${suggestion.order.code} · ${vnd(suggestion.order.amount)}`}
        </span>
      </label>
      {suggestion === null ? (
        <p className="text-sm text-soft">{transfer.waiting ? copy.waiting : copy.none}</p>
      ) : (
        <p className="text-sm">
          <PersonLink person={suggestion.user} />{' '}
          <Badge tone={tones[suggestion.strength]}>
            {inboxCopy.suggestions.strengths[suggestion.strength]}
          </Badge>{' '}
          <span className="text-soft">{suggestion.reasons.map(({ text }) => text).join(' · ')}</span>
        </p>
      )}
      {transfer.memo && <p className="text-sm text-soft">{transfer.memo}</p>}
    </div>
  )
}
