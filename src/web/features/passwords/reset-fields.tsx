import { useState, type ComponentProps } from 'react'
import type { Field } from '#ui/field.tsx'
import { SecondFactorField } from '#client/forms/second-factor-field.tsx'
import { passwordsCopy as copy } from '#web/features/passwords/passwords.copy.ts'
import { NewPasswordFields, SubmitRow, checkNewPassword } from '#web/parts/forms/account-fields.tsx'
import { useGameLimits } from '#web/parts/forms/game-limits.ts'
import { useNavigate } from '#web/navigation.tsx'
import type { AnswerOf, Endpoint } from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { resetPassword } from '#contract/accounts/passwords.ts'
import { browserCall } from '#web/browser-call.ts'
import type { CallInput } from '#client/call.ts'
import { openSession } from '#web/session/session-store.ts'
import { closeModal } from '#web/parts/modals/modal-store.ts'
import { showToast } from '#web/parts/outcomes/announce.ts'

type Props = {
  form: {
    field: (
      name: 'password' | 'confirm_password' | 'otp',
    ) => Pick<ComponentProps<typeof Field>, 'value' | 'error' | 'onChange' | 'onBlur'>
    isSending: boolean
  }
  isFactorRequired: boolean
  /** Something else is typed first. */
  isAfterField?: true
}

/** The new password takes the focus where the steps before it are done. */
export function ResetFields({ form, isFactorRequired, isAfterField }: Props) {
  const limits = useGameLimits()
  return (
    <>
      <NewPasswordFields form={form} limits={limits} {...(!isAfterField && { isFirst: true })} />
      {isFactorRequired && (
        <SecondFactorField
          {...form.field('otp')}
          label={copy.secondFactor}
          hint={copy.secondFactorHint}
          autoFocus
        />
      )}
      <SubmitRow isBusy={form.isSending}>{copy.set}</SubmitRow>
    </>
  )
}

export const EMPTY = { password: '', confirm_password: '', otp: '' }

type Answer = AnswerOf<typeof resetPassword>

/** What both ways of setting a new password have in common: the player is signed in with it. */
export function useReset(next: unknown) {
  const navigate = useNavigate()
  const limits = useGameLimits()
  /** Only who has the link or the phone learns that the account has a second factor. */
  const [isFactorRequired, setFactorRequired] = useState(false)
  return {
    isFactorRequired,
    /** True if the call was refused only because the second factor is required. */
    requireFactor(code: ErrorCode | undefined): boolean {
      const isFirstRequired = code === 'SECOND_FACTOR_REQUIRED' && !isFactorRequired
      if (isFirstRequired) setFactorRequired(true)
      return isFirstRequired
    },
    common: {
      check: checkNewPassword(limits),
      /** A refused reset does not end a session that is open. */
      async call<E extends Endpoint>(endpoint: E, input: CallInput<E>) {
        const answer = await browserCall(endpoint, input)
        await openSession(async () => answer as Answer)
        return answer
      },
      onDone({ message }: Answer) {
        closeModal()
        if (message) showToast(message)
        if (typeof next === 'string') void navigate(next)
      },
    },
  }
}
