import { useState } from 'react'
import { OTP_LENGTH } from '#contract/constants.ts'
import { verifyOneTimeCode } from '#contract/one-time-codes.ts'
import { browserCall } from '#web/browser-call.ts'
import { CallError } from '#client/call.ts'
import { messagesOf, reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { otpCopy as copy } from '#web/parts/one-time-codes/otp.copy.ts'
import { problemOfPhone } from '#web/parts/one-time-codes/otp-text.ts'

export type PhoneProof = { phone: string; code: string }

type Options = {
  /** The player's own number, masked, when no other will do. */
  mask: string | null
  /** Called with a proof, and with null when the player takes another number. */
  onProof: (proof: PhoneProof | null) => void
}

const EMPTY = { phone: '', code: '', isCodeAsked: false, problem: undefined as string | undefined }

/**
 * Whichever comes last, a valid phone or the sixth digit, starts the verification, once. Then both are locked, or
 * the code is emptied and the problem shown.
 */
export function usePhoneProof({ mask, onProof }: Options) {
  const [form, setForm] = useState(EMPTY)
  const [state, setState] = useState<'open' | 'checking' | 'verified'>('open')

  function change(part: Partial<typeof EMPTY>) {
    const next = { ...form, problem: undefined, ...part }
    const isWhole = next.code.length === OTP_LENGTH
    if (isWhole && next.phone === '') next.problem = copy.phoneMissing
    setForm(next)
    if (isWhole && problemOfPhone(next.phone, mask) === undefined) void verify(next)
  }

  async function verify({ phone, code }: PhoneProof) {
    setState('checking')
    try {
      await browserCall(verifyOneTimeCode, { body: { phone, code } })
      setState('verified')
      onProof({ phone, code })
    } catch (error) {
      const isRefused = error instanceof CallError && error.status === 422
      setState('open')
      const problem = isRefused ? messagesOf(error).join(' ') : undefined
      setForm((shown) => ({ ...shown, code: '', problem }))
      if (!isRefused) reportFailure(error)
    }
  }

  return {
    ...form,
    state,
    isPhoneGiven: problemOfPhone(form.phone, mask) === undefined,
    change,
    /** Other problems of a number are shown beside its own field. */
    askForCode: () =>
      setForm({ ...form, isCodeAsked: true, problem: form.phone === '' ? copy.phoneMissing : undefined }),
    startOver() {
      setForm(EMPTY)
      setState('open')
      onProof(null)
    },
  }
}
