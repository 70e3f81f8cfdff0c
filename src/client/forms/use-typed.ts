import { useRef, useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { draftOf, keepDraft } from './drafts.ts'
import { problemsOf, type Name, type Problem, type Rules, type Values } from './form-rules.ts'

type Errors = Record<string, Problem | undefined>

/** What was typed into a form, and what is wrong with it. */
type Typed<V> = { values: V; errors: Errors; touched: Record<string, true>; submitCount: number }

/**
 * The state of a form's fields. A field is checked when it is left for the first time, then at every change; after an attempt
 * to send, all are. What the server refused stays until its field changes.
 */
export function useTyped<V extends Values>(endpoint: Endpoint, rules: Rules<V>) {
  const [first] = useState<Typed<V>>({ values: rules.start, errors: {}, touched: {}, submitCount: 0 })
  const { draft } = rules
  const [typed, setTyped] = useState(() => ({
    ...first,
    values: { ...first.values, ...(draft && draftOf(draft.key)) },
  }))
  // Several changes may come before the next rendering.
  const latest = useRef(typed)
  const isEmptied = useRef(false)
  const names = Object.keys(first.values)

  function change(next: Partial<Typed<V>>): void {
    latest.current = { ...latest.current, ...next }
    setTyped(latest.current)
  }

  /** The errors after these fields were validated again. */
  function validate(values: V, validated: readonly string[]): Errors {
    const problems: Errors = problemsOf(endpoint, rules, values)
    return {
      ...latest.current.errors,
      ...Object.fromEntries(validated.map((name) => [name, problems[name]])),
    }
  }

  return {
    typed,
    isDirty: names.some((name) => !isSame(typed.values[name], first.values[name])),
    /** As it is now, also before the next rendering. */
    values: (): V => latest.current.values,
    set<N extends Name<V>>(name: N, value: V[N]): void {
      isEmptied.current = false
      const { errors, touched, submitCount } = latest.current
      const values = { ...latest.current.values, [name]: value }
      // A rule may depend on several fields: those already checked are checked again.
      if (draft) keepDraft(draft.key, Object.fromEntries(draft.names.map((one) => [one, values[one]])))
      const validated = names
        .filter((one) => submitCount > 0 || touched[one])
        .filter((one) => one === name || !errors[one]?.isRefused)
      change({ values, errors: validate(values, validated) })
    },
    leave(name: Name<V>): void {
      // The fields of a form that was reset do not count as left empty.
      if (isEmptied.current) return
      const { values, touched, submitCount } = latest.current
      change({
        touched: { ...touched, [name]: true },
        ...(submitCount === 0 && { errors: validate(values, [name]) }),
      })
    },
    refuse(name: Name<V>, message: string): void {
      change({ errors: { ...latest.current.errors, [name]: { message, isRefused: true } } })
    },
    /** Checks everything; true when it may be sent. */
    submit(): boolean {
      const { values, submitCount } = latest.current
      const errors = validate(values, names)
      change({ errors, submitCount: submitCount + 1 })
      return names.every((name) => errors[name] === undefined)
    },
    reset(): void {
      isEmptied.current = true
      change(first)
    },
  }
}

/** Lists are new objects after every change. */
const isSame = (one: unknown, other: unknown) =>
  Object.is(one, other) || (Array.isArray(one) && JSON.stringify(one) === JSON.stringify(other))
