import { useState, type FormEvent } from 'react'
import { OTP_LENGTH } from '#contract/constants.ts'
import { updateEmail } from '#contract/contacts.ts'
import type { User } from '#contract/users.ts'
import { CallError } from '#web/call.ts'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { refreshUser } from '#web/session/session-store.ts'
import { problemOfCode, problemOfEmail } from '#web/parts/one-time-codes/otp-text.ts'
import { useSend } from '#web/parts/sending/use-send.ts'

const EMPTY = { otp: '', newEmail: '', newEmailOtp: '' }
type Errors = Partial<Record<keyof typeof EMPTY, string>>

/** What was filled in for another address, what is wrong with it, and how it is sent. */
export function useEmailChange({ user, onDone }: { user: User; onDone: () => void }) {
  const proof = proofFor(user)
  const [form, setForm] = useState(EMPTY)
  const [isTried, setTried] = useState(false)
  /** What the server refused, by field, until something is changed. */
  const [refused, setRefused] = useState<Errors>({})
  /** Counts refused proofs of the phone: each begins with an empty code. */
  const [round, setRound] = useState(0)
  const { send, isSending } = useSend(updateEmail, {
    onDone: () => {
      onDone()
      void refreshUser()
    },
    onFailed: (error) => {
      reportFailure(error)
      const wrong = refusedFields(error)
      setRefused(wrong)
      if (proof !== 'phone' || !wrong.otp) return
      setForm({ ...form, otp: '' })
      setRound(round + 1)
    },
  })
  const problems: Errors = {
    newEmail: problemOfEmail(form.newEmail),
    newEmailOtp: problemOfCode(form.newEmailOtp),
  }
  const isProved = proof === 'none' || form.otp.length === OTP_LENGTH

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (!isProved || problems.newEmail || problems.newEmailOtp) return
    void send({ body: { ...form, otp: proof === 'none' ? null : form.otp } })
  }

  return {
    proof,
    form,
    round,
    isProved,
    isSending,
    errors: {
      otp: refused.otp,
      newEmail: refused.newEmail ?? (isTried ? problems.newEmail : undefined),
      newEmailOtp: refused.newEmailOtp ?? (isTried ? problems.newEmailOtp : undefined),
    },
    edit(part: Partial<typeof EMPTY>) {
      setForm((shown) => ({ ...shown, ...part }))
      setRefused({})
    },
    submit,
  }
}

/** What the account has proved already, and so must prove again. */
function proofFor({ email_verified, phone_verified }: User): 'email' | 'phone' | 'none' {
  if (email_verified) return 'email'
  return phone_verified ? 'phone' : 'none'
}

function refusedFields(error: unknown): Errors {
  const errors = (error instanceof CallError && error.body?.errors) || {}
  const first = (field: keyof typeof EMPTY) => errors[field]?.[0]
  return { otp: first('otp'), newEmail: first('newEmail'), newEmailOtp: first('newEmailOtp') }
}
