import { paths } from '#contract/pages.ts'
import { Section } from '#ui/section.tsx'
import { orderCopy as copy } from '#web/features/recharge/order.copy.ts'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { ReportLink } from '#web/parts/navigation/report-link.tsx'
import { CancelOrder, ClaimLink } from '#web/features/recharge/order-actions.tsx'

/** For an order that is waiting: a claim, the community, and its cancellation. */
export function OrderHelp({ code }: { code: string }) {
  return (
    <Section title={copy.help} titleClass="text-lg">
      <ul>
        <li>
          <ClaimLink orderCode={code} />
        </li>
        <li>
          <ReportLink kind="order" id={code} />
        </li>
        <li>
          <TextLink to={paths.community}>{copy.contactStaff}</TextLink>
        </li>
        <li>
          <CancelOrder code={code} className="" />
        </li>
      </ul>
    </Section>
  )
}
