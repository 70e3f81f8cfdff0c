import { CASE_TEXT_MAX, type Topic, TOPIC_WORDS, TOPICS } from '#contract/help/case-forms.ts'
import { createVisitorCase, type VisitorCase } from '#contract/help/visitor-cases.ts'
import { Form } from '#client/forms/form.tsx'
import { Button } from '#ui/button.tsx'
import { SelectField, TextArea } from '#ui/field.tsx'
import { askCopy as copy } from '#web/features/help/ask.copy.ts'
import { ProofFields, useProof } from '#web/features/help/proof-fields.tsx'
import { useSendForm } from '#web/parts/forms/use-send.ts'

/** What a visitor asks, and the proof of where the answer goes. */
export function AskForm({ onSent }: { onSent: (sent: VisitorCase) => void }) {
  const proof = useProof()
  const form = useSendForm(createVisitorCase, {
    start: { about_kind: '', text: '', email: '', code: '' },
    draft: { key: 'ask', names: ['text', 'email'] },
    toBody: ({ about_kind, text, ...typed }) => ({
      about_kind: (about_kind || null) as Topic | null,
      text,
      ...proof.bodyOf(typed),
    }),
    onRefused: (code) => {
      if (code === 'OTP_INVALID') proof.startOver()
    },
    onDone: onSent,
  })
  return (
    <Form form={form} aria-label={copy.send} className="space-y-5">
      <SelectField {...form.field('about_kind')} label={copy.topic}>
        <option value="">{copy.chooseTopic}</option>
        {TOPICS.map((topic) => (
          <option key={topic} value={topic}>
            {TOPIC_WORDS[topic]}
          </option>
        ))}
      </SelectField>
      <TextArea
        {...form.field('text')}
        label={copy.text}
        hint={copy.textHint}
        maxLength={CASE_TEXT_MAX}
        rows={5}
      />
      <ProofFields proof={proof} email={form.field('email')} code={form.code('code')} />
      {proof.isReady && (
        <Button type="submit" isBusy={form.isSending} className="w-full sm:w-auto sm:min-w-48">
          {copy.send}
        </Button>
      )}
    </Form>
  )
}
