import { serverNow } from '#client/server-clock.ts'
import { useState, useEffect, useId, useRef } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import {
  BANK_REFERENCE_MAX,
  CLAIM_NOTE_MAX,
  createClaim,
  CLAIM_PICTURE_BYTES_MAX,
  CLAIM_PICTURE_TOO_LARGE,
  CLAIM_PICTURE_TYPES,
} from '#contract/recharge-claims.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { Field, TextArea, describedBy, Frame } from '#ui/field.tsx'
import { fieldOfMoment, momentOfField } from '#contract/format.ts'
import { claimsQuery } from '#web/features/recharge/claim.api.ts'
import { claimCopy as copy } from '#web/features/recharge/claim.copy.ts'
import { isPicture, readyPicture, type ReadyPicture } from '#client/shrink-picture.ts'
import { AmountField } from '#web/parts/amounts/amount-field.tsx'
import { Form } from '#client/forms/form.tsx'
import { sendForm } from '#web/parts/sending/send-form.ts'
import { useSendForm } from '#web/parts/forms/use-send.ts'

type FormProps = {
  /** The order it was opened from. */
  order: RechargeOrder | undefined
  onSent: (id: string) => void
}

/** A player's report of money that was not credited. What is typed stays until the claim is stored. */
export function ClaimForm({ order, onSent }: FormProps) {
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

function useClaimForm({ order, onSent }: FormProps) {
  const client = useQueryClient()
  const [percent, setPercent] = useState(0)
  const [paid_at] = useState(() => fieldOfMoment(new Date(serverNow()).toISOString()))
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

type PictureProps = {
  picture: ReadyPicture | null
  error: string | undefined
  onPicture: (picture: ReadyPicture | null) => void
}

/** The picture of a receipt: chosen, previewed, changed or removed again. */
function ClaimPicture({ picture, error: refused, onPicture }: PictureProps) {
  const id = useId()
  const [isPreparing, setPreparing] = useState(false)
  const [problem, setProblem] = useState<string>()
  const error = problem ?? refused
  const hint = copy.pictureHint

  function take(ready: ReadyPicture | null, wrong?: string) {
    setProblem(wrong)
    onPicture(wrong ? null : ready)
  }

  async function choose(file: File | undefined) {
    if (!file) return
    if (!(await isPicture(file))) return take(null, copy.wrongType)
    setPreparing(true)
    const ready = await readyPicture(file)
    setPreparing(false)
    const isTooLarge = ready.blob.size > CLAIM_PICTURE_BYTES_MAX
    take(ready, isTooLarge ? CLAIM_PICTURE_TOO_LARGE : undefined)
  }

  return (
    <Frame {...{ id, error, hint }} label={copy.picture} isOptional>
      <input
        id={id}
        type="file"
        accept={CLAIM_PICTURE_TYPES.join(',')}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { error, hint })}
        className="peer sr-only"
        onChange={({ target }) => {
          void choose(target.files?.[0])
          // The same file may be chosen again after it was removed.
          target.value = ''
        }}
      />
      <div
        className={`flex items-center gap-3 rounded-lg border p-3 peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 ${error ? 'border-vermilion' : 'border-line-strong'}`}
      >
        <Chosen {...{ id, picture, isPreparing }} onRemove={() => take(null)} />
      </div>
    </Frame>
  )
}

type ChosenProps = {
  id: string
  picture: ReadyPicture | null
  isPreparing: boolean
  onRemove: () => void
}

function Chosen({ id, picture, isPreparing, onRemove }: ChosenProps) {
  const label = picture ? copy.changePicture : copy.choosePicture
  return (
    <>
      {picture?.bitmap && <Preview bitmap={picture.bitmap} />}
      <div className="min-w-0 flex-1 space-y-2">
        {picture && (
          <p className="flex gap-x-1 text-sm">
            <span className="truncate">{picture.name}</span>
            <span className="shrink-0 text-soft">· {sizeText(picture.blob.size)}</span>
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <label htmlFor={id} className={buttonClass('plain', 'cursor-pointer')}>
            {isPreparing ? copy.preparing : label}
          </label>
          {picture && (
            <Button kind="text" onClick={onRemove}>
              {copy.removePicture}
            </Button>
          )}
        </div>
      </div>
    </>
  )
}

const PREVIEW_SIDE = 160

/** A canvas, since the content security policy permits no other pictures than the portal's. */
function Preview({ bitmap }: { bitmap: ImageBitmap }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const scale = Math.min(1, PREVIEW_SIDE / Math.max(bitmap.width, bitmap.height))
  const [width, height] = [Math.ceil(bitmap.width * scale), Math.ceil(bitmap.height * scale)]
  useEffect(() => {
    canvas.current?.getContext('2d')?.drawImage(bitmap, 0, 0, width, height)
  }, [bitmap, width, height])
  return (
    <canvas
      ref={canvas}
      width={width}
      height={height}
      role="img"
      aria-label={copy.previewAlt}
      className="max-h-24 w-auto max-w-24 shrink-0 rounded border border-line"
    />
  )
}

const sizeText = (bytes: number) =>
  bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} KB`
    : `${(bytes / 1024 / 1024).toFixed(1).replace('.', ',')} MB`
