import type { CaseKind, ReportedKind } from '#contract/help/case-forms.ts'
import type { getCase, listCases, prepareCase } from '#contract/help/cases.ts'
import { paths } from '#contract/pages.ts'
import { ownQuery } from '#web/query-client.ts'

const CASES_PER_PAGE = 10

export const casesQuery = (page: number) =>
  ownQuery<typeof listCases>('/cases', { query: { page, items_per_page: CASES_PER_PAGE } })

export const caseQuery = (id: string) => ownQuery<typeof getCase>('/cases/{id}', { params: { id } })

export const preparedQuery = (kind: ReportedKind, id: string | null) =>
  ownQuery<typeof prepareCase>('/cases/about', {
    query: { about_kind: kind, ...(id === null ? {} : { about_id: id }) },
  })

/** Where the thing is shown that a case is about; a topic is shown nowhere. */
export function addressOfThing({ kind, id }: { kind: CaseKind; id: string }): string | undefined {
  const addresses: Partial<Record<CaseKind, string>> = {
    transaction: paths.transactions,
    order: paths.order(id),
    delivery: paths.deliveries(id),
    claim: paths.claim,
  }
  return addresses[kind]
}
