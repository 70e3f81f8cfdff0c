import type { AnswerOf, BodyOf } from '#contract/endpoint.ts'
import type { askForDeletion, DeletionRequest, getDeletionRequest } from '#contract/accounts/personal-data.ts'
import { findUsername, mailPlayer } from '#server/modules/accounts/index.ts'
import { appendOwnAct } from '#server/modules/audit/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import { lockTrader } from '#server/modules/traders/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Identity } from '#server/platform/http/api.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import { alreadyAsked, notYetAskable, nothingToWithdraw } from './deletions.errors.ts'
import { deletionAskedMail } from './deletions.mails.ts'
import {
  findLatestRequest,
  findOpenRequest,
  insertRequest,
  withdrawOpenRequest,
} from './deletions.queries.ts'
import { getPerson, openMattersOf } from './erasing.service.ts'
import { acceptOwner, checkOwner, type OwnerRequest } from './owner-proof.service.ts'

/** Each of them sends a mail and is a line in the list of the operators. */
const REQUESTS = sharedLimit('deletion-requests', 10, 86_400)

export type DeletionDeps = PlatformDeps & { publicUrl: string }

export async function describeDeletion(
  { db }: Pick<PlatformDeps, 'db'>,
  { userId }: Identity,
): Promise<AnswerOf<typeof getDeletionRequest>> {
  const { deletionDays } = await readSettings(db)
  return { days: deletionDays, request: await findLatestRequest(db, userId) }
}

/** Leaves the request of a player who has proved who they are, and of whom nothing is open. */
export async function requestErasure(
  deps: DeletionDeps,
  ownerRequest: OwnerRequest<BodyOf<typeof askForDeletion>>,
): Promise<DeletionRequest> {
  const { userId } = ownerRequest.identity
  const givenUp = ownerRequest.body.given_up
  const proof = await checkOwner(deps, ownerRequest)
  await deps.limits.consume(REQUESTS, userId)
  const { deletionDays } = await readSettings(deps.db)
  const request = await inTransaction(deps.db, async (tx) => {
    await acceptOwner(tx, userId, proof)
    // The wallet's lock makes a player's requests take turns, and fixes the balance.
    await lockTrader(tx, userId)
    if ((await findOpenRequest(tx, userId)) !== undefined) throw alreadyAsked()
    const person = await getPerson(tx, await findUsername(tx, userId))
    const matters = await openMattersOf(tx, person, { coinsMax: givenUp })
    if (Object.keys(matters).length > 0) throw notYetAskable(matters)
    const made = await insertRequest(tx, { userId, days: deletionDays, givenUp })
    const { publicUrl } = deps
    await mailPlayer(deps.vault, tx, userId, deletionAskedMail({ dueAt: made.due_at, publicUrl }))
    await appendOwnAct(tx, userId, {
      action: 'deletion-requests.ask',
      details: { request_id: made.id, due_at: made.due_at, given_up: givenUp },
      requestId: ownerRequest.requestId,
    })
    return made
  })
  const { log, address } = ownerRequest.caller
  log.info({ event: 'deletion.asked', userId, deletionId: request.id, address }, 'a player asks to be erased')
  return request
}

/** As long as nobody is carrying it out. */
export async function withdrawRequest(
  deps: Pick<PlatformDeps, 'db' | 'log'>,
  { identity: { userId }, requestId }: { identity: Identity; requestId: string },
): Promise<DeletionRequest> {
  const request = await inTransaction(deps.db, async (tx) => {
    const withdrawn = await withdrawOpenRequest(tx, userId)
    if (withdrawn === null) throw nothingToWithdraw()
    await appendOwnAct(tx, userId, {
      action: 'deletion-requests.withdraw',
      details: { request_id: withdrawn.id },
      requestId,
    })
    return withdrawn
  })
  deps.log.info(
    { event: 'deletion.withdrawn', userId, deletionId: request.id },
    'a player withdrew their request to be erased',
  )
  return request
}
