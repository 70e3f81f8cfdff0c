import type { ComponentProps } from 'react'
import type { Payee } from '#contract/transfers.ts'
import { afterPress } from '#client/after-press.ts'
import { Field } from '#ui/field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { PayeeCard } from '#web/features/transfers/payee-card.tsx'
import type { usePayee } from '#web/features/transfers/use-payee.ts'
import { transferCopy as copy } from '#web/features/transfers/transfer.copy.ts'
import { CharacterHead } from '#web/parts/characters/character-head.tsx'

type Props = Pick<ComponentProps<'input'>, 'name' | 'value' | 'onChange'> & {
  error?: string
  found: ReturnType<typeof usePayee>
  onBlur: () => void
  onChoose: (payee: Payee) => void
}

/** The payee's name, the recent ones to choose from, and who it is as soon as that is known. */
export function PayeeField({ found, error, onBlur, onChoose, ...field }: Props) {
  const { payee, problem, isLooking, recent } = found
  return (
    <div className="space-y-4">
      <Field
        {...field}
        label={copy.payee}
        error={error ?? problem}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        onBlur={() => {
          onBlur()
          afterPress(found.lookUp)
        }}
      />
      {/* Who it is takes the place of the recent ones: what is below stays where it is. */}
      <div className="min-h-20">
        {!payee && !isLooking && recent.length > 0 && <RecentPayees payees={recent} onChoose={onChoose} />}
        {!payee && !isLooking && recent.length === 0 && (
          <p className="text-sm text-soft">{copy.payeeCheck}</p>
        )}
        <div aria-live="polite">
          {isLooking && !payee && <Skeleton className="h-20 w-full" />}
          {payee && <PayeeCard payee={payee} />}
        </div>
      </div>
    </div>
  )
}

type RecentProps = { payees: readonly Payee[]; onChoose: (payee: Payee) => void }

function RecentPayees({ payees, onChoose }: RecentProps) {
  return (
    <div role="group" aria-label={copy.recent}>
      <p aria-hidden="true" className="mb-1 text-sm text-soft">
        {copy.recent}
      </p>
      <ul className="-mx-4 flex gap-2 overflow-x-auto px-4 pb-1 sm:mx-0 sm:flex-wrap sm:px-0">
        {payees.map((payee) => (
          <li key={payee.username} className="shrink-0">
            <button
              type="button"
              className="flex min-h-11 items-center gap-2 rounded-full border border-line-strong bg-raised py-1 pr-4 pl-1.5 font-bold hover:bg-sunken"
              // The focus stays: leaving the field would look up what is typed so far.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(payee)}
            >
              <CharacterHead head={payee.character?.head ?? 0} className="rounded-lg size-8" />
              {payee.username}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
