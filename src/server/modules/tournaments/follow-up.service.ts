import { paths } from '#contract/pages.ts'
import type { Tournament } from '#contract/tournaments.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { withdrawMails } from '#server/modules/notices/index.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'
import { listKeptOfCancelled, refundCancelled } from './charges.queries.ts'
import {
  allDue,
  listNotDrawn,
  listTeamsToTell,
  listTournamentsOf,
  listUntoldCancelled,
  updateToldTo,
} from './follow-up.queries.ts'
import { type Cup, notifyCancelled } from './notices/tournament-notices.service.ts'
import { changeTeams, TEAMS_AT_ONCE, withdraw } from './places.service.ts'
import { listTeamRows } from './registration.queries.ts'
import { lockTournament } from './tournaments.queries.ts'
import { toRules } from './tournaments.service.ts'

// What follows from an act on a tournament for each of its teams. The act does the first part itself, in its transaction; of
// a large tournament the rest follows in parts, each of which leaves what is to be done smaller.

const CHARGES_AT_ONCE = 500
const TOURNAMENTS_AT_ONCE = 20

type Deps = Pick<PlatformDeps, 'db' | 'clock' | 'log' | 'vault'>

const JOB = 'tournament follow-up'

/** Answers whether there may be more. */
export async function followUp(deps: Deps): Promise<boolean> {
  const { db } = deps
  const fees = await workOff(deps, {
    job: JOB,
    part: 'fee',
    limit: CHARGES_AT_ONCE,
    list: (from, isResting, limit) => listKeptOfCancelled(from, isResting, { tournamentId: null, limit }),
    work: async (id) => (await refundCancelled(db, [id])) > 0,
    workAll: (ids) => refundCancelled(db, ids),
  })
  const told = await workOff(deps, {
    job: JOB,
    part: 'cancelled',
    limit: TOURNAMENTS_AT_ONCE,
    list: listUntoldCancelled,
    work: (id) =>
      inTransaction(db, async (tx) => {
        const tournament = await lockTournament(tx, id)
        return tournament !== undefined && tellCancelled(deps, tx, toRules(tournament))
      }),
  })
  const dismissed = await workOff(deps, {
    job: JOB,
    part: 'team',
    limit: TEAMS_AT_ONCE,
    list: (from, isResting, limit) => listNotDrawn(from, isResting, { tournamentId: null, limit }),
    work: async (id) => (await dismiss(deps, [id])) > 0,
    workAll: (ids) => dismiss(deps, ids),
  })
  return fees || told || dismissed
}

/** The first part of what follows when a tournament is cancelled: fees are given back, and players told. Under its lock. */
export async function beginCancelling(
  deps: Pick<Deps, 'vault'>,
  tx: Tx,
  tournament: Cup & Pick<Tournament, 'fee'>,
): Promise<void> {
  const { id } = tournament
  const kept = await listKeptOfCancelled(tx, allDue, { tournamentId: id, limit: CHARGES_AT_ONCE })
  await refundCancelled(tx, kept)
  // From the first team on.
  await updateToldTo(tx, id, '0')
  await tellCancelled(deps, tx, tournament)
}

/** Tells the players of the next teams. Answers false where nobody was left to tell. */
async function tellCancelled(
  { vault }: Pick<Deps, 'vault'>,
  tx: Tx,
  tournament: Cup & Pick<Tournament, 'fee'>,
): Promise<boolean> {
  const { id } = tournament
  const teamIds = await listTeamsToTell(tx, id, { limit: TEAMS_AT_ONCE })
  if (teamIds === null) return false
  await notifyCancelled(tx, tournament, teamIds)
  const isLast = teamIds.length < TEAMS_AT_ONCE
  await updateToldTo(tx, id, isLast ? null : (teamIds.at(-1) ?? null))
  if (isLast)
    await withdrawMails(tx, vault, {
      kinds: ['check-in-open', 'tournament-begins'],
      path: paths.tournament(id),
    })
  return true
}

/** Whoever is not admitted at the draw is out. Answers how many were not out yet. */
async function dismiss({ db, clock }: Deps, ids: readonly string[]): Promise<number> {
  const teams = Map.groupBy(await listTournamentsOf(db, ids), ({ tournamentId }) => tournamentId)
  let count = 0
  for (const [tournamentId, some] of teams) {
    count += await inTransaction(db, (tx) =>
      changeTeams(tx, tournamentId, async (tournament) => {
        if (tournament.current_round === 0 || tournament.cancelled_at !== null) return 0
        const rows = await listTeamRows(tx, { tournamentId, teamIds: some.map(({ id }) => id) })
        const others = rows.filter(({ state }) => state === 'held' || state === 'waiting')
        const teamIds = others.map(({ id }) => id)
        await withdraw(tx, tournament, teamIds, { reason: 'not-admitted', now: clock.now() })
        return teamIds.length
      }),
    )
  }
  return count
}
