import { serverNow } from '#client/server-clock.ts'
import { useState } from 'react'
import { sendEmailCode } from '#contract/accounts/one-time-codes.ts'
import type { sendVisitorCode } from '#contract/help/visitor-cases.ts'
import { Button } from '#ui/button.tsx'
import { OtpField } from '#web/parts/one-time-codes/otp-field.tsx'
import { otpCopy as copy } from '#web/parts/one-time-codes/otp.copy.ts'
import { problemOfEmail } from '#web/parts/one-time-codes/otp-text.ts'
import { useNow } from '#web/parts/time/use-now.ts'
import { useSend } from '#web/parts/forms/use-send.ts'

const PAUSE_MS = 60_000

type Props = {
  email: string
  /** Mails the code. */
  endpoint?: typeof sendEmailCode | typeof sendVisitorCode
  /** The address is the player's own and masked: nothing about it can be checked here. */
  isOwn?: boolean
  code: string
  error?: string
  onCode: (code: string) => void
}

/** A code by e-mail. It needs no verification of its own: the call it is sent with checks it. */
export function EmailOtp({ email, endpoint = sendEmailCode, isOwn = false, code, error, onCode }: Props) {
  /** The address that was invalid when the button was pressed. */
  const [refused, setRefused] = useState<string>()
  /** Where the last code went, and when. */
  const [sent, setSent] = useState<{ email: string; at_ms: number } | null>(null)
  const now_ms = useNow(sent !== null)
  const { send, isSending } = useSend(endpoint, {
    onDone: () => setSent({ email, at_ms: serverNow() }),
  })
  const wait_s =
    sent?.email === email ? Math.ceil((sent.at_ms + PAUSE_MS - Math.max(now_ms, sent.at_ms)) / 1000) : 0

  function requestCode() {
    if (isOwn || problemOfEmail(email) === undefined) void send({ body: { email } })
    else setRefused(email)
  }

  return (
    <OtpField
      code={code}
      error={refused === email ? problemOfEmail(email) : error}
      beside={
        <Button
          kind="plain"
          className="shrink-0 tabular-nums"
          disabled={wait_s > 0}
          isBusy={isSending}
          onClick={requestCode}
        >
          {labelOf(wait_s, sent !== null)}
        </Button>
      }
      onCode={onCode}
    >
      {sent && <p className="text-sm text-soft">{copy.emailSent(sent.email)}</p>}
    </OtpField>
  )
}

function labelOf(wait_s: number, isSent: boolean): string {
  if (wait_s > 0) return copy.sendAgainIn(wait_s)
  return isSent ? copy.sendAgain : copy.send
}
