import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { operatorAudit } from '#contract/operator/audit.ts'
import { operatorBankTransfers, operatorPaymentEvents } from '#contract/operator/bank-transfers.ts'
import { operatorDailyCloses } from '#contract/operator/daily-closes.ts'
import { operatorDeletions } from '#contract/operator/deletion-requests.ts'
import { operatorDeliveries } from '#contract/operator/deliveries.ts'
import { operatorGatewayRefunds } from '#contract/operator/gateway-refunds.ts'
import { operatorGroups } from '#contract/operator/groups.ts'
import { operatorLedgerTransfers } from '#contract/operator/ledger-transfers.ts'
import { operatorCategories, operatorPictures, operatorPosts } from '#contract/operator/posts.ts'
import { operatorPlannedPrices } from '#contract/operator/setting-calls.ts'
import { operatorProposals } from '#contract/operator/proposals.ts'
import { operatorClaims, operatorRechargeOrders } from '#contract/operator/recharge.ts'
import type { SavedFilter } from '#contract/operator/session.ts'
import { operatorServers } from '#contract/operator/servers.ts'
import { operatorStaff } from '#contract/operator/staff.ts'
import { operatorTournaments } from '#contract/operator/tournaments.ts'
import { operatorUsers } from '#contract/operator/users.ts'

const LISTS: readonly Endpoint[] = [
  operatorAudit,
  operatorBankTransfers,
  operatorCategories,
  operatorClaims,
  operatorDailyCloses,
  operatorDeletions,
  operatorDeliveries,
  operatorGatewayRefunds,
  operatorGroups,
  operatorLedgerTransfers,
  operatorPaymentEvents,
  operatorPictures,
  operatorPlannedPrices,
  operatorPosts,
  operatorProposals,
  operatorRechargeOrders,
  operatorServers,
  operatorStaff,
  operatorTournaments,
  operatorUsers,
].map(({ list }) => list as unknown as Endpoint)

const schemas = new Map(LISTS.map(({ path, query }) => [path.replace('/operator/', ''), query]))

export const isList = (list: string): boolean => schemas.has(list)

/** Whether the list's own schema takes the query today. */
export function isTaken(list: string, query: SavedFilter['query']): boolean {
  const schema = schemas.get(list)
  return schema !== undefined && z.safeParse(schema, query).success
}
