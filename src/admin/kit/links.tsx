import { Link } from 'react-router'
import { useMay } from '#admin/session/console-session.ts'
import type { CampaignKind } from '#contract/operator/campaign-reports.ts'
import type { AlarmName } from '#contract/operator/alarms.ts'
import { kitCopy } from './kit.copy.ts'

/** The name of a player or an operator, with a link to their screen. */
export const PersonLink = ({ person }: { person: { id: string; username: string } | null }) =>
  person === null ? kitCopy.time.none : <Link to={`/users/${person.id}`}>{person.username}</Link>

type RunbookLinkProps = { file: string; alarm: AlarmName; label: string; children: string }

/** What operators do about an alarm, by its file in docs/runbooks; `label` names it for screen readers. */
export const RunbookLink = ({ file, alarm, label, children }: RunbookLinkProps) => (
  <Link to={`/runbooks/${file.replace(/\.md$/, '')}#${alarm}`} aria-label={label}>
    {children}
  </Link>
)

export const OrderLink = ({ code }: { code: string | null }) =>
  code === null ? kitCopy.time.none : <Link to={`/recharge-orders/${code}`}>{code}</Link>

/** What a campaign cost and brought, for those who may see figures. */
export function ReportLink({ kind, id, title }: { kind: CampaignKind; id: string; title: string }) {
  if (!useMay()('statistics.read')) return null
  return (
    <Link to={`/campaign-reports/${kind}/${id}`} aria-label={kitCopy.campaign.reportOf(title)}>
      {kitCopy.campaign.report}
    </Link>
  )
}
