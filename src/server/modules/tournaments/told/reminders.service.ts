import type { PlatformDeps } from '#server/domain/deps.ts'
import { addReminder } from '#server/modules/notices/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { type CheckIn, claimReminders, listCheckIns } from './told.queries.ts'

export type ReminderDeps = Pick<PlatformDeps, 'db' | 'clock' | 'log' | 'vault'> & { publicUrl: string }

const TOURNAMENTS_AT_ONCE = 20
/** Each may be a mail. */
const PLAYERS_AT_ONCE = 100

/** Reminds players whose team has not checked in, each once, from when check-in is open. True when there may be more. */
export async function remindOfCheckIn(deps: ReminderDeps): Promise<boolean> {
  const now = deps.clock.now()
  const open = await listCheckIns(deps.db, now, TOURNAMENTS_AT_ONCE)
  let isMore = false
  for (const checkIn of open) isMore = (await remindSome(deps, checkIn, now)) || isMore
  return isMore
}

async function remindSome(
  { db, vault, publicUrl }: ReminderDeps,
  { id, name, startsAt }: CheckIn,
  now: Date,
): Promise<boolean> {
  const reminded = await inTransaction(db, async (tx) => {
    const players = await claimReminders(tx, id, PLAYERS_AT_ONCE)
    const usefulMinutes = Math.max(1, Math.ceil((startsAt.getTime() - now.getTime()) / 60_000))
    await addReminder({ vault, publicUrl }, tx, players, {
      notice: {
        event: 'check-in-open',
        subject: id,
        data: { tournamentId: id, tournament: name, startsAt: startsAt.toISOString() },
      },
      usefulMinutes,
    })
    return players.length
  })
  return reminded === PLAYERS_AT_ONCE
}
