import type { ReactNode } from 'react'
import { Field } from '#ui/field.tsx'
import { Icon } from '#ui/icon.tsx'
import { otpCopy as copy } from '#web/parts/one-time-codes/otp.copy.ts'
import { codeDigits } from '#client/forms/code-text.ts'

type Props = {
  code: string
  onCode: (code: string) => void
  state?: 'open' | 'checking' | 'verified'
  error?: string
  /** The button that requests a code. */
  beside: ReactNode
  /** How to get the code. */
  children?: ReactNode
}

/** Six digits, the button that requests them, and the state of their verification. */
export function OtpField({ code, onCode, state = 'open', error, beside, children }: Props) {
  return (
    <div className="space-y-2">
      <Field
        label={copy.label}
        placeholder={copy.placeholder}
        value={code}
        error={error}
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="[0-9]{6}"
        // Locked but not disabled: the focus stays where it is.
        readOnly={state !== 'open'}
        className="tracking-widest placeholder:tracking-normal read-only:bg-sunken"
        beside={beside}
        onChange={({ target }) => onCode(codeDigits(target.value))}
      />
      <output className="flex items-center gap-1.5 text-sm font-bold">
        {state === 'checking' && <span className="text-soft">{copy.checking}</span>}
        {state === 'verified' && (
          <>
            <Icon name="check" className="size-4 text-leaf" />
            <span className="text-leaf">{copy.verified}</span>
          </>
        )}
      </output>
      {children}
    </div>
  )
}
