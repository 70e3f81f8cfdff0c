import { useId, type ReactNode } from 'react'
import type { Character } from '#contract/exchange.ts'
import { Button } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'
import { CharacterHead } from '#web/parts/characters/character-head.tsx'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { openModal } from '#web/parts/modals/modal-store.ts'
import { figureText, type Figure } from '#web/parts/purchase/confirm-purchase.tsx'
import { MissingCoins, useRechargeOf, missingCopy } from '#web/parts/amounts/missing-coins.tsx'
import { purchaseCopy as copy } from '#web/parts/purchase/purchase.copy.ts'
import type { PurchaseCheck } from '#web/parts/purchase/purchase-check.ts'

type Check = PurchaseCheck<{ amount: number }>

type Props = {
  label: string
  confirmLabel: string
  character: Character | undefined
  figures: readonly Figure[]
  check: Check
  /** Another way to buy while TCoin are missing. */
  missing?: ReactNode
  onConfirm: () => void
}

/**
 * What was chosen, and the button; while it is disabled, the reason is beside it. On phones a bar that stays within
 * reach of the thumb, on wide screens a card.
 */
export function PurchaseSummary({
  label,
  confirmLabel,
  character,
  figures,
  check,
  missing,
  onConfirm,
}: Props) {
  const reasonId = useId()
  const reason = check.canConfirm ? null : reasonOf(check)
  return (
    <section
      aria-label={label}
      className="action-bar flex flex-wrap items-center gap-x-3 gap-y-2 lg:flex-col lg:flex-nowrap lg:items-stretch lg:gap-4 lg:rounded-xl lg:border lg:border-line lg:bg-raised lg:p-4 lg:shadow-card"
    >
      <Facts
        className="max-lg:hidden"
        facts={[
          { label: copy.toCharacter, value: character?.name ?? copy.nothing },
          ...figures.map((figure) => ({ label: figure.label, value: figureText(figure) })),
        ]}
      />
      <div id={reasonId} aria-live="polite" className="w-full text-sm text-pretty lg:text-[0.9375rem]">
        {reason}
      </div>
      {missing && <div className="w-full">{missing}</div>}
      {!check.canConfirm && check.offer ? (
        <div className="grow basis-30 lg:-mt-4 lg:flex-none">
          <Offer check={check} />
        </div>
      ) : (
        <Chosen character={character} figures={figures} />
      )}
      <Button
        className="min-h-12 max-lg:min-w-36 max-lg:grow"
        disabled={!check.canConfirm}
        aria-describedby={reason ? reasonId : undefined}
        onClick={onConfirm}
      >
        {confirmLabel}
      </Button>
    </section>
  )
}

/** On phones: the portrait and the figures in two lines beside the button, unless the way out is there. */
function Chosen({ character, figures }: Pick<Props, 'character' | 'figures'>) {
  return (
    <div className="flex min-w-0 flex-1 basis-36 items-center gap-2.5 lg:hidden">
      {character && (
        <CharacterHead
          head={character.info.head}
          name={character.info.headName}
          className="rounded-lg size-11"
        />
      )}
      <span className="min-w-0 text-sm leading-snug">
        <strong className="block truncate">{character?.name ?? copy.noCharacterYet}</strong>
        <span className="flex flex-wrap items-center gap-x-1.5">
          {figures
            .filter(({ text }) => text !== null)
            .map((figure, index) => (
              <span key={figure.label} className="inline-flex items-center gap-1.5">
                {index > 0 && <span aria-hidden="true">→</span>}
                {figureText(figure)}
              </span>
            ))}
        </span>
      </span>
    </div>
  )
}

const reasonOf = (check: Extract<Check, { canConfirm: false }>) =>
  'missing' in check ? <MissingCoins missing={check.missing} /> : check.reason

function Offer({ check }: { check: Extract<Check, { canConfirm: false }> }) {
  const { offer } = check
  const recharge = useRechargeOf('missing' in check ? check.missing : 0)
  if (offer === 'recharge') return <TextLink to={recharge}>{missingCopy.recharge}&nbsp;→</TextLink>
  if (offer === undefined) return null
  return (
    <button
      type="button"
      className="inline-flex min-h-11 items-center font-bold text-vermilion hover:underline"
      onClick={() => openModal(offer === 'activate' ? 'active' : 'login')}
    >
      {offer === 'activate' ? copy.activate : copy.login}&nbsp;→
    </button>
  )
}
