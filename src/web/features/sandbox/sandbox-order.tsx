import { Link, useNavigate } from '#web/navigation.tsx'
import { formatNumber } from '#contract/format.ts'
import { paySandbox, type RechargeOrder } from '#contract/recharge.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { sandboxCopy as copy } from '#web/features/sandbox/sandbox.copy.ts'
import { paths } from '#contract/pages.ts'
import { refreshUser } from '#web/session/session-store.ts'
import { AmountField } from '#web/parts/amounts/amount-field.tsx'
import { Form } from '#client/forms/form.tsx'
import { useSendForm } from '#web/parts/forms/use-send-form.ts'

/** One pending order, and the form that pays it. */
export function SandboxOrder({ order }: { order: RechargeOrder }) {
  const navigate = useNavigate()
  const form = useSendForm(paySandbox, {
    start: { amount: order.amount as number | null },
    check: ({ amount }) => ({ amount: amount ? undefined : copy.amountMissing }),
    toBody: ({ amount }) => ({ code: order.code, amount }),
    onDone: () => {
      void refreshUser()
      void navigate(paths.order(order.code))
    },
  })

  return (
    <li className="rounded-xl border border-line bg-raised p-4 shadow-card">
      <h3 className="text-base tabular-nums">{copy.order(order.code)}</h3>
      <p className="mb-3 text-sm text-soft">{copy.asked(formatNumber(order.amount), order.bank_name)}</p>
      <Form form={form}>
        <AmountField {...form.amount('amount')} label={copy.amount} hint={copy.amountHint} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" isBusy={form.isSending} className="max-sm:flex-1">
            {copy.pay}
          </Button>
          <Link to={paths.order(order.code)} className={buttonClass('plain', 'max-sm:flex-1')}>
            {copy.watch}
          </Link>
        </div>
      </Form>
    </li>
  )
}
