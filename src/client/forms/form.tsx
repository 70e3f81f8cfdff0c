import type { ComponentProps, RefObject, SyntheticEvent } from 'react'
import { Alert } from '#ui/alert.tsx'

type Props = Omit<ComponentProps<'form'>, 'onSubmit' | 'ref'> & {
  /** Of `useSendForm`. */
  form: {
    frame: RefObject<HTMLFormElement | null>
    submit: (event: SyntheticEvent) => void
    refusal: readonly string[]
    isDirty: boolean
  }
}

/** The frame of each form that sends a call. */
export function Form({
  form: { frame, submit, refusal, isDirty },
  className = 'space-y-4',
  children,
  ...rest
}: Props) {
  return (
    <form
      data-unsent={isDirty || undefined}
      {...rest}
      ref={frame}
      noValidate
      className={`form-fields ${className}`}
      onSubmit={submit}
    >
      {refusal.length > 0 && (
        <Alert>
          {refusal.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </Alert>
      )}
      {children}
    </form>
  )
}
