import { Link } from 'react-router'
import { claimCopy } from '#web/features/recharge/claim.copy.ts'
import { paths } from '#contract/pages.ts'

/** The way to say that money was sent and not credited, from an order when there is one. */
export function ClaimLink({ orderCode }: { orderCode?: string }) {
  return (
    <Link
      to={orderCode === undefined ? paths.claim : `${paths.claim}?order=${orderCode}`}
      className="inline-flex min-h-11 items-center font-bold text-vermilion hover:underline"
    >
      {claimCopy.link}
    </Link>
  )
}
