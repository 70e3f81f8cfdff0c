import { useQueryClient } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import { formatMoment } from '#contract/format.ts'
import { CASE_TEXT_MAX } from '#contract/help/case-forms.ts'
import { addVisitorMessage, readVisitorCase, type VisitorCase } from '#contract/help/visitor-cases.ts'
import { CallError } from '#client/call.ts'
import { Form } from '#client/forms/form.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { TextArea } from '#ui/field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { browserCall } from '#web/browser-call.ts'
import { askCopy as copy } from '#web/features/help/ask.copy.ts'
import { caseStates, helpCopy } from '#web/features/help/help.copy.ts'
import { LoadFailure } from '#web/parts/fallbacks/fallbacks.tsx'
import { useSendForm } from '#web/parts/forms/use-send.ts'

const REFETCH_MS = 30_000

export const visitorCaseQuery = (token: string) => ({
  queryKey: ['visitor case', token],
  queryFn: () => browserCall(readVisitorCase, { body: { token } }),
})

/** The case that a link opens, and the form to write on. */
export function OpenedVisitorCase({ token, onAnother }: { token: string; onAnother: () => void }) {
  const { data, error, refetch } = useQuery({
    ...visitorCaseQuery(token),
    staleTime: 0,
    refetchInterval: REFETCH_MS,
    retry: false,
  })
  const isWrong = error instanceof CallError && error.status === 422
  return (
    <div className="max-w-2xl space-y-6">
      {data ? (
        <VisitorThread shown={data} />
      ) : isWrong ? (
        <p role="alert">{copy.wrongLink}</p>
      ) : error ? (
        <LoadFailure onRetry={refetch} />
      ) : (
        <Skeleton className="h-96 w-full" />
      )}
      <Button kind="plain" onClick={onAnother}>
        {copy.another}
      </Button>
    </div>
  )
}

function VisitorThread({ shown }: { shown: VisitorCase }) {
  const { id, about, state, messages, created_at } = shown
  const { label, tone } = caseStates[state]
  return (
    <>
      <div className="space-y-2">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
          {helpCopy.number(id, formatMoment(created_at))}
          <Badge tone={tone}>{label}</Badge>
        </p>
        <strong className="block">{about.title}</strong>
        <p className="rounded-xl border-l-4 border-line-strong bg-sunken p-4">{copy.keep}</p>
      </div>
      <ol aria-label={helpCopy.thread} aria-live="polite" className="space-y-4">
        {messages.map(({ id: messageId, author, text, created_at: at }) => (
          <li key={messageId} className={author === 'player' ? 'pl-6 sm:pl-16' : 'pr-6 sm:pr-16'}>
            <div
              className={`rounded-xl border border-line px-4 py-3 ${author === 'player' ? 'bg-raised' : 'bg-leaf-wash'}`}
            >
              <p className="flex flex-wrap justify-between gap-x-3 text-sm">
                <strong>{author === 'player' ? helpCopy.you : helpCopy.staff}</strong>
                <time dateTime={at} className="text-soft">
                  {formatMoment(at)}
                </time>
              </p>
              <p className="mt-1 wrap-anywhere whitespace-pre-line">{text}</p>
            </div>
          </li>
        ))}
      </ol>
      {state === 'closed' ? <p>{copy.closed}</p> : <WriteOn shown={shown} />}
    </>
  )
}

function WriteOn({ shown: { id, token } }: { shown: VisitorCase }) {
  const client = useQueryClient()
  const form = useSendForm(addVisitorMessage, {
    start: { text: '' },
    draft: { key: `ask ${id}`, names: ['text'] },
    toBody: ({ text }) => ({ token, text }),
    onDone: (sent, { reset }) => {
      reset()
      client.setQueryData(visitorCaseQuery(token).queryKey, sent)
    },
  })
  return (
    <Form form={form} className="space-y-5">
      <TextArea {...form.field('text')} label={helpCopy.reply} maxLength={CASE_TEXT_MAX} rows={4} />
      <Button type="submit" isBusy={form.isSending}>
        {helpCopy.send}
      </Button>
    </Form>
  )
}
