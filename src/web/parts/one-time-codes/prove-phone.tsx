import { useState, type ReactNode } from 'react'
import { afterPress } from '#client/after-press.ts'
import { SMS_OTP_TEXT, SMS_PRICE_VND, SMS_SHORT_CODE } from '#contract/constants.ts'
import { formatNumber } from '#contract/format.ts'
import { Alert } from '#ui/alert.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { OtpField } from '#web/parts/one-time-codes/otp-field.tsx'
import { otpCopy as copy } from '#web/parts/one-time-codes/otp.copy.ts'
import { problemOfPhone } from '#web/parts/one-time-codes/otp-text.ts'
import { usePhoneProof, type PhoneProof } from '#web/parts/one-time-codes/use-phone-proof.ts'

type Props = {
  label?: string
  hint?: ReactNode
  mask?: string | null
  /** Takes the first focus of its dialog. */
  isFirst?: boolean
  onProof: (proof: PhoneProof | null) => void
}

/** A phone number and the code that proves it. The code comes by SMS, in answer to the player's own message. */
export function ProvePhone({ label = copy.phone, hint, mask = null, isFirst = false, onProof }: Props) {
  const proof = usePhoneProof({ mask, onProof })
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
            <Button kind="plain" className="shrink-0" onClick={proof.askForCode}>
              {copy.getBySms}
            </Button>
          )
        }
      >
        {proof.isCodeAsked && proof.isPhoneGiven && !isVerified && <HowToAsk phone={phone} />}
      </OtpField>
    </>
  )
}

const smsAddress = `sms:${SMS_SHORT_CODE}?body=${encodeURIComponent(SMS_OTP_TEXT)}`

/** The message to send, from which phone, and what it costs; on a phone also a link that opens it. */
function HowToAsk({ phone }: { phone: string }) {
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
