import type { AnswerOf, BodyOf } from '#contract/endpoint.ts'
import type { getTournamentReminder, setTournamentReminder } from '#contract/tournaments.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { addReminder } from '#server/modules/notices/index.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { machineLimit } from '#server/platform/limits/limits.ts'
import { conflict } from '#server/platform/values/errors.ts'
import { requireTournament } from '../tournaments.service.ts'
import {
  claimFollowers,
  claimReminders,
  deleteFollower,
  insertFollower,
  isFollowing,
  listUnreminded,
  listUntold,
  lockBegun,
  lockOpenCheckIn,
} from './tournament-notices.queries.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'

export type ReminderDeps = Pick<PlatformDeps, 'db' | 'clock' | 'log' | 'vault'> & { publicUrl: string }

const OPEN_TOURNAMENT = 'Mở trang giải đấu'

/** Each may be a mail. */
const PLAYERS_AT_ONCE = 100

type Told = { tournamentId: string; userIds: string[] }

/** Of each tournament the players who are to be told of it, in a transaction of its own; answers how many were. */
async function tellEach(
  { db }: Pick<ReminderDeps, 'db'>,
  places: readonly string[],
  tell: (tx: Tx, told: Told) => Promise<number>,
): Promise<number> {
  const players = places.map((place) => place.split(':') as [string, string])
  let told = 0
  for (const [tournamentId, own] of Map.groupBy(players, ([id]) => id)) {
    const userIds = own.map(([, userId]) => userId)
    told += await inTransaction(db, (tx) => tell(tx, { tournamentId, userIds }))
  }
  return told
}

/** Reminds players whose team has not checked in, each once, from when check-in is open. True when there may be more. */
export function remindOfCheckIn(deps: ReminderDeps): Promise<boolean> {
  const now = deps.clock.now()
  const remind = (places: readonly string[]) =>
    tellEach(deps, places, (tx, told) => remindSome(deps, tx, told, now))
  return workOff(deps, {
    job: 'tournament check-in',
    limit: PLAYERS_AT_ONCE,
    list: (db, isResting) => listUnreminded(db, isResting, { now, limit: PLAYERS_AT_ONCE }),
    work: async (place) => (await remind([place])) > 0,
    workAll: remind,
  })
}

async function remindSome(
  { vault, publicUrl }: ReminderDeps,
  tx: Tx,
  { tournamentId, userIds }: Told,
  now: Date,
): Promise<number> {
  const checkIn = await lockOpenCheckIn(tx, tournamentId, now)
  if (checkIn === undefined) return 0
  const { id, name, startsAt } = checkIn
  const players = await claimReminders(tx, id, userIds)
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
}

/** A late reminder shows what is over. */
const BEGUN_USEFUL_MINUTES = 60

/** Tells those who follow a tournament that it has begun, each once. True when there may be more. */
export function remindFollowers(deps: ReminderDeps): Promise<boolean> {
  const { vault, publicUrl } = deps
  const now = deps.clock.now()
  const remind = (places: readonly string[]) =>
    tellEach(deps, places, async (tx, { tournamentId, userIds }) => {
      const begun = await lockBegun(tx, tournamentId)
      if (begun === undefined) return 0
      const { id, name } = begun
      const followers = await claimFollowers(tx, id, userIds)
      await addReminder({ vault, publicUrl }, tx, followers, {
        notice: { event: 'tournament-begins', subject: id, data: { tournamentId: id, tournament: name } },
        action: OPEN_TOURNAMENT,
        usefulMinutes: BEGUN_USEFUL_MINUTES,
      })
      return followers.length
    })
  return workOff(deps, {
    job: 'tournament followers',
    limit: PLAYERS_AT_ONCE,
    list: (db, isResting) => listUntold(db, isResting, { now, limit: PLAYERS_AT_ONCE }),
    work: async (place) => (await remind([place])) > 0,
    workAll: remind,
  })
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
