import { useId } from 'react'
import { Link } from 'react-router'
import type { AmountOption, Character } from '#contract/exchange.ts'
import { formatNumber } from '#contract/format-number.ts'
import { Button } from '#ui/button.tsx'
import { Coins } from '#ui/coins.tsx'
import { Facts } from '#ui/facts.tsx'
import { exchangeCopy as copy } from '#web/features/exchange/exchange.copy.ts'
import type { ExchangeVerdict } from '#web/features/exchange/exchange-verdict.ts'
import { paths } from '#web/paths.ts'
import { openModal } from '#web/shell/modal-store.ts'

type Props = {
  character: Character | undefined
  option: AmountOption | undefined
  verdict: ExchangeVerdict
  onConfirm: () => void
}

const NOTHING = '—'

/** What was chosen, and the button; while it cannot be pressed, the reason stands beside it. */
export function ExchangeSummary({ character, option, verdict, onConfirm }: Props) {
  const reasonId = useId()
  const reason = verdict.canConfirm ? null : verdict.reason
  return (
    <section aria-label={copy.title} className="rounded-xl border border-line bg-raised p-4 shadow-card">
      <Facts
        facts={[
          { label: copy.toCharacter, value: character?.name ?? NOTHING },
          { label: copy.pay, value: option ? <Coins>{formatNumber(option.amount)}</Coins> : NOTHING },
          { label: copy.get, value: option ? copy.luong(formatNumber(option.receive)) : NOTHING },
        ]}
      />
      <Button
        className="mt-4 w-full"
        disabled={!verdict.canConfirm}
        aria-describedby={reason ? reasonId : undefined}
        onClick={onConfirm}
      >
        {copy.confirm}
      </Button>
      <div id={reasonId} aria-live="polite" className={reason ? 'mt-3 text-[0.9375rem]' : ''}>
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
