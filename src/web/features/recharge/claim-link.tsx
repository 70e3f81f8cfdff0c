import { TextLink } from '#web/parts/navigation/text-links.tsx'
import { claimCopy } from '#web/features/recharge/claim.copy.ts'
import { paths } from '#contract/pages.ts'

/** The link to the claim for money that was sent and not credited, for an order when there is one. */
export function ClaimLink({ orderCode }: { orderCode?: string }) {
  return (
    <TextLink to={orderCode === undefined ? paths.claim : `${paths.claim}?order=${orderCode}`}>
      {claimCopy.link}
    </TextLink>
  )
}
