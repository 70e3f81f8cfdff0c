import type { AnswerOf, BodyOf } from '#contract/endpoint.ts'
import type { getTournamentReminder, setTournamentReminder } from '#contract/tournaments.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { addReminder } from '#server/modules/notices/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { machineLimit } from '#server/platform/limits/limits.ts'
import { conflict } from '#server/platform/values/errors.ts'
import { requireTournament } from '../tournaments.service.ts'
import {
  type CheckIn,
  claimFollowers,
  claimReminders,
  deleteFollower,
  insertFollower,
  hasBegun,
  isCheckInOpen,
  isFollowing,
  listBegun,
  listCheckIns,
} from './tournament-notices.queries.ts'

export type ReminderDeps = Pick<PlatformDeps, 'db' | 'clock' | 'log' | 'vault'> & { publicUrl: string }

const OPEN_TOURNAMENT = 'Mở trang giải đấu'

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
    if (!(await isCheckInOpen(tx, id, now))) return 0
    const players = await claimReminders(tx, id, PLAYERS_AT_ONCE)
    const usefulMinutes = Math.max(1, Math.ceil((startsAt.getTime() - now.getTime()) / 60_000))
    for (const isWaiting of [false, true]) {
      const recipients = players.filter((one) => one.isWaiting === isWaiting).map(({ userId }) => userId)
      await addReminder({ vault, publicUrl }, tx, recipients, {
        notice: {
          event: 'check-in-open',
          subject: id,
          data: {
            tournamentId: id,
            tournament: name,
            startsAt: startsAt.toISOString(),
            ...(isWaiting && { isWaiting }),
          },
        },
        action: OPEN_TOURNAMENT,
        usefulMinutes,
      })
    }
    return players.length
  })
  return reminded === PLAYERS_AT_ONCE
}

/** A late reminder shows what is over. */
const BEGUN_USEFUL_MINUTES = 60

/** Tells those who follow a tournament that it has begun, each once. True when there may be more. */
export async function remindFollowers({ db, clock, vault, publicUrl }: ReminderDeps): Promise<boolean> {
  const begun = await listBegun(db, clock.now(), TOURNAMENTS_AT_ONCE)
  let isMore = false
  for (const { id, name } of begun) {
    const reminded = await inTransaction(db, async (tx) => {
      if (!(await hasBegun(tx, id))) return 0
      const followers = await claimFollowers(tx, id, PLAYERS_AT_ONCE)
      await addReminder({ vault, publicUrl }, tx, followers, {
        notice: { event: 'tournament-begins', subject: id, data: { tournamentId: id, tournament: name } },
        action: OPEN_TOURNAMENT,
        usefulMinutes: BEGUN_USEFUL_MINUTES,
      })
      return followers.length
    })
    isMore ||= reminded === PLAYERS_AT_ONCE
  }
  return isMore
}

const CHANGES_PER_PLAYER = machineLimit('tournament-reminders', 60, 60)

type Own = { id: string; userId: string }

export async function readReminder(
  { db }: Pick<PlatformDeps, 'db'>,
  { id, userId }: Own,
): Promise<AnswerOf<typeof getTournamentReminder>> {
  const { id: tournamentId } = await requireTournament(db, id)
  return { wanted: await isFollowing(db, { tournamentId, userId }) }
}

export async function chooseReminder(
  { db, clock, limits }: Pick<PlatformDeps, 'db' | 'clock' | 'limits'>,
  { id, userId }: Own,
  { wanted }: BodyOf<typeof setTournamentReminder>,
): Promise<AnswerOf<typeof setTournamentReminder>> {
  await limits.consume(CHANGES_PER_PLAYER, userId)
  const row = await requireTournament(db, id)
  const hasBegun = row.competition_start_at <= clock.now() || row.current_round > 0
  if (wanted && (hasBegun || row.cancelled_at !== null)) throw conflict('Giải đấu đã bắt đầu hoặc đã bị hủy')
  if (wanted) await insertFollower(db, row.id, userId)
  else await deleteFollower(db, row.id, userId)
  return { wanted }
}
