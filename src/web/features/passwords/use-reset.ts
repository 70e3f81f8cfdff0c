import { useState } from 'react'
import { useNavigate } from 'react-router'
import { CallError } from '#web/call.ts'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { openSession } from '#web/session/session-store.ts'
import { closeModal } from '#web/parts/modals/modal-store.ts'
import { showToast } from '#web/parts/outcomes/toast-store.ts'

type Answer = { access_token: string; message?: string }

/**
 * Sets a new password by the given call and signs the player in. A refused one leaves whoever is signed in alone;
 * `onRefused` says whether the form has shown it already.
 */
export function useReset(next: unknown) {
  const navigate = useNavigate()
  /** Told by the server, to nobody but who holds the link or the phone. */
  const [isFactorAsked, setFactorAsked] = useState(false)
  async function reset(ask: () => Promise<Answer>, onRefused: (error: unknown) => boolean): Promise<void> {
    try {
      const answer = await ask()
      await openSession(async () => answer)
      closeModal()
      if (answer.message) showToast(answer.message)
      if (typeof next === 'string') await navigate(next)
    } catch (error) {
      const isFirstAsked = codeOf(error) === 'SECOND_FACTOR_REQUIRED' && !isFactorAsked
      if (isFirstAsked) setFactorAsked(true)
      else if (!onRefused(error)) reportFailure(error)
    }
  }
  return { reset, isFactorAsked }
}

export const codeOf = (error: unknown) => (error instanceof CallError ? error.body?.code : undefined)
