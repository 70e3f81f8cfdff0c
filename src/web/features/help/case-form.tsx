import { useRef, useState } from 'react'
import type { AnswerOf } from '#contract/endpoint.ts'
import { CASE_TEXT_MAX, caseForms, type ReportedKind } from '#contract/help/case-forms.ts'
import type { addCaseMessage } from '#contract/help/cases.ts'
import type { ReadyPicture } from '#client/shrink-picture.ts'
import { Form } from '#client/forms/form.tsx'
import { Button } from '#ui/button.tsx'
import { TextArea } from '#ui/field.tsx'
import { sendForm } from '#web/parts/sending/send-form.ts'
import { useSendForm } from '#web/parts/forms/use-send.ts'
import { helpCopy as copy } from '#web/features/help/help.copy.ts'
import { PicturesField } from '#web/features/help/pictures-field.tsx'

type Sent = AnswerOf<typeof addCaseMessage>

type Props = {
  /** A new case, or one more message in a case. */
  send: keyof typeof caseForms
  params?: { id: string }
  /** What is sent besides. */
  about?: { about_kind: ReportedKind; about_id?: string }
  label: string
  /** What is typed is kept under it until it is sent. */
  draftKey: string
  onSent: (sent: Sent) => void
  onRefused?: () => void
}

/** What a player writes to the operators: a text and up to four pictures. */
export function CaseForm({ send, params, about, label, draftKey, onSent, onRefused }: Props) {
  const [percent, setPercent] = useState(0)
  const chosen = useRef<Blob[]>([])
  const form = useSendForm(caseForms[send] as unknown as typeof addCaseMessage, {
    start: { text: '', pictures: [] as readonly ReadyPicture[] },
    draft: { key: draftKey, names: ['text'] },
    toBody: ({ text }) => ({ ...about, text }),
    // By their sum an attempt with other pictures is recognised as another one.
    fileOf: ({ pictures }) => {
      chosen.current = pictures.map(({ blob }) => blob)
      return new Blob(chosen.current)
    },
    call: (to, input) => {
      setPercent(0)
      return sendForm(to, { ...input, params, files: chosen.current }, setPercent)
    },
    onRefused: (code) => {
      if (code === 'CONFLICT') onRefused?.()
    },
    onDone: (sent, { reset }) => {
      reset()
      onSent(sent)
    },
  })
  return (
    <Form form={form} aria-label={copy.write} className="min-w-0 space-y-5">
      <TextArea
        {...form.field('text')}
        label={label}
        placeholder={copy.textPlaceholder}
        maxLength={CASE_TEXT_MAX}
        rows={5}
      />
      <PicturesField
        pictures={form.values.pictures}
        error={form.error('pictures')}
        onPictures={(pictures) => form.set('pictures', pictures)}
      />
      <Button type="submit" isBusy={form.isSending} className="w-full sm:w-auto sm:min-w-48">
        {form.isSending ? copy.sending(percent) : copy.send}
      </Button>
    </Form>
  )
}
