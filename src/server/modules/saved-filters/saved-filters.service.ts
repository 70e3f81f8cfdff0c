import * as z from 'zod/mini'
import type { BodyOf, Endpoint } from '#contract/endpoint.ts'
import { operatorAudit } from '#contract/operator/audit.ts'
import { operatorBankTransfers, operatorPaymentEvents } from '#contract/operator/bank-transfers.ts'
import { operatorClientErrors } from '#contract/operator/client-errors.ts'
import { operatorDailyCloses } from '#contract/operator/daily-closes.ts'
import { operatorDeletions } from '#contract/operator/deletion-requests.ts'
import { operatorDeliveries } from '#contract/operator/deliveries.ts'
import { operatorFailedWork } from '#contract/operator/failed-work.ts'
import { operatorMissingDeliveries } from '#contract/operator/game/comparison.ts'
import { operatorGatewayRefunds } from '#contract/operator/gateway-refunds.ts'
import { operatorGameNames } from '#contract/operator/game/names.ts'
import { operatorGroups } from '#contract/operator/groups.ts'
import { operatorAnswerTemplates, operatorCases } from '#contract/operator/help/cases.ts'
import { operatorLedgerTransfers } from '#contract/operator/ledger-transfers.ts'
import { operatorCategories, operatorPictures, operatorPosts } from '#contract/operator/posts.ts'
import { operatorPlannedPrices } from '#contract/operator/setting-calls.ts'
import { operatorBudgets, operatorMilestones, operatorPromotions } from '#contract/operator/promotions.ts'
import { operatorGiftCodes, operatorGiftCodeUses } from '#contract/operator/rewards/gift-codes.ts'
import { operatorProposals } from '#contract/operator/proposals.ts'
import { operatorRechargeOrders } from '#contract/operator/recharge.ts'
import { SAVED_FILTERS_MAX, type SavedFilter, type savedFilters } from '#contract/operator/session.ts'
import { operatorInvitations } from '#contract/operator/rewards/invitations.ts'
import { operatorServers } from '#contract/operator/servers.ts'
import { operatorStaff } from '#contract/operator/staff.ts'
import { operatorTournaments } from '#contract/operator/tournaments.ts'
import { operatorUsers } from '#contract/operator/users.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { conflict, invalidField, notFound } from '#server/platform/values/errors.ts'
import {
  countLocked,
  deleteSaved,
  eraseFiltersOf,
  exportSavedFilters,
  insertSaved,
  selectSaved,
  updateName,
} from './saved-filters.queries.ts'

const nameTaken = () => invalidField('name', 'Danh sách này đã có một bộ lọc với tên này')

const tooManySaved = () =>
  conflict(`Mỗi danh sách lưu được tối đa ${SAVED_FILTERS_MAX} bộ lọc, hãy xóa bớt trước khi lưu thêm`)

const queryInvalid = () => invalidField('query', 'Danh sách không nhận bộ lọc hoặc cách sắp xếp này')

/** With those that the list does not take any more, marked as such: their owner removes them. */
export async function listSaved(db: Db, userId: string, list: string): Promise<SavedFilter[]> {
  if (!isList(list)) throw notFound()
  const saved = await selectSaved(db, userId, list)
  return saved.map((one) => ({ ...one, is_valid: isValid(list, one.query) }))
}

/** A preference of the operator, which nobody else sees and which changes nothing: it is not in the audit trail. */
export async function saveFilter(
  db: Db,
  userId: string,
  { list, name, query }: BodyOf<typeof savedFilters.save>,
): Promise<SavedFilter> {
  if (!isList(list)) throw notFound()
  if (!isValid(list, query)) throw queryInvalid()
  return inTransaction(db, async (tx) => {
    if ((await countLocked(tx, userId, list)) >= SAVED_FILTERS_MAX) throw tooManySaved()
    const saved = await insertSaved(tx, { userId, list, name, query })
    if (saved === undefined) throw nameTaken()
    return { ...saved, is_valid: true }
  })
}

export async function renameSaved(
  db: Db,
  renamed: { userId: string; id: string; name: string },
): Promise<undefined> {
  const isDone = await updateName(db, renamed)
  if (isDone === null) throw nameTaken()
  if (!isDone) throw notFound()
}

export async function removeSaved(db: Db, own: { userId: string; id: string }): Promise<undefined> {
  if (!(await deleteSaved(db, own))) throw notFound()
}

const LISTS: readonly Endpoint[] = [
  operatorAudit,
  operatorBankTransfers,
  operatorBudgets,
  operatorCategories,
  operatorCases,
  operatorAnswerTemplates,
  operatorClientErrors,
  operatorDailyCloses,
  operatorDeletions,
  operatorDeliveries,
  operatorFailedWork,
  operatorGatewayRefunds,
  operatorGameNames,
  operatorGiftCodes,
  operatorGiftCodeUses,
  operatorGroups,
  operatorInvitations,
  operatorLedgerTransfers,
  operatorMissingDeliveries,
  operatorPaymentEvents,
  operatorPictures,
  operatorMilestones,
  operatorPlannedPrices,
  operatorPosts,
  operatorPromotions,
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
function isValid(list: string, query: SavedFilter['query']): boolean {
  const schema = schemas.get(list)
  return schema !== undefined && z.safeParse(schema, query).success
}

export const personalFilters: PersonalPart = {
  lists: { saved_filters: exportSavedFilters },
  erase: eraseFiltersOf,
}
