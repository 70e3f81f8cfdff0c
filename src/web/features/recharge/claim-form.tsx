import { useEffect, useRef, useState, type FormEvent } from 'react'
import { BANK_REFERENCE_MAX, CLAIM_NOTE_MAX } from '#contract/recharge-claims.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { ClaimPicture } from '#web/features/recharge/claim-picture.tsx'
import { fieldTime } from '#web/features/recharge/claim.api.ts'
import { claimCopy as copy } from '#web/features/recharge/claim.copy.ts'
import type { ReadyPicture } from '#web/features/recharge/shrink-picture.ts'
import { useClaim, type ClaimErrors } from '#web/features/recharge/use-claim.ts'
import { AmountField } from '#web/parts/amounts/amount-field.tsx'

type Props = {
  /** The order it was opened from. */
  order: RechargeOrder | undefined
  onSent: (id: string) => void
}

type Draft = {
  amount: number | null
  paidAt: string
  reference: string
  note: string
  picture: ReadyPicture | null
}

const draftFor = (order: RechargeOrder | undefined): Draft => ({
  amount: order?.amount ?? null,
  paidAt: fieldTime(Date.now()),
  reference: '',
  note: order ? copy.noteOfOrder(order.code) : '',
  picture: null,
})

/** What a player says about money that did not come. Everything stays as it is until the claim is kept. */
export function ClaimForm({ order, onSent }: Props) {
  const [draft, setDraft] = useState(() => draftFor(order))
  const { send, percent, errors, setErrors, refuse, refusals } = useClaim(onSent)
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])

  function submit(event: FormEvent) {
    event.preventDefault()
    const { amount, paidAt, picture } = draft
    if (amount === null || paidAt === '') {
      refuse({
        amount: amount === null ? copy.amountMissing : undefined,
        paid_at: paidAt === '' ? copy.paidAtMissing : undefined,
      })
      return
    }
    void send({ ...draft, amount, picture: picture?.blob ?? null })
  }

  return (
    <form ref={form} noValidate aria-labelledby="claim-title" className="min-w-0 space-y-5" onSubmit={submit}>
      <h2 id="claim-title" className="text-xl">
        {copy.form}
      </h2>
      <ClaimTexts draft={draft} errors={errors} onChange={(change) => setDraft({ ...draft, ...change })} />
      <ClaimPicture
        picture={draft.picture}
        error={errors.picture}
        onPicture={(picture, problem) => {
          setDraft((known) => ({ ...known, picture }))
          setErrors((known) => ({ ...known, picture: problem }))
        }}
      />
      <Button type="submit" isBusy={percent !== null} className="w-full sm:w-auto sm:min-w-48">
        {percent === null ? copy.send : copy.sending(percent)}
      </Button>
    </form>
  )
}

type TextsProps = { draft: Draft; errors: ClaimErrors; onChange: (change: Partial<Draft>) => void }

function ClaimTexts({ draft, errors, onChange }: TextsProps) {
  return (
    <>
      <AmountField
        label={copy.amount}
        placeholder={copy.amountPlaceholder}
        error={errors.amount}
        amount={draft.amount}
        onAmount={(amount) => onChange({ amount })}
      />
      <Field
        label={copy.paidAt}
        hint={copy.paidAtHint}
        type="datetime-local"
        error={errors.paid_at}
        value={draft.paidAt}
        onChange={({ target }) => onChange({ paidAt: target.value })}
      />
      <Field
        label={copy.reference}
        isOptional
        placeholder={copy.referencePlaceholder}
        hint={copy.referenceHint}
        maxLength={BANK_REFERENCE_MAX}
        autoComplete="off"
        autoCapitalize="characters"
        error={errors.bank_reference}
        value={draft.reference}
        onChange={({ target }) => onChange({ reference: target.value })}
      />
      <TextArea
        label={copy.note}
        isOptional
        placeholder={copy.notePlaceholder}
        maxLength={CLAIM_NOTE_MAX}
        error={errors.note}
        value={draft.note}
        onChange={({ target }) => onChange({ note: target.value })}
      />
    </>
  )
}
