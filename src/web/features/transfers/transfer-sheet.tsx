import { useState, type FormEvent } from 'react'
import { Link } from 'react-router'
import { formatNumber } from '#contract/format-number.ts'
import { transfer } from '#contract/transfers.ts'
import type { User } from '#contract/users.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Coins } from '#ui/coins.tsx'
import { Field } from '#ui/field.tsx'
import { CallError } from '#web/call.ts'
import { ConfirmTransfer } from '#web/features/transfers/confirm-transfer.tsx'
import {
  checkTransfer,
  type TransferForm,
  type TransferTerms,
} from '#web/features/transfers/transfer-check.ts'
import { TransferOtp } from '#web/features/transfers/transfer-otp.tsx'
import { transferCopy as copy } from '#web/features/transfers/transfer.copy.ts'
import { paths } from '#contract/pages.ts'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { patchUser } from '#web/session/session-store.ts'
import { AmountField } from '#web/parts/amounts/amount-field.tsx'
import { useSend } from '#web/parts/sending/use-send.ts'

const EMPTY: TransferForm = { payee: '', amount: null, activate: false }
const UNTOUCHED = { payee: false, amount: false }

type Props = { user: User; terms: TransferTerms; otpLimit: number }

export function TransferSheet({ user, terms, otpLimit }: Props) {
  const sheet = useTransferSheet(terms)
  const { form, change, problems, errors, sent } = sheet
  return (
    <form noValidate className="max-w-xl space-y-5" onSubmit={sheet.submit}>
      {sent && <SentNote amount={sent.amount} payee={sent.payee} />}
      <p className="flex items-center justify-between gap-3 rounded-lg bg-sunken px-4 py-3">
        {copy.balance}
        <Coins>{formatNumber(terms.balance)}</Coins>
      </p>
      <Field
        label={copy.payee}
        value={form.payee}
        error={errors.payee}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        onChange={({ target }) => change({ payee: target.value })}
        onBlur={() => sheet.touch('payee')}
      />
      <AmountField
        label={copy.amount}
        placeholder={copy.amountPlaceholder}
        amount={form.amount}
        error={errors.amount}
        hint={copy.limits(formatNumber(terms.min), formatNumber(terms.dailyLimit))}
        onAmount={(amount) => change({ amount })}
        onBlur={() => sheet.touch('amount')}
      />
      {errors.amount && problems.missing && (
        <Link
          to={paths.recharge}
          className="inline-flex min-h-11 items-center font-bold text-vermilion hover:underline"
        >
          {copy.recharge} →
        </Link>
      )}
      <ActivateChoice
        fee={terms.activeFee}
        isChosen={form.activate}
        onChange={(activate) => change({ activate })}
      />
      {otpLimit > 0 && <p className="text-sm text-soft">{copy.otpLimit(formatNumber(otpLimit))}</p>}
      {sheet.isOtpAsked && <TransferOtp user={user} limit={otpLimit} onProved={sheet.confirm} />}
      <Button type="submit" className="w-full sm:w-auto sm:min-w-48">
        {copy.next}
      </Button>
      {sheet.isAsking && form.amount !== null && (
        <ConfirmTransfer
          payee={sheet.payee}
          amount={form.amount}
          isActivating={form.activate}
          balance={terms.balance}
          isBusy={sheet.isSending}
          onConfirm={sheet.confirm}
          onClose={sheet.goBack}
        />
      )}
    </form>
  )
}

/** What was filled in, what is wrong with it, and how it is sent. */
function useTransferSheet(terms: TransferTerms) {
  const [form, setForm] = useState(EMPTY)
  const [isTouched, setTouched] = useState(UNTOUCHED)
  /** What the server refused, by field, until that field changes. */
  const [refused, setRefused] = useState<{ payee?: string; amount?: string }>({})
  const [isAsking, setAsking] = useState(false)
  const [sent, setSent] = useState<{ amount: number; payee: string } | null>(null)
  /** Asked for when the server wants it; a proved phone stays proved for the next try. */
  const [isOtpAsked, setOtpAsked] = useState(false)
  const problems = checkTransfer(form, terms)
  const payee = form.payee.trim()

  const { send, isSending } = useSend(transfer, {
    onDone: ({ balance }) => {
      setAsking(false)
      setOtpAsked(false)
      setSent({ amount: form.amount ?? 0, payee })
      setForm(EMPTY)
      setTouched(UNTOUCHED)
      patchUser({ balance })
    },
    onFailed: (error) => {
      setAsking(false)
      // Not a failure to report: the next step, which shows in the form.
      if (codeOf(error) === 'OTP_REQUIRED') return setOtpAsked(true)
      setRefused(refusedFields(error))
      reportFailure(error)
    },
  })

  function change(part: Partial<TransferForm>) {
    setForm({ ...form, ...part })
    setRefused({})
    setSent(null)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    setTouched({ payee: true, amount: true })
    if (!problems.payee && !problems.amount) setAsking(true)
  }

  return {
    form,
    payee,
    problems,
    errors: {
      payee: refused.payee ?? (isTouched.payee ? problems.payee : undefined),
      amount: refused.amount ?? (isTouched.amount ? problems.amount : undefined),
    },
    sent,
    isAsking,
    isOtpAsked,
    isSending,
    change,
    // What was sent leaves an empty form, whose focus moves on to the message: nobody has left a field empty.
    touch: (field: 'payee' | 'amount') => sent || setTouched((touched) => ({ ...touched, [field]: true })),
    submit,
    confirm: () => void send({ body: { payee, amount: form.amount ?? 0, activate: form.activate } }),
    goBack: () => setAsking(false),
  }
}

const codeOf = (error: unknown) => (error instanceof CallError ? error.body?.code : undefined)

/** The server's own words beside the fields they are about. */
function refusedFields(error: unknown): { payee?: string; amount?: string } {
  if (!(error instanceof CallError) || !error.body) return {}
  const { code, message, errors } = error.body
  if (code === 'PAYEE_NOT_FOUND') return { payee: message }
  return { payee: errors?.payee?.[0], amount: errors?.amount?.[0] }
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
