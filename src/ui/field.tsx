import { useId, type ComponentProps, type ReactNode } from 'react'
import { fieldBox } from './button.tsx'
import { useFilledBefore } from './filled-before.ts'

const copy = {
  optional: '(không bắt buộc)',
  placeholder: (label: string) => `Nhập ${label.toLowerCase()}`,
} as const

/** The properties of the frame around a control. */
type Labelled = {
  label: string
  error?: ReactNode
  hint?: ReactNode
  isOptional?: boolean
  /** Class of the whole: label, control and messages. */
  frameClass?: string
}

type FrameProps = Labelled & { id: string; children: ReactNode }

export function Frame({ id, label, error, hint, isOptional, frameClass, children }: FrameProps) {
  return (
    <div className={frameClass}>
      <label htmlFor={id} className="mb-1 block text-sm font-bold">
        {label}
        {isOptional && <span className="font-normal text-soft"> {copy.optional}</span>}
      </label>
      {children}
      <div className="field-notes">
        {hint && (
          <p id={`${id}-hint`} className={error ? 'invisible' : 'text-soft'}>
            {hint}
          </p>
        )}
        {error && (
          <p id={`${id}-error`} role="alert" className="text-vermilion">
            {error}
          </p>
        )}
      </div>
    </div>
  )
}

export function describedBy(
  id: string,
  { error, hint }: Pick<Labelled, 'error' | 'hint'>,
): string | undefined {
  const parts = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean)
  return parts.length > 0 ? parts.join(' ') : undefined
}

type FieldProps = Labelled &
  ComponentProps<'input'> & {
    /** A button that belongs to the field, in one line with it. */
    beside?: ReactNode
  }

/** Dates and files: a browser shows none there, and HTML allows none. */
const WITHOUT_PLACEHOLDER = /^(date|file)/

/** An input with its label and its message; its placeholder, unless given, is made of the label. */
export function Field({
  label,
  error,
  hint,
  isOptional,
  frameClass,
  beside,
  className = '',
  ...rest
}: FieldProps) {
  const ownId = useId()
  const id = rest.id ?? ownId
  useFilledBefore<HTMLInputElement>(id, rest)
  const input = (
    <input
      type="text"
      placeholder={WITHOUT_PLACEHOLDER.test(rest.type ?? '') ? undefined : copy.placeholder(label)}
      {...rest}
      id={id}
      aria-invalid={error ? true : undefined}
      aria-describedby={describedBy(id, { error, hint })}
      className={`${fieldBox} ${error ? 'border-vermilion' : 'border-line-strong'} ${className}`}
    />
  )
  return (
    <Frame {...{ id, label, error, hint, isOptional, frameClass }}>
      {beside ? (
        // The input fills the line beside its button, and the whole line where letters are large: this much room shows a phone
        // number, or a code of six digits.
        <div
          className={`flex flex-wrap gap-2 *:first:w-auto *:first:min-w-0 ${rest.type === 'tel' ? '*:first:flex-[1_1_9rem]' : '*:first:flex-[1_1_6.5rem]'}`}
        >
          {input}
          {beside}
        </div>
      ) : (
        input
      )}
    </Frame>
  )
}

type SelectProps = Labelled &
  ComponentProps<'select'> & {
    /** Id of a message outside the field, when it and others are wrong together. */
    sharedErrorId?: string
  }

export function SelectField({
  label,
  error,
  hint,
  isOptional,
  frameClass,
  sharedErrorId,
  className = '',
  children,
  ...rest
}: SelectProps) {
  const ownId = useId()
  const id = rest.id ?? ownId
  useFilledBefore<HTMLSelectElement>(id, rest)
  const isWrong = Boolean(error ?? sharedErrorId)
  return (
    <Frame {...{ id, label, error, hint, isOptional, frameClass }}>
      <select
        {...rest}
        id={id}
        aria-invalid={isWrong ? true : undefined}
        aria-describedby={sharedErrorId ?? describedBy(id, { error, hint })}
        className={`${fieldBox} ${isWrong ? 'border-vermilion' : 'border-line-strong'} ${className}`}
      >
        {children}
      </select>
    </Frame>
  )
}

type TextAreaProps = Labelled & ComponentProps<'textarea'>

/** A field of several lines with its label and its message. */
export function TextArea({
  label,
  error,
  hint,
  isOptional,
  frameClass,
  className = '',
  ...rest
}: TextAreaProps) {
  const id = useId()
  useFilledBefore<HTMLTextAreaElement>(id, rest)
  return (
    <Frame {...{ id, label, error, hint, isOptional, frameClass }}>
      <textarea
        rows={3}
        {...rest}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { error, hint })}
        className={`${fieldBox} ${error ? 'border-vermilion' : 'border-line-strong'} ${className}`}
      />
    </Frame>
  )
}
