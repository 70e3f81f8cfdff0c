import { useEffect, useRef, useState, type ChangeEvent, type SyntheticEvent } from 'react'
import { flushSync } from 'react-dom'
import type { AnswerOf, BodyInputOf, Endpoint } from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { afterPress } from '../after-press.ts'
import { CallError } from '../call.ts'
import { bodyOf, type Name, type Rules, type Messages, type Values } from './form-rules.ts'
import { forgetDraft } from './drafts.ts'
import { useTyped } from './use-typed.ts'
import type { createUseSend, SendOptions } from '../use-send.ts'

/** A body that is still being filled in. */
type Draft<B> = { [Field in keyof B]: B[Field] | null }

type Edit<V> = { set: <N extends Name<V>>(name: N, value: V[N]) => void; reset: () => void }

type Options<E extends Endpoint, V extends Values> = Rules<V> & {
  /** Opens a confirmation: the form is then sent by `send`. */
  confirm?: () => void
  fileOf?: (values: V) => Blob | null
  /** Shows refusals in the form (login and register) instead of by the flags of the answer. */
  isRefusedInForm?: boolean
  /** Returns `true` for a refusal that it has shown itself. */
  onRefused?: (code: ErrorCode | undefined, form: Edit<V> & { errors: Messages<V> }) => unknown
  onDone?: (answer: AnswerOf<E>, form: Edit<V>, sent: BodyInputOf<E>) => void
  call?: SendOptions<E>['call']
  /** Instead of the common report of success. */
  report?: SendOptions<E>['report']
} & (V extends Draft<BodyInputOf<E>>
    ? { toBody?: (values: V) => Draft<BodyInputOf<E>> }
    : { toBody: (values: V) => Draft<BodyInputOf<E>> })

/** ARIA has no invalid state for a group of choices, so it is marked by an attribute of its own. */
const WRONG = '[aria-invalid="true"], [data-wrong] input'

/** The hook that sends, and how a site shows refusals. */
type Site = {
  useSend: ReturnType<typeof createUseSend>
  messagesOf: (error: unknown) => string[]
  reportFailure: (error: unknown) => void
}

/**
 * A form that sends one call. The contract's schema checks each field once it was touched; what the server refuses
 * is shown beside its field until that changes, and reported like every other refusal.
 */
export function createUseSendForm({ useSend, messagesOf, reportFailure }: Site) {
  return function useSendForm<E extends Endpoint, V extends Values>(endpoint: E, options: Options<E, V>) {
    const { start, confirm, fileOf, onDone, onRefused, isRefusedInForm, call, report } = options
    const frame = useRef<HTMLFormElement>(null)
    const [refusal, setRefusal] = useState<string[]>([])
    const { form, edit, ...fields } = useFields(endpoint, options)
    const { send, isSending } = useSend(endpoint, {
      call,
      report,
      onDone: (answer, { body }) => {
        forgetDraft(options)
        onDone?.(answer, edit, body as BodyInputOf<E>)
      },
      onFailed: refuse,
    })

    // In the order of the page, and controls of all kinds.
    const focusFirstWrong = () => frame.current?.querySelector<HTMLElement>(WRONG)?.focus()
    useEffect(focusFirstWrong, [form.typed.submitCount])

    function refuse(error: unknown): void {
      const { code, errors = {} } = (error instanceof CallError && error.body) || {}
      const messages = Object.entries(errors).flatMap(([name, [first]]) =>
        name in start && first ? [[name, first] as const] : [],
      )
      const isShown = flushSync(() => {
        if (onRefused?.(code, { ...edit, errors: Object.fromEntries(messages) as Messages<V> }) === true)
          return true
        if (isRefusedInForm) setRefusal(messagesOf(error))
        else for (const [name, message] of messages) form.refuse(name as Name<V>, message)
        return isRefusedInForm
      })
      if (isShown) return
      // Before the report, whose dialog gives the focus back when it closes.
      focusFirstWrong()
      reportFailure(error)
    }

    function sendNow() {
      setRefusal([])
      const typed = form.values()
      void send({ body: bodyOf(endpoint, options, typed), file: fileOf?.(typed) ?? undefined })
    }

    return {
      ...edit,
      ...fields,
      frame,
      refusal,
      values: form.typed.values,
      isDirty: form.isDirty,
      isSending,
      send: sendNow,
      submit(event: SyntheticEvent) {
        event.preventDefault()
        if (!form.submit()) return
        if (confirm) confirm()
        else sendNow()
      },
    }
  }
}

/** The fields of a form, for controls of each kind. */
function useFields<V extends Values>(endpoint: Endpoint, rules: Rules<V>) {
  const form = useTyped(endpoint, rules)
  const { values, errors } = form.typed
  const edit: Edit<V> = { set: form.set, reset: form.reset }
  const error = (name: Name<V>) => errors[name]?.message
  const shown = (name: Name<V>) => ({ error: error(name), onBlur: () => afterPress(() => form.leave(name)) })

  return {
    form,
    edit,
    error,
    field: (name: Name<V>) => ({
      ...shown(name),
      name,
      value: values[name] as string,
      onChange: ({ target }: ChangeEvent<{ value: string }>) =>
        edit.set(name, target.value as V[typeof name]),
    }),
    amount: (name: Name<V>) => ({
      ...shown(name),
      amount: values[name] as number | null,
      onAmount: (amount: number | null) => edit.set(name, amount as V[typeof name]),
    }),
    /** Checked when it is sent, and not when the player leaves the field to read the code elsewhere. */
    code: (name: Name<V>) => ({
      error: error(name),
      code: values[name] as string,
      onCode: (code: string) => edit.set(name, code as V[typeof name]),
    }),
  }
}
