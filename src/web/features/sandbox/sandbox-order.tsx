import { useState, type FormEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { formatNumber } from '#contract/format-number.ts'
import { paySandbox, type RechargeOrder } from '#contract/recharge.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { sandboxCopy as copy } from '#web/features/sandbox/sandbox.copy.ts'
import { paths } from '#contract/pages.ts'
import { refreshUser } from '#web/session/session-store.ts'
import { AmountField } from '#web/parts/amounts/amount-field.tsx'
import { useSend } from '#web/parts/sending/use-send.ts'

/** One order that waits for its money, and the button that sends it. */
export function SandboxOrder({ order }: { order: RechargeOrder }) {
  const navigate = useNavigate()
  const [amount, setAmount] = useState<number | null>(order.amount)
  const [isTouched, setTouched] = useState(false)
  const problem = amount === null || amount === 0 ? copy.amountMissing : undefined
  const { send, isSending } = useSend(paySandbox, {
    onDone: () => {
      void refreshUser()
      void navigate(paths.order(order.code))
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setTouched(true)
    if (!problem) void send({ body: { code: order.code, amount } })
  }

  return (
    <li className="rounded-xl border border-line bg-raised p-4 shadow-card">
      <h3 className="text-base tabular-nums">{copy.order(order.code)}</h3>
      <p className="mb-3 text-sm text-soft">{copy.asked(formatNumber(order.amount), order.bank_name)}</p>
      <form noValidate className="space-y-4" onSubmit={submit}>
        <AmountField
          label={copy.amount}
          hint={copy.amountHint}
          amount={amount}
          error={isTouched ? problem : undefined}
          onAmount={setAmount}
          onBlur={() => setTouched(true)}
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" isBusy={isSending} className="max-sm:flex-1">
            {copy.pay}
          </Button>
          <Link to={paths.order(order.code)} className={buttonClass('plain', 'max-sm:flex-1')}>
            {copy.watch}
          </Link>
        </div>
      </form>
    </li>
  )
}
