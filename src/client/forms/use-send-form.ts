import { useEffect, useRef, useState, type ChangeEvent, type SyntheticEvent } from 'react'
import { flushSync } from 'react-dom'
import { useForm, useWatch } from 'react-hook-form'
import type { AnswerOf, BodyInputOf, Endpoint } from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { CallError } from '../call.ts'
import { bodyOf, problemsOf, type Name, type Rules, type Messages, type Values } from './form-rules.ts'
import type { createUseSend, SendOptions } from '../use-send.ts'

/** A body that is still being filled in. */
type Draft<B> = { [Field in keyof B]: B[Field] | null }

type Edit<V> = { set: <N extends Name<V>>(name: N, value: V[N]) => void; reset: () => void }

type Options<E extends Endpoint, V extends Values> = Rules<V> & {
  /** Opens a confirmation: the form is then sent by `send`. */
  ask?: () => void
  fileOf?: (values: V) => Blob | null
  /** Shows refusals in the form (login and register) instead of by the flags of the answer. */
  isRefusedInForm?: boolean
  /** Returns `true` for a refusal that it has shown itself. */
  onRefused?: (code: ErrorCode | undefined, form: Edit<V> & { errors: Messages<V> }) => unknown
  onDone?: (answer: AnswerOf<E>, form: Edit<V>, sent: BodyInputOf<E>) => void
  call?: SendOptions<E>['call']
} & (V extends Draft<BodyInputOf<E>>
    ? { toBody?: (values: V) => Draft<BodyInputOf<E>> }
    : { toBody: (values: V) => Draft<BodyInputOf<E>> })

/** Type of an error that came from the server. */
const REFUSED = 'refused'

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
    const { start, ask, fileOf, onDone, onRefused, isRefusedInForm, call } = options
    const frame = useRef<HTMLFormElement>(null)
    const [refusal, setRefusal] = useState<string[]>([])
    const { values, form, edit, ...fields } = useFields(endpoint, options)
    const { send, isSending } = useSend(endpoint, {
      call,
      onDone: (answer, { body }) => onDone?.(answer, edit, body as BodyInputOf<E>),
      onFailed: refuse,
    })

    // In the order of the page, and controls of all kinds: the library knows native inputs only.
    const focusFirstWrong = () => frame.current?.querySelector<HTMLElement>(WRONG)?.focus()
    useEffect(focusFirstWrong, [form.formState.submitCount])

    function refuse(error: unknown): void {
      const { code, errors = {} } = (error instanceof CallError && error.body) || {}
      const messages = Object.entries(errors).flatMap(([name, [first]]) =>
        name in start && first ? [[name, first] as const] : [],
      )
      const isShown = flushSync(() => {
        if (onRefused?.(code, { ...edit, errors: Object.fromEntries(messages) as Messages<V> }) === true)
          return true
        if (isRefusedInForm) setRefusal(messagesOf(error))
        else for (const [name, message] of messages) form.setError(name, { type: REFUSED, message })
        return isRefusedInForm
      })
      if (isShown) return
      // Before the report, whose dialog gives the focus back when it closes.
      focusFirstWrong()
      reportFailure(error)
    }

    function sendNow() {
      setRefusal([])
      const typed = form.getValues() as V
      void send({ body: bodyOf(endpoint, options, typed), file: fileOf?.(typed) ?? undefined })
    }

    return {
      ...edit,
      ...fields,
      frame,
      refusal,
      values,
      isDirty: form.formState.isDirty,
      isSending,
      send: sendNow,
      submit: (event: SyntheticEvent) => void form.handleSubmit(() => (ask ? ask() : sendNow()))(event),
    }
  }
}

/** The fields of a form, for controls of each kind. */
function useFields<V extends Values>(endpoint: Endpoint, rules: Rules<V>) {
  const names = Object.keys(rules.start)
  const form = useForm<Values>({
    mode: 'onTouched',
    shouldFocusError: false,
    defaultValues: rules.start,
    resolver: (typed) => {
      const errors = problemsOf(endpoint, rules, typed as V)
      return Object.keys(errors).length > 0 ? { values: {}, errors } : { values: typed, errors: {} }
    },
  })
  const { errors, touchedFields, isSubmitted } = form.formState
  const values = useWatch({ control: form.control }) as V
  const isEmptied = useRef(false)

  const edit: Edit<V> = {
    set(name, value) {
      isEmptied.current = false
      void form.register(name).onChange({ target: { name, value }, type: 'change' })
      // A rule may depend on several fields: those already checked are checked again.
      const judged = names.filter((other) => other !== name && (isSubmitted || touchedFields[other]))
      const others = judged.filter((other) => errors[other]?.type !== REFUSED)
      if (others.length > 0) void form.trigger(others)
    },
    reset() {
      isEmptied.current = true
      form.reset()
    },
  }

  const error = (name: Name<V>) => errors[name]?.message
  const shown = (name: Name<V>) => ({
    error: error(name),
    onBlur() {
      // The fields of a form that was reset do not count as left empty.
      if (isEmptied.current) return
      void form.register(name).onBlur({ target: { name, value: values[name] }, type: 'blur' })
    },
  })

  return {
    form,
    values,
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
