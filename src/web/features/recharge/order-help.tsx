import { paths } from '#contract/pages.ts'
import { Section } from '#ui/section.tsx'
import { CancelOrder } from '#web/features/recharge/cancel-order.tsx'
import { ClaimLink } from '#web/features/recharge/claim-link.tsx'
import { orderCopy as copy } from '#web/features/recharge/order.copy.ts'
import { TextLink } from '#web/parts/navigation/text-links.tsx'

/** The ways out of an order that is waiting: a claim, people to ask, and its end. */
export function OrderHelp({ code }: { code: string }) {
  return (
    <Section title={copy.help} titleClass="text-lg">
      <ul>
        <li>
          <ClaimLink orderCode={code} />
        </li>
        <li>
          <TextLink to={paths.community}>{copy.askPeople}</TextLink>
        </li>
        <li>
          <CancelOrder code={code} className="" />
        </li>
      </ul>
    </Section>
  )
}
