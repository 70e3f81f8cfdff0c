import { useState } from 'react'
import { formatMoment } from '#contract/format.ts'
import { listVisitorCases } from '#contract/help/visitor-cases.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { Form } from '#client/forms/form.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { askCopy as copy } from '#web/features/help/ask.copy.ts'
import { caseStates, helpCopy } from '#web/features/help/help.copy.ts'
import { ProofFields, useProof } from '#web/features/help/proof-fields.tsx'
import { useSendForm } from '#web/parts/forms/use-send.ts'

/** The visitor's cases again, for whoever has lost the link. */
export function FindCases({ onOpen }: { onOpen: (token: string) => void }) {
  const [found, setFound] = useState<AnswerOf<typeof listVisitorCases>>()
  const proof = useProof()
  const form = useSendForm(listVisitorCases, {
    start: { email: '', code: '' },
    toBody: proof.bodyOf,
    report: () => undefined,
    onRefused: (code) => {
      if (code === 'OTP_INVALID') proof.startOver()
    },
    onDone: setFound,
  })
  if (found)
    return found.length === 0 ? (
      <p>{copy.none}</p>
    ) : (
      <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-raised">
        {found.map(({ id, token, about, state, created_at }) => (
          <li key={id}>
            <button
              type="button"
              className="block w-full space-y-1 px-4 py-3 text-left hover:bg-sunken"
              onClick={() => onOpen(token)}
            >
              <span className="flex items-start justify-between gap-3">
                <strong>{about.title}</strong>
                <Badge tone={caseStates[state].tone}>{caseStates[state].label}</Badge>
              </span>
              <span className="block text-sm text-soft">{helpCopy.number(id, formatMoment(created_at))}</span>
            </button>
          </li>
        ))}
      </ul>
    )
  return (
    <Form form={form} aria-label={copy.reopen} className="space-y-5">
      <p className="text-[0.9375rem] text-soft">{copy.reopenLead}</p>
      <ProofFields proof={proof} email={form.field('email')} code={form.code('code')} />
      {proof.isReady && (
        <Button type="submit" kind="plain" isBusy={form.isSending}>
          {copy.find}
        </Button>
      )}
    </Form>
  )
}
