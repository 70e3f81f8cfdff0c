import { useState } from 'react'
import { Link } from '#web/navigation.tsx'
import { formatNumber } from '#contract/format-number.ts'
import { transfer } from '#contract/transfers.ts'
import type { User } from '#contract/users.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Coins } from '#ui/coins.tsx'
import { Field } from '#ui/field.tsx'
import { ConfirmTransfer } from '#web/features/transfers/confirm-transfer.tsx'
import {
  checkTransfer,
  type TransferForm,
  type TransferTerms,
} from '#web/features/transfers/transfer-check.ts'
import { TransferOtp } from '#web/features/transfers/transfer-otp.tsx'
import { transferCopy as copy } from '#web/features/transfers/transfer.copy.ts'
import { paths } from '#contract/pages.ts'
import { TextLink } from '#web/parts/navigation/text-links.tsx'
import { patchUser } from '#web/session/session-store.ts'
import { AmountField } from '#web/parts/amounts/amount-field.tsx'
import { Form } from '#client/forms/form.tsx'
import { useSendForm } from '#web/parts/forms/use-send-form.ts'

type Props = { user: User; terms: TransferTerms; otpLimit: number }

export function TransferSheet({ user, terms, otpLimit }: Props) {
  const { form, sent, isOtpAsked, isAsking, goBack } = useTransferSheet(terms)
  const { payee, amount, activate } = form.values
  return (
    <Form form={form} className="max-w-xl space-y-5">
      {sent && !form.isDirty && <SentNote {...sent} />}
      <p className="flex items-center justify-between gap-3 rounded-lg bg-sunken px-4 py-3">
        {copy.balance}
        <Coins>{formatNumber(terms.balance)}</Coins>
      </p>
      <Field
        {...form.field('payee')}
        label={copy.payee}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
      />
      <AmountField
        {...form.amount('amount')}
        label={copy.amount}
        placeholder={copy.amountPlaceholder}
        hint={copy.limits(formatNumber(terms.min), formatNumber(terms.dailyLimit))}
      />
      {form.error('amount') && checkTransfer(form.values, terms).missing && (
        <TextLink to={paths.recharge}>{copy.recharge} →</TextLink>
      )}
      <ActivateChoice
        fee={terms.activeFee}
        isChosen={activate}
        onChange={(chosen) => form.set('activate', chosen)}
      />
      {otpLimit > 0 && <p className="text-sm text-soft">{copy.otpLimit(formatNumber(otpLimit))}</p>}
      {isOtpAsked && <TransferOtp user={user} limit={otpLimit} onProved={form.send} />}
      <Button type="submit" className="w-full sm:w-auto sm:min-w-48">
        {copy.next}
      </Button>
      {isAsking && amount !== null && (
        <ConfirmTransfer
          payee={payee.trim()}
          amount={amount}
          isActivating={activate}
          balance={terms.balance}
          isBusy={form.isSending}
          onConfirm={form.send}
          onClose={goBack}
        />
      )}
    </Form>
  )
}

const EMPTY: TransferForm = { payee: '', amount: null, activate: false }

function useTransferSheet(terms: TransferTerms) {
  const [isAsking, setAsking] = useState(false)
  const [sent, setSent] = useState<{ amount: number; payee: string } | null>(null)
  /** Set when the server requires a code; a verified phone stays verified for the next try. */
  const [isOtpAsked, setOtpAsked] = useState(false)
  const form = useSendForm(transfer, {
    start: EMPTY,
    check: (typed) => checkTransfer(typed, terms),
    ask: () => setAsking(true),
    onDone: ({ balance }, { reset }, { payee, amount }) => {
      setAsking(false)
      setOtpAsked(false)
      setSent({ amount, payee })
      reset()
      patchUser({ balance })
    },
    onRefused: (code) => {
      setAsking(false)
      // Not a failure to report: the form shows the next step.
      if (code === 'OTP_REQUIRED') setOtpAsked(true)
      return code === 'OTP_REQUIRED'
    },
  })
  return { form, sent, isOtpAsked, isAsking, goBack: () => setAsking(false) }
}

type ActivateProps = { fee: number; isChosen: boolean; onChange: (isChosen: boolean) => void }

function ActivateChoice({ fee, isChosen, onChange }: ActivateProps) {
  return (
    <div className="rounded-xl border border-line bg-raised p-3">
      <label className="flex min-h-11 items-center gap-3 font-bold">
        <input
          type="checkbox"
          className="size-6 shrink-0 accent-fill"
          checked={isChosen}
          aria-describedby="activate-why"
          onChange={({ target }) => onChange(target.checked)}
        />
        {copy.activate}
      </label>
      <p id="activate-why" className="text-sm text-soft">
        {copy.activateWhy(formatNumber(fee))}
      </p>
    </div>
  )
}

function SentNote({ amount, payee }: { amount: number; payee: string }) {
  return (
    <Alert tone="success">
      <p>{copy.sent(formatNumber(amount), payee)}</p>
      <Link to={paths.transactions} className="inline-flex min-h-11 items-center font-bold underline">
        {copy.toStatement}
      </Link>
    </Alert>
  )
}
