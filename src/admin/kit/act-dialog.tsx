import type { ReactNode } from 'react'
import type { BodyInputOf, Endpoint, ParamsOf, AnswerOf } from '#contract/endpoint.ts'
import { CallError } from '#client/call.ts'
import { Form } from '#client/forms/form.tsx'
import type { Values } from '#client/forms/form-rules.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { consoleCall } from '#admin/console-call.ts'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { useRefresh } from '#admin/kit/use-send.ts'
import { useSendForm } from './use-send.ts'

/** The form inside, for fields that stand in a function of their own. */
export type ActForm<V extends Values> = ReturnType<typeof useSendForm<Endpoint, V & { reason: string }>>

type Props<E extends Endpoint, V extends Values> = {
  title: string
  submitLabel: string
  endpoint: E
  params?: ParamsOf<E>
  /** The fields beside the reason, with their first values. */
  start?: V
  /** What is sent, made of the fields; the fields themselves when left out. */
  toBody?: (values: V & { reason: string }) => BodyInputOf<E>
  /** Rules of fields that stand deeper in the body, where its schema cannot name them. */
  check?: (values: V & { reason: string }) => Partial<Record<keyof V & string, string>>
  /** Above the reason: what is about to happen, and the fields. */
  children?: (form: ActForm<V>) => ReactNode
  onDone?: (answer: AnswerOf<E>) => void
  /** Told of a refusal, which is shown all the same. */
  onRefused?: (error: unknown) => void
  /** Nothing is there to be sent yet. */
  isEmpty?: boolean
  onClose: () => void
}

/**
 * An operator's act: what will happen, its fields, the reason, one button. It stays open while the act is refused, so that
 * nothing typed is lost; every screen is read again when it was done, or when it was meant for a state that has passed.
 */
export function ActDialog<E extends Endpoint, V extends Values = Record<never, never>>({
  title,
  submitLabel,
  endpoint,
  params,
  start,
  toBody,
  check,
  children,
  onDone,
  onRefused,
  isEmpty = false,
  onClose,
}: Props<E, V>) {
  const refresh = useRefresh()
  // The contract's schema of the endpoint judges the body; its type is not known here.
  const form = useSendForm<Endpoint, Values>(endpoint as Endpoint, {
    start: { ...start, reason: '' },
    ...(check && { check: check as unknown as (values: Values) => Record<string, string> }),
    toBody: (toBody ?? ((values: Values) => values)) as (values: Values) => Values,
    call: async (sent, input) => {
      try {
        return await consoleCall(sent, { ...input, params: params as never })
      } catch (error) {
        // What is shown is not what is there any more.
        if (error instanceof CallError && error.body?.code === 'CONFLICT') refresh()
        onRefused?.(error)
        throw error
      }
    },
    onDone: (answer) => {
      refresh()
      onDone?.(answer as AnswerOf<E>)
      onClose()
    },
  }) as unknown as ActForm<V>
  return (
    <Dialog title={title} onClose={() => form.isSending || onClose()}>
      <Form form={form}>
        {children?.(form)}
        <TextArea
          {...form.field('reason')}
          label={kitCopy.reason}
          hint={kitCopy.reasonHint}
          maxLength={500}
        />
        <div className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
          <Button kind="plain" onClick={onClose} disabled={form.isSending}>
            {kitCopy.back}
          </Button>
          <Button type="submit" isBusy={form.isSending} disabled={isEmpty}>
            {submitLabel}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
