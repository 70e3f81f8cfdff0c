import { useState } from 'react'
import { useNavigate } from '#web/navigation.tsx'
import type { AnswerOf, Endpoint } from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { resetPassword } from '#contract/passwords.ts'
import { browserCall } from '#web/browser-call.ts'
import type { CallInput } from '#client/call.ts'
import { checkRepeated } from '#web/parts/forms/new-password-fields.tsx'
import { openSession } from '#web/session/session-store.ts'
import { closeModal } from '#web/parts/modals/modal-store.ts'
import { showToast } from '#web/parts/outcomes/toast-store.ts'

export const EMPTY = { password: '', confirm_password: '', otp: '' }

type Answer = AnswerOf<typeof resetPassword>

/** What both ways of setting a new password have in common: the player is signed in with it. */
export function useReset(next: unknown) {
  const navigate = useNavigate()
  /** Only who has the link or the phone learns that the account has a second factor. */
  const [isFactorAsked, setFactorAsked] = useState(false)
  return {
    isFactorAsked,
    /** Whether a refusal only asks for the second factor, which a reset requires as well. */
    askFactor(code: ErrorCode | undefined): boolean {
      const isFirstAsked = code === 'SECOND_FACTOR_REQUIRED' && !isFactorAsked
      if (isFirstAsked) setFactorAsked(true)
      return isFirstAsked
    },
    common: {
      check: checkRepeated,
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
