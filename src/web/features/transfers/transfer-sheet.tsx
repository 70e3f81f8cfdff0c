import { useState, useEffect, useRef } from 'react'
import { Link } from '#web/navigation.tsx'
import { formatNumber } from '#contract/format.ts'
import { transfer, type Payee } from '#contract/transfers.ts'
import type { User } from '#contract/users.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Coins } from '#ui/coins.tsx'
import { PayeeField, usePayee, PayeeCard } from '#web/features/transfers/payee.tsx'
import {
  checkTransfer,
  type TransferForm,
  type TransferTerms,
} from '#web/features/transfers/transfer-check.ts'
import { transferCopy as copy } from '#web/features/transfers/transfer.copy.ts'
import { paths } from '#contract/pages.ts'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { patchUser } from '#web/session/session-store.ts'
import { MissingCoins, useRechargeOf, missingCopy } from '#web/parts/amounts/missing-coins.tsx'
import { AmountField } from '#web/parts/amounts/amount-field.tsx'
import { Form } from '#client/forms/form.tsx'
import { useSendForm } from '#web/parts/forms/use-send.ts'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Facts } from '#ui/facts.tsx'
import { ProvePhone } from '#web/parts/one-time-codes/prove-phone.tsx'

type SheetProps = { user: User; terms: TransferTerms; otpLimit: number }

export function TransferSheet({ user, terms, otpLimit }: SheetProps) {
  const { form, found, sent, isOtpRequired, isConfirming, goBack } = useTransferSheet(terms)
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
          {missingCopy.recharge}&nbsp;→
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
      {isOtpRequired && <TransferOtp user={user} limit={otpLimit} onProved={form.send} />}
      <div className="action-bar">
        <Button type="submit" className="w-full sm:w-auto sm:min-w-48">
          {copy.next}
        </Button>
      </div>
      {isConfirming && payee && amount !== null && (
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
  /** The payee's name that the open confirmation is for. */
  const [confirming, setConfirming] = useState<string | null>(null)
  const [sent, setSent] = useState<{ amount: number; payee: string } | null>(null)
  /** Set when the server requires a code; a verified phone stays verified for the next try. */
  const [isOtpRequired, setOtpRequired] = useState(false)
  const form = useSendForm(transfer, {
    start: EMPTY,
    check: (typed) => checkTransfer(typed, terms),
    confirm: () => void confirmOnceFound(),
    onDone: ({ balance, balance_version }, { reset }, { payee, amount }) => {
      setConfirming(null)
      setOtpRequired(false)
      setSent({ amount, payee: found.payee?.username ?? payee })
      found.forget()
      reset()
      patchUser({ balance, balance_version })
    },
    onRefused: (code) => {
      setConfirming(null)
      // Not a failure to report: the form shows the next step.
      if (code === 'OTP_REQUIRED') setOtpRequired(true)
      return code === 'OTP_REQUIRED'
    },
  })
  const found = usePayee(form.values.payee, terms.username)
  // If the payee does not exist, the field shows it and gets the focus.
  async function confirmOnceFound() {
    if (await found.isFound()) setConfirming(form.values.payee)
    else form.frame.current?.querySelector<HTMLElement>('[name="payee"]')?.focus()
  }
  return {
    form,
    found,
    sent,
    isOtpRequired,
    isConfirming: confirming === form.values.payee,
    goBack: () => setConfirming(null),
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

type ConfirmProps = {
  payee: Payee
  amount: number
  isActivating: boolean
  balance: number
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}

function ConfirmTransfer({ payee, amount, isActivating, balance, isBusy, onConfirm, onClose }: ConfirmProps) {
  return (
    <ConfirmDialog
      title={copy.confirmTitle}
      confirmLabel={copy.confirm}
      isBusy={isBusy}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <PayeeCard payee={payee} />
      <Facts
        facts={[
          { label: copy.amount, value: <Coins>{formatNumber(amount)}</Coins> },
          ...(isActivating ? [{ label: copy.activate, value: copy.yes }] : []),
          { label: copy.balanceAfter, value: <Coins>{formatNumber(balance - amount)}</Coins> },
        ]}
      />
      <p className="text-[0.9375rem] text-soft">{copy.confirmWarning}</p>
    </ConfirmDialog>
  )
}

type OtpProps = { user: User; limit: number; onProved: () => void }

/** A large transfer requires a code of the player's phone, and a verified phone first. */
function TransferOtp({ user, limit, onProved }: OtpProps) {
  const section = useRef<HTMLElement>(null)
  // It appears below the pressed button, outside a phone's screen: focus scrolls to it.
  useEffect(() => section.current?.focus(), [])
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby="transfer-otp"
      className="space-y-4 rounded-xl border border-line bg-raised p-4"
    >
      <h2 id="transfer-otp" className="text-lg">
        {copy.otpTitle}
      </h2>
      {user.phone_verified && user.phone ? (
        <>
          <p className="text-[0.9375rem] text-soft">{copy.otpLead(formatNumber(limit), user.phone)}</p>
          <ProvePhone mask={user.phone} onProof={(proof) => proof && onProved()} />
        </>
      ) : (
        <Alert>
          <p>{copy.otpNoPhone}</p>
          <Link to={paths.profile} className="inline-flex min-h-11 items-center font-bold underline">
            {copy.toProfile}
          </Link>
        </Alert>
      )}
    </section>
  )
}
