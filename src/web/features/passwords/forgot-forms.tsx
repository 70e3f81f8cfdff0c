import { useState } from 'react'
import {
  requestGameCode,
  requestPasswordReset,
  resetPasswordViaGame,
  resetPasswordViaPhone,
} from '#contract/accounts/passwords.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { passwordsCopy as copy } from '#web/features/passwords/passwords.copy.ts'
import { Form } from '#client/forms/form.tsx'
import { useSendForm } from '#web/parts/forms/use-send.ts'
import { closeModal } from '#web/parts/modals/modal-store.ts'
import { ResetFields, EMPTY, useReset } from '#web/features/passwords/reset-fields.tsx'
import { ProvePhone, type PhoneProof } from '#web/parts/one-time-codes/prove-phone.tsx'
import { SubmitRow, UsernameField } from '#web/parts/forms/account-fields.tsx'

/** Typed once for all ways. */
type SharedUsername = { username: string; onUsername: (username: string) => void }

/** Server and form answer the same whether or not name and address belong together. */
export function ForgotByEmail({ username, onUsername }: SharedUsername) {
  const form = useSendForm(requestPasswordReset, {
    start: { username, email: '' },
    draft: { key: 'forgot', names: ['email'] },
    onDone: closeModal,
  })
  return (
    <Form form={form}>
      <p className="text-[0.9375rem] text-soft">{copy.emailLead}</p>
      <UsernameField {...form.field('username')} onUsername={onUsername} data-autofocus />
      <Field {...form.field('email')} label={copy.email} type="email" autoComplete="email" />
      <SubmitRow isBusy={form.isSending}>{copy.emailSend}</SubmitRow>
    </Form>
  )
}

type ProofProps = SharedUsername & { next: unknown }

/** First the phone is confirmed; then the fields for the new password appear. */
export function ForgotByPhone({ username, onUsername, next }: ProofProps) {
  const [proof, setProof] = useState<PhoneProof | null>(null)
  /** Counts the refused proofs: each new one starts with an empty code. */
  const [round, setRound] = useState(0)
  const { isFactorRequired, requireFactor, common } = useReset(next)
  const form = useSendForm(resetPasswordViaPhone, {
    ...common,
    start: { username, ...EMPTY },
    toBody: (typed) => ({ phone: null, code: null, ...proof, ...typed }),
    onRefused: (code) => {
      // The code was not this account's, or has expired: another one is needed. Once the second factor was
      // requested, the refusal is about its code.
      if (code === 'OTP_INVALID' && !isFactorRequired) {
        setProof(null)
        setRound(round + 1)
      }
      return requireFactor(code)
    },
  })
  return (
    <Form form={form}>
      <p className="text-[0.9375rem] text-soft">{copy.phoneLead}</p>
      <UsernameField {...form.field('username')} onUsername={onUsername} />
      <ProvePhone key={round} onProof={setProof} />
      {proof && <ResetFields form={form} isFactorRequired={isFactorRequired} />}
    </Form>
  )
}

/** First the game is asked for a code; then the fields for it and for the new password appear. */
export function ForgotByGame({ username, onUsername, next }: ProofProps) {
  const [isAsked, setAsked] = useState(false)
  const { isFactorRequired, requireFactor, common } = useReset(next)
  const asking = useSendForm(requestGameCode, { start: { username }, onDone: () => setAsked(true) })
  const form = useSendForm(resetPasswordViaGame, {
    ...common,
    start: { code: '', ...EMPTY },
    toBody: (typed) => ({ username, ...typed }),
    onRefused: requireFactor,
  })
  if (!isAsked)
    return (
      <Form form={asking}>
        <p className="text-[0.9375rem] text-soft">{copy.gameLead}</p>
        <UsernameField {...asking.field('username')} onUsername={onUsername} />
        <SubmitRow isBusy={asking.isSending}>{copy.gameAsk}</SubmitRow>
      </Form>
    )
  return (
    <Form form={form}>
      <p className="text-[0.9375rem] text-soft">{copy.gameAsked(username)}</p>
      <Field
        {...form.field('code')}
        label={copy.gameCode}
        placeholder={copy.gameCodeForm}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        autoFocus
        beside={
          <Button kind="plain" onClick={() => setAsked(false)}>
            {copy.gameAskAgain}
          </Button>
        }
      />
      <ResetFields form={form} isFactorRequired={isFactorRequired} isAfterField />
    </Form>
  )
}
