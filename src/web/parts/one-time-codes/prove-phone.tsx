import { useState, type ReactNode } from 'react'
import { afterPress } from '#client/after-press.ts'
import { SMS_OTP_TEXT, SMS_PRICE_VND, SMS_SHORT_CODE, OTP_LENGTH } from '#contract/constants.ts'
import { formatNumber } from '#contract/format.ts'
import { Alert } from '#ui/alert.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { OtpField } from '#web/parts/one-time-codes/otp-field.tsx'
import { otpCopy as copy } from '#web/parts/one-time-codes/otp.copy.ts'
import { problemOfPhone } from '#web/parts/one-time-codes/otp-text.ts'
import { verifyOneTimeCode } from '#contract/accounts/one-time-codes.ts'
import { browserCall } from '#web/browser-call.ts'
import { CallError } from '#client/call.ts'
import { messagesOf, reportFailure } from '#web/parts/outcomes/report-outcome.ts'

type Props = {
  label?: string
  hint?: ReactNode
  mask?: string | null
  /** A number to begin with, which the player may change. */
  start?: string
  /** Takes the first focus of its dialog. */
  isFirst?: boolean
  onProof: (proof: PhoneProof | null) => void
}

/** A phone number and the code that proves it. The code comes by SMS, in answer to the player's own message. */
export function ProvePhone({
  label = copy.phone,
  hint,
  mask = null,
  start = '',
  isFirst = false,
  onProof,
}: Props) {
  const proof = usePhoneProof({ mask, start, onProof })
  const [isTouched, setTouched] = useState(false)
  const { phone, code, state } = proof
  const isVerified = state === 'verified'
  return (
    <>
      <Field
        label={label}
        hint={hint}
        value={phone}
        error={isTouched && phone !== '' ? problemOfPhone(phone, mask) : undefined}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        readOnly={state !== 'open'}
        className="read-only:bg-sunken"
        data-autofocus={isFirst || undefined}
        beside={
          isVerified && (
            <Button kind="plain" className="shrink-0" onClick={proof.startOver}>
              {copy.otherPhone}
            </Button>
          )
        }
        onChange={({ target }) => proof.change({ phone: target.value })}
        onBlur={() => afterPress(() => setTouched(true))}
      />
      <OtpField
        code={code}
        onCode={(typed) => proof.change({ code: typed })}
        state={state}
        error={proof.problem}
        beside={
          !isVerified && (
            <Button kind="plain" className="shrink-0" onClick={proof.requestCode}>
              {copy.getBySms}
            </Button>
          )
        }
      >
        {proof.isCodeRequested && proof.isPhoneGiven && !isVerified && <RequestHint phone={phone} />}
      </OtpField>
    </>
  )
}

const smsAddress = `sms:${SMS_SHORT_CODE}?body=${encodeURIComponent(SMS_OTP_TEXT)}`

/** The message to send, from which phone, and what it costs; on a phone also a link that opens it. */
function RequestHint({ phone }: { phone: string }) {
  return (
    <Alert tone="note">
      <p>
        {copy.smsWrite} <strong className="whitespace-nowrap">{SMS_OTP_TEXT}</strong> {copy.smsTo}{' '}
        <strong>{SMS_SHORT_CODE}</strong> {copy.smsFrom(phone)}
      </p>
      <p className="mt-1 text-sm text-soft">
        {copy.smsPrice(formatNumber(SMS_PRICE_VND))} {copy.smsAge}
      </p>
      <a href={smsAddress} className={buttonClass('plain', 'mt-2 w-full pointer-fine:hidden')}>
        {copy.smsOpen}
      </a>
    </Alert>
  )
}

export type PhoneProof = { phone: string; code: string }

type Options = {
  /** The player's own number, masked, when no other will do. */
  mask: string | null
  start: string
  /** Called with a proof, and with null when the player takes another number. */
  onProof: (proof: PhoneProof | null) => void
}

const EMPTY = { phone: '', code: '', isCodeRequested: false, problem: undefined as string | undefined }

/**
 * Whichever comes last, a valid phone or the sixth digit, starts the verification, once. Then both are locked, or
 * the code is emptied and the problem shown.
 */
function usePhoneProof({ mask, start, onProof }: Options) {
  const [form, setForm] = useState({ ...EMPTY, phone: start })
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
    requestCode: () =>
      setForm({ ...form, isCodeRequested: true, problem: form.phone === '' ? copy.phoneMissing : undefined }),
    startOver() {
      setForm(EMPTY)
      setState('open')
      onProof(null)
    },
  }
}
