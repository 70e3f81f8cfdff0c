import { findUsername } from '#server/modules/accounts/index.ts'
import { appendOwnAct } from '#server/modules/audit/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import { vietnamDay } from '#server/platform/vietnam-time.rules.ts'
import { exportPerson } from './exporting.service.ts'
import { acceptOwner, checkOwner, type Asked } from './owner-proof.service.ts'

/** Each of them reads everything there is of a player. */
const DOWNLOADS = sharedLimit('personal-data', 5, 86_400)

/** What `portal export` writes, for the player themselves, with its row in the trail. */
export async function exportOwnData(
  deps: PlatformDeps,
  asked: Asked,
): Promise<{ name: string; pieces: AsyncIterable<string> }> {
  const { userId } = asked.identity
  const proof = await checkOwner(deps, asked)
  await deps.limits.consume(DOWNLOADS, userId)
  const now = deps.clock.now()
  // Before anything is sent, so that who is not there any more is still refused.
  const pieces = await exportPerson({ db: deps.db, now }, await findUsername(deps.db, userId))
  await inTransaction(deps.db, async (tx) => {
    await acceptOwner(tx, userId, proof)
    await appendOwnAct(tx, userId, { action: 'users.export-own-data', requestId: asked.requestId })
  })
  const { log, address } = asked.caller
  log.info({ event: 'personal-data.exported', userId, address }, 'a player downloaded their data')
  return { name: `du-lieu-ca-nhan-${vietnamDay(now)}.json`, pieces }
}
