import type { ReportedKind } from '#contract/help/case-forms.ts'
import { paths } from '#contract/pages.ts'
import { TextLink } from './links.tsx'

/** In place of a case's number in the address: the form. */
export const NEW_CASE = 'new'

export const REPORT = 'Báo vấn đề'

/** The form that reports a problem with a thing of the player, or about a topic. */
export const reportAddress = (kind: ReportedKind, id?: string): string =>
  `${paths.help(NEW_CASE)}?${new URLSearchParams({ kind, ...(id !== undefined && { id }) })}`

export const ReportLink = ({ kind, id }: { kind: ReportedKind; id: string }) => (
  <TextLink to={reportAddress(kind, id)}>{REPORT}</TextLink>
)
