import { findUsername, mailPlayer } from '#server/modules/accounts/index.ts'
import { appendAudit } from '#server/modules/audit/index.ts'
import { isMailWaiting } from '#server/modules/mail/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import {
  countAttempt,
  type DueDeletion,
  listDueDeletions,
  lockDueDeletion,
  sendBack,
  waitForMail,
} from './deletions.queries.ts'
import { deletionHinderedMail } from './deletions.mails.ts'
import { erasePersonIn } from './erasing.service.ts'
import { StillOpen } from './deletions.errors.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'

type CarryingOutDeps = Pick<PlatformDeps, 'db' | 'vault' | 'log'> & {
  publicUrl: string
  /** A place where tests stop or kill a worker; nothing else hands one in. */
  deletionPausePoint?: (point: 'locked' | 'erased') => Promise<void>
}

const CARRIED_OUT_AT_ONCE = 20

/** Carries out the approved requests that are due; true when it did something. */
export const carryOutDue = (deps: CarryingOutDeps): Promise<boolean> =>
  workOff(deps, {
    job: 'deletion requests',
    limit: CARRIED_OUT_AT_ONCE,
    list: listDueDeletions,
    work: (id) => carryOut(deps, id),
  })

/**
 * Carries out one approved request: false when it is not due any more. Its lock and the erasure are one transaction, so that a worker
 * that is killed in the middle leaves nothing behind and the next one starts again; a second worker passes it over, and its
 * player cannot withdraw it. The account goes only when the mail about it has left the outbox, because afterwards there
 * is no address to send it to, and none may be left in a row.
 */
async function carryOut(deps: CarryingOutDeps, requestId: string): Promise<boolean> {
  let request: DueDeletion | undefined
  try {
    const outcome = await inTransaction(deps.db, async (tx) => {
      request = await lockDueDeletion(tx, requestId)
      if (request === undefined) return 'none'
      await deps.deletionPausePoint?.('locked')
      const { id, userId, givenUp, lastMailId } = request
      if (lastMailId !== null && (await isMailWaiting(tx, lastMailId))) {
        await waitForMail(tx, id)
        return 'waits'
      }
      await erasePersonIn(tx, deps, { username: await findUsername(tx, userId), coinsMax: givenUp })
      await deps.deletionPausePoint?.('erased')
      return 'erased'
    })
    if (outcome === 'erased') deps.log.info(factsOf('carried-out', request), 'an account was erased')
    return outcome !== 'none'
  } catch (error) {
    if (request !== undefined && error instanceof StillOpen) {
      await hinder(deps, request, error)
      return true
    }
    deps.log.error({ ...factsOf('failed', request), err: error }, 'an account could not be erased yet')
    await countAttempt(deps.db, requestId).catch((reason: unknown) =>
      deps.log.warn({ err: reason, deletionId: requestId }, 'a try to erase an account could not be counted'),
    )
    throw error
  }
}

const factsOf = (outcome: string, request: DueDeletion | undefined) => ({
  event: `deletion.${outcome}`,
  deletionId: request?.id,
  userId: request?.userId,
})

/** Something is open again since the approval: the request goes back to the operators, and the player gets a mail. */
async function hinder(
  { db, vault, log, publicUrl }: CarryingOutDeps,
  request: DueDeletion,
  { matters }: StillOpen,
): Promise<void> {
  const { id, userId } = request
  await inTransaction(db, async (tx) => {
    if (!(await sendBack(tx, { id, matters }))) return
    await mailPlayer(vault, tx, userId, deletionHinderedMail({ matters, publicUrl }))
    await appendAudit(tx, {
      actor: { kind: 'system' },
      action: 'deletion-requests.send-back',
      subject: { type: 'user', id: userId },
      details: { request_id: id, open: matters },
    })
  })
  log.warn(
    { ...factsOf('sent-back', request), open: matters },
    'a request to be erased goes back to operators',
  )
}

const PAUSE_MS = 5_000

/** Erases accounts, one after the other, as operators have agreed to. */
export function startPersonalDataJobs(deps: PlatformDeps & { publicUrl: string }): Loop[] {
  return startLoops(deps.log, [
    { name: 'deletion requests', pauseMs: PAUSE_MS, round: () => carryOutDue(deps) },
  ])
}
