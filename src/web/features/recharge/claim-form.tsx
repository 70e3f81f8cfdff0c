import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { BANK_REFERENCE_MAX, CLAIM_NOTE_MAX, createClaim } from '#contract/recharge-claims.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { ClaimPicture } from '#web/features/recharge/claim-picture.tsx'
import { fieldOfMoment, momentOfField } from '#contract/format.ts'
import { claimsQuery, sendForm } from '#web/features/recharge/claim.api.ts'
import { claimCopy as copy } from '#web/features/recharge/claim.copy.ts'
import type { ReadyPicture } from '#client/shrink-picture.ts'
import { AmountField } from '#web/parts/amounts/amount-field.tsx'
import { Form } from '#client/forms/form.tsx'
import { useSendForm } from '#web/parts/forms/use-send-form.ts'

type Props = {
  /** The order it was opened from. */
  order: RechargeOrder | undefined
  onSent: (id: string) => void
}

/** A player's report of money that was not credited. What is typed stays until the claim is stored. */
export function ClaimForm({ order, onSent }: Props) {
  const { form, percent } = useClaimForm({ order, onSent })
  return (
    <Form form={form} aria-labelledby="claim-title" className="min-w-0 space-y-5">
      <h2 id="claim-title" className="text-xl">
        {copy.form}
      </h2>
      <AmountField {...form.amount('amount')} label={copy.amount} placeholder={copy.amountPlaceholder} />
      <Field {...form.field('paid_at')} label={copy.paidAt} hint={copy.paidAtHint} type="datetime-local" />
      <Field
        {...form.field('bank_reference')}
        label={copy.reference}
        isOptional
        placeholder={copy.referencePlaceholder}
        hint={copy.referenceHint}
        maxLength={BANK_REFERENCE_MAX}
        autoComplete="off"
        autoCapitalize="characters"
      />
      <TextArea
        {...form.field('note')}
        label={copy.note}
        isOptional
        placeholder={copy.notePlaceholder}
        maxLength={CLAIM_NOTE_MAX}
      />
      <ClaimPicture
        picture={form.values.picture}
        error={form.error('picture')}
        onPicture={(picture) => form.set('picture', picture)}
      />
      <Button type="submit" isBusy={form.isSending} className="w-full sm:w-auto sm:min-w-48">
        {form.isSending ? copy.sending(percent) : copy.send}
      </Button>
    </Form>
  )
}

function useClaimForm({ order, onSent }: Props) {
  const client = useQueryClient()
  const [percent, setPercent] = useState(0)
  const [paid_at] = useState(() => fieldOfMoment(new Date().toISOString()))
  const form = useSendForm(createClaim, {
    start: {
      amount: order?.amount ?? null,
      paid_at,
      bank_reference: '',
      note: order ? copy.noteOfOrder(order.code) : '',
      picture: null as ReadyPicture | null,
    },
    // A multipart form contains texts only.
    toBody: (typed) => ({
      ...typed,
      amount: String(typed.amount ?? ''),
      paid_at: typed.paid_at && momentOfField(typed.paid_at),
    }),
    fileOf: ({ picture }) => picture?.blob ?? null,
    call: (endpoint, input) => {
      setPercent(0)
      return sendForm(endpoint, input, setPercent)
    },
    onDone: ({ id }) => {
      void client.invalidateQueries({ queryKey: claimsQuery(1).queryKey.slice(0, 2) })
      onSent(id)
    },
  })
  return { form, percent }
}
