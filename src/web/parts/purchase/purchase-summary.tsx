import { useId } from 'react'
import { Link } from '#web/navigation.tsx'
import { Button } from '#ui/button.tsx'
import { Facts, type Fact } from '#ui/facts.tsx'
import { paths } from '#contract/pages.ts'
import { openModal } from '#web/parts/modals/modal-store.ts'
import { purchaseCopy as copy } from '#web/parts/purchase/purchase.copy.ts'
import type { PurchaseVerdict } from '#web/parts/purchase/purchase-verdict.ts'

type Props = {
  label: string
  confirmLabel: string
  facts: readonly Fact[]
  verdict: PurchaseVerdict<{ amount: number }>
  onConfirm: () => void
}

/** What was chosen, and the button; while it is disabled, the reason is shown below it. */
export function PurchaseSummary({ label, confirmLabel, facts, verdict, onConfirm }: Props) {
  const reasonId = useId()
  const reason = verdict.canConfirm ? null : verdict.reason
  return (
    <section aria-label={label} className="rounded-xl border border-line bg-raised p-4 shadow-card">
      <Facts facts={facts} />
      <Button
        className="mt-4 w-full"
        disabled={!verdict.canConfirm}
        aria-describedby={reason ? reasonId : undefined}
        onClick={onConfirm}
      >
        {confirmLabel}
      </Button>
      <div id={reasonId} aria-live="polite" className={reason ? 'mt-3 text-[0.9375rem] text-pretty' : ''}>
        {reason}
      </div>
      {!verdict.canConfirm && <Offer offer={verdict.offer} />}
    </section>
  )
}

const linkClass = 'inline-flex min-h-11 items-center font-bold text-vermilion hover:underline'

function Offer({ offer }: { offer: 'login' | 'activate' | 'recharge' | undefined }) {
  if (offer === 'recharge') {
    return (
      <Link to={paths.recharge} className={linkClass}>
        {copy.recharge} →
      </Link>
    )
  }
  if (offer === undefined) return null
  return (
    <button
      type="button"
      className={linkClass}
      onClick={() => openModal(offer === 'activate' ? 'active' : 'login')}
    >
      {offer === 'activate' ? copy.activate : copy.login} →
    </button>
  )
}
