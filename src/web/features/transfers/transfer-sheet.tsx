import { useState } from 'react'
import { Link } from '#web/navigation.tsx'
import { formatNumber } from '#contract/format.ts'
import { transfer } from '#contract/transfers.ts'
import type { User } from '#contract/users.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Coins } from '#ui/coins.tsx'
import { ConfirmTransfer } from '#web/features/transfers/confirm-transfer.tsx'
import { PayeeField } from '#web/features/transfers/payee-field.tsx'
import {
  checkTransfer,
  type TransferForm,
  type TransferTerms,
} from '#web/features/transfers/transfer-check.ts'
import { TransferOtp } from '#web/features/transfers/transfer-otp.tsx'
import { usePayee } from '#web/features/transfers/use-payee.ts'
import { transferCopy as copy } from '#web/features/transfers/transfer.copy.ts'
import { paths } from '#contract/pages.ts'
import { TextLink } from '#web/parts/navigation/text-links.tsx'
import { patchUser } from '#web/session/session-store.ts'
import { amountsCopy } from '#web/parts/amounts/amounts.copy.ts'
import { MissingCoins, useRechargeOf } from '#web/parts/amounts/missing-coins.tsx'
import { AmountField } from '#web/parts/amounts/amount-field.tsx'
import { Form } from '#client/forms/form.tsx'
import { useSendForm } from '#web/parts/forms/use-send-form.ts'

type Props = { user: User; terms: TransferTerms; otpLimit: number }

export function TransferSheet({ user, terms, otpLimit }: Props) {
  const { form, found, sent, isOtpAsked, isAsking, goBack } = useTransferSheet(terms)
  const { amount } = form.values
  const { payee } = found
  const missing = (form.error('amount') && checkTransfer(form.values, terms).missing) || 0
  const recharge = useRechargeOf(missing)
  const { onChange, ...payeeField } = form.field('payee')
  return (
    <Form form={form} className="max-w-xl space-y-5">
      {sent && !form.isDirty && <SentNote {...sent} />}
      <p className="flex items-center justify-between gap-3 rounded-lg bg-sunken px-4 py-3">
        {copy.balance}
        <Coins>{formatNumber(terms.balance)}</Coins>
      </p>
      <PayeeField
        {...payeeField}
        found={found}
        onChange={(event) => {
          form.set('activate', false)
          onChange(event)
        }}
        onChoose={(chosen) => {
          form.set('activate', false)
          form.set('payee', chosen.username)
          found.choose(chosen)
        }}
      />
      <AmountField
        {...form.amount('amount')}
        label={copy.amount}
        placeholder={copy.amountPlaceholder}
        error={missing > 0 ? <MissingCoins missing={missing} /> : form.error('amount')}
        hint={copy.limits(formatNumber(terms.min), formatNumber(terms.dailyLimit))}
      />
      {missing > 0 && (
        <TextLink to={recharge} className="mt-0!">
          {amountsCopy.recharge} →
        </TextLink>
      )}
      {payee && !payee.activated && (
        <ActivateChoice
          fee={terms.activeFee}
          isChosen={form.values.activate}
          onChange={(chosen) => form.set('activate', chosen)}
        />
      )}
      {otpLimit > 0 && <p className="text-sm text-soft">{copy.otpLimit(formatNumber(otpLimit))}</p>}
      {isOtpAsked && <TransferOtp user={user} limit={otpLimit} onProved={form.send} />}
      <div className="action-bar">
        <Button type="submit" className="w-full sm:w-auto sm:min-w-48">
          {copy.next}
        </Button>
      </div>
      {isAsking && payee && amount !== null && (
        <ConfirmTransfer
          payee={payee}
          amount={amount}
          isActivating={form.values.activate}
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
  /** The payee's name that was being confirmed when it was last asked: another one is not. */
  const [asked, setAsked] = useState<string | null>(null)
  const [sent, setSent] = useState<{ amount: number; payee: string } | null>(null)
  /** Set when the server requires a code; a verified phone stays verified for the next try. */
  const [isOtpAsked, setOtpAsked] = useState(false)
  const form = useSendForm(transfer, {
    start: EMPTY,
    check: (typed) => checkTransfer(typed, terms),
    ask: () => void askOnceFound(),
    onDone: ({ balance }, { reset }, { payee, amount }) => {
      setAsked(null)
      setOtpAsked(false)
      setSent({ amount, payee: found.payee?.username ?? payee })
      found.forget()
      reset()
      patchUser({ balance })
    },
    onRefused: (code) => {
      setAsked(null)
      // Not a failure to report: the form shows the next step.
      if (code === 'OTP_REQUIRED') setOtpAsked(true)
      return code === 'OTP_REQUIRED'
    },
  })
  const found = usePayee(form.values.payee, terms.username)
  // Nobody is asked to check a payee who does not exist: the field says so, and gets the focus.
  async function askOnceFound() {
    if (await found.isFound()) setAsked(form.values.payee)
    else form.frame.current?.querySelector<HTMLElement>('[name="payee"]')?.focus()
  }
  return {
    form,
    found,
    sent,
    isOtpAsked,
    isAsking: asked === form.values.payee,
    goBack: () => setAsked(null),
  }
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
