import type { Client } from 'pg'
import type {
  OperatorDeletion,
  OperatorDeletionDetail,
  operatorDeletions,
} from '#contract/operator/deletion-requests.ts'
import { mailPlayer } from '#server/modules/accounts/index.ts'
import { actAsOperator, type Recorded } from '#server/modules/audit/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { orNotFound, invariant } from '#server/platform/values/errors.ts'
import type { DeletionDeps } from './asking.service.ts'
import {
  countStoredDeletions,
  findDeletion,
  listStoredDeletions,
  lockDeletion,
  setApproved,
  setRefused,
  updateApprovedToWaiting,
  type DeletionFilter,
} from './deletions.queries.ts'
import { alreadyDecided, listMatters, notYetErasable, type OpenMatters } from './deletions.errors.ts'
import { deletionBeginsMail, deletionRefusedMail } from './deletions.mails.ts'
import { getPerson, openMattersOf } from './erasing.service.ts'

/**
 * In a database restored from a backup: a request that was agreed to may have been withdrawn since, and an erasure cannot
 * be undone. An operator decides again. Part of the restore's own transaction, as the owner.
 */
export const reopenApprovedDeletions = (client: Client): Promise<void> => updateApprovedToWaiting(client)

export async function listDeletions(
  db: Db,
  filter: DeletionFilter,
  page: ListPage,
): Promise<ListRows<OperatorDeletion>> {
  return {
    total: await countStoredDeletions(db, filter),
    rows: await listStoredDeletions(db, filter, page),
  }
}

export async function getDeletion(db: Db, id: string): Promise<OperatorDeletionDetail> {
  return inTransaction(db, async (tx) => {
    const request = orNotFound(await findDeletion(tx, id))
    // What is open is read only where something can still be done.
    const isOpen = request.state === 'waiting' || request.state === 'approved'
    return { ...request, open_matters: isOpen ? listMatters(await mattersOf(tx, request)) : [] }
  })
}

async function mattersOf(tx: Tx, { user, given_up }: OperatorDeletion): Promise<OpenMatters> {
  return openMattersOf(tx, await getPerson(tx, user.username), { coinsMax: given_up })
}

async function lockWaiting(tx: Tx, id: string): Promise<OperatorDeletion> {
  const request = orNotFound(await lockDeletion(tx, id))
  if (request.state !== 'waiting') throw alreadyDecided()
  return request
}

async function decided(tx: Tx, before: OperatorDeletion, more: Partial<Recorded> = {}) {
  const answer = await findDeletion(tx, before.id)
  invariant(answer, 'a request that was decided is there')
  const { id, due_at, given_up, user } = before
  const details = { request_id: id, before: before.state, after: answer.state, due_at, given_up }
  return { answer, audit: { subject: { type: 'user', id: user.id }, details, ...more } }
}

/**
 * Agrees to a request; a worker erases the account as soon as the last mail has left the outbox. What is open is checked
 * now, for the operator, and again by the worker, under the wallet's lock.
 */
export const approveDeletion = (deps: DeletionDeps, call: UserCall<typeof operatorDeletions.carryOut>) =>
  actAsOperator(deps, call, {
    action: 'deletion-requests.carry-out',
    work: async (tx) => {
      const { id } = call.params
      const request = await lockWaiting(tx, id)
      const matters = await mattersOf(tx, request)
      if (Object.keys(matters).length > 0) throw notYetErasable(matters)
      const lastMailId = await mailPlayer(deps.vault, tx, request.user.id, deletionBeginsMail)
      await setApproved(tx, { id, operatorId: call.identity.userId, lastMailId })
      return decided(tx, request)
    },
  })

export const refuseDeletion = (deps: DeletionDeps, call: UserCall<typeof operatorDeletions.refuse>) =>
  actAsOperator(deps, call, {
    action: 'deletion-requests.refuse',
    work: async (tx) => {
      const { id } = call.params
      const { message } = call.body
      const request = await lockWaiting(tx, id)
      await setRefused(tx, { id, operatorId: call.identity.userId, message })
      const { publicUrl } = deps
      await mailPlayer(deps.vault, tx, request.user.id, deletionRefusedMail({ message, publicUrl }))
      return decided(tx, request, { personal: { message } })
    },
  })
