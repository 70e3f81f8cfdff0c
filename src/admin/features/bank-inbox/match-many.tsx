import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { BankTransfer } from '#contract/operator/bank-transfers.ts'
import { severalBankTransfers } from '#contract/operator/bank-transfers-several.ts'
import { SEVERAL_MAX } from '#contract/operator/several.ts'
import { Badge } from '#ui/badge.tsx'
import { inboxCopy } from '#admin/features/bank-inbox/inbox.copy.ts'
import { vnd } from '#admin/kit/format.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { LoadFailure } from '#admin/kit/loaded.tsx'
import { ActOnSeveral } from '#admin/kit/several.tsx'
import { read } from '#admin/query.ts'

const copy = inboxCopy.many

type Suggested = AnswerOf<typeof severalBankTransfers.suggestedOrders>[number]
type Props = { chosen: readonly BankTransfer[]; onDone: () => void }

/** Matches the chosen transfers, each with the order that is suggested for it. Only strong suggestions are ticked at first. */
export function MatchMany({ chosen, onDone }: Props) {
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
    >
      {() => (
        <>
          <p>{copy.text}</p>
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
