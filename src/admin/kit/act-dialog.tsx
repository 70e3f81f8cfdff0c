import { type ComponentProps, type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { consoleCall } from '#admin/console-call.ts'
import type { CallInput } from '#client/call.ts'
import type { Values } from '#client/forms/form-rules.ts'
import { Form } from '#client/forms/form.tsx'
import type { AnswerOf, BodyInputOf, Endpoint, ParamsOf } from '#contract/endpoint.ts'
import { Button } from '#ui/button.tsx'
import { TextArea } from '#ui/field.tsx'
import { Dialog } from './dialog.tsx'
import { kitCopy, labels } from './kit.copy.ts'
import { isConflict, useRefresh, useSendForm } from './use-send.ts'

/** The form inside, for fields in a component of their own. */
export type ActForm<V extends Values> = ReturnType<typeof useSendForm<Endpoint, V & { reason: string }>>

type Props<E extends Endpoint, V extends Values> = {
  title: string
  /** The title, when left out; a function where it depends on what was chosen. */
  submitLabel?: string | ((values: V) => string)
  endpoint: E
  params?: ParamsOf<E>
  /** The fields beside the reason, with their first values. */
  start?: V
  /** What is sent, made of the fields; the fields themselves when left out. */
  toBody?: (values: V & { reason: string }) => BodyInputOf<E>
  /** The file that the endpoint's form carries. */
  fileOf?: (values: V & { reason: string }) => Blob | null
  /** Instead of the one call. */
  call?: (endpoint: E, input: CallInput<E>) => Promise<AnswerOf<E>>
  /** Rules of fields nested in the body, where its schema cannot name them. */
  check?: (values: V & { reason: string }) => Partial<Record<keyof V & string, string>>
  /** What is about to happen. */
  text?: ReactNode
  /** The fields above the reason, and what else is shown there. */
  children?: (form: ActForm<V>) => ReactNode
  onDone?: (answer: AnswerOf<E>) => void
  /** Called after `onClose`: replaces the address, which while the dialog is open is that of its own entry in the history. */
  onClosed?: (answer: AnswerOf<E>) => void
  /** Called with a refusal, which is shown as well. */
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
  submitLabel = title,
  endpoint,
  params,
  start,
  toBody,
  fileOf,
  call = consoleCall,
  check,
  text,
  children,
  onDone,
  onClosed,
  onRefused,
  isEmpty = false,
  onClose,
}: Props<E, V>) {
  const refresh = useRefresh()
  // The endpoint's schema validates the body; its type is not known here.
  const form = useSendForm<Endpoint, Values>(endpoint as Endpoint, {
    start: { ...start, reason: '' },
    ...(check && { check: check as unknown as (values: Values) => Record<string, string> }),
    toBody: (toBody ?? ((values: Values) => values)) as (values: Values) => Values,
    ...(fileOf && { fileOf: fileOf as unknown as (values: Values) => Blob | null }),
    call: async (sent, input) => {
      try {
        return await call(sent as E, { ...(input as CallInput<E>), ...(params && { params }) })
      } catch (error) {
        // The shown state is outdated.
        if (isConflict(error)) refresh()
        onRefused?.(error)
        throw error
      }
    },
    onDone: (answer) => {
      refresh()
      onDone?.(answer as AnswerOf<E>)
      flushSync(onClose)
      onClosed?.(answer as AnswerOf<E>)
    },
  }) as unknown as ActForm<V>
  return (
    <Dialog title={title} isBusy={form.isSending} onClose={onClose}>
      <Form form={form}>
        {text && <p>{text}</p>}
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
            {typeof submitLabel === 'string' ? submitLabel : submitLabel(form.values)}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

type RemoveProps<E extends Endpoint> = {
  title: string
  confirmLabel?: string
  warning: string
  /** What is removed, by the call whose only parameter is its id. */
  removed: { id: string; name: string }
  endpoint: E
  onDone?: (answer: AnswerOf<E>) => void
  onClose: () => void
}

/** Asks for a confirmation and a reason before something is removed. */
export function RemoveDialog<E extends Endpoint>({
  confirmLabel = labels.remove,
  warning,
  removed,
  ...act
}: RemoveProps<E>) {
  return (
    <ActDialog {...act} submitLabel={confirmLabel} params={{ id: removed.id } as never}>
      {() => (
        <>
          <p>
            <strong>{removed.name}</strong>
          </p>
          <p>{warning}</p>
        </>
      )}
    </ActDialog>
  )
}

type DialogOf = (onClose: () => void) => ReactNode

type ButtonProps = Omit<ComponentProps<typeof Button>, 'children' | 'title' | 'onClick'> & { label: string }

/** A button that opens a dialog. */
export function DialogButton({ label, renderDialog, ...button }: ButtonProps & { renderDialog: DialogOf }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && renderDialog(() => setOpen(false))}
    </>
  )
}

type ActButtonProps<E extends Endpoint, V extends Values> = Omit<Props<E, V>, 'onClose' | 'title'> &
  Pick<ButtonProps, 'label' | 'kind' | 'disabled' | 'aria-label'> & { title?: string }

/** A button that opens the dialog of an act, which has its name and submits by the same word unless told otherwise. */
export const ActButton = <E extends Endpoint, V extends Values = Record<never, never>>({
  label,
  kind,
  disabled,
  'aria-label': name,
  title = name ?? label,
  submitLabel = label,
  ...act
}: ActButtonProps<E, V>) => (
  <DialogButton
    {...{ label, kind, disabled }}
    aria-label={name}
    renderDialog={(onClose) => (
      <ActDialog<E, V> {...(act as Props<E, V>)} {...{ title, submitLabel, onClose }} />
    )}
  />
)
