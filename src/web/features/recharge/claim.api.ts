import type { listClaims } from '#contract/recharge-claims.ts'
import { ownQuery } from '#web/query-client.ts'

const CLAIMS_PER_PAGE = 10

export const claimsQuery = (page: number) =>
  ownQuery<typeof listClaims>('/recharge/claims', { query: { page, items_per_page: CLAIMS_PER_PAGE } })
