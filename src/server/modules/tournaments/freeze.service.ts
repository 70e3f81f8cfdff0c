import { listDigest, type ListedTeam, roundAfter, roundTime, teamDigest } from '#contract/draw-proof.ts'
import { tournamentPhase } from '#contract/tournament-phase.ts'
import { teamSize } from '#contract/tournament-rules.ts'
import type { Tournament } from '#contract/tournaments.ts'
import { appendAudit } from '#server/modules/audit/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { Beacon } from './beacon.service.ts'
import { insertDraw, listTeamsToDraw } from './draw.queries.ts'
import { listOutAtClose, listToClose } from './freeze.queries.ts'
import { changeTeams, isCheckInAsked, moveUp, TEAMS_AT_ONCE, withdraw } from './places.service.ts'
import { updateTournament } from './tournaments.queries.ts'

type Close = { now: Date; chain: Beacon['chain'] }

/**
 * The end of registration. Whoever cannot play any more is out: teams that should have checked in and have not, and those
 * that lack members, since none can come any more. Those who wait move up as far as there are places. Then the list is closed for good:
 * what it is, and the round of the beacon that will draw it, is stored, and stands in the audit trail.
 *
 * All of this for a few teams in one transaction: of a large tournament the first part closes registration, and `closeDue`
 * goes on from what it finds, part by part, so that nobody waits long for the lock. Nobody comes in meanwhile, and no place is
 * given (`promoteWaiting`), so that the list is the same however many parts it takes.
 */
export async function closeList(tx: Tx, tournament: Tournament, { now, chain }: Close): Promise<void> {
  const { id } = tournament
  const closed = { ...tournament, closed_at: tournament.closed_at ?? now.toISOString() }
  await updateTournament(tx, id, { closed_at: new Date(closed.closed_at) })
  const out = await listOutAtClose(tx, id, {
    asksCheckIn: isCheckInAsked(closed),
    size: teamSize(tournament.type),
    limit: TEAMS_AT_ONCE,
  })
  for (const [reason, teams] of Map.groupBy(out, (team) => team.reason)) {
    const teamIds = teams.map((team) => team.id)
    await withdraw(tx, tournament, teamIds, { reason, now })
  }
  const limit = TEAMS_AT_ONCE - out.length
  if (limit === 0 || (await moveUp(tx, closed, { now, limit })) === limit) return
  await freezeList(tx, id, { now, chain })
}

async function freezeList(tx: Tx, id: string, { now, chain }: Close): Promise<void> {
  const teams = await listTeamsToDraw(tx, id)
  const list = teams.map((team): ListedTeam => ({
    id: team.id,
    digest: teamDigest(team),
    seed: team.seed,
    has_place: team.state !== 'waiting',
  }))
  const round = roundAfter(chain, now)
  const closed = { tournamentId: id, closedAt: now.toISOString(), chain, round, teams: list }
  const list_digest = listDigest(closed)
  await insertDraw(tx, id, { closed_at: now, list, list_digest, chain, round })
  await appendAudit(tx, {
    actor: { kind: 'system' },
    action: 'tournaments.freeze',
    subject: { type: 'tournament', id },
    details: {
      before: null,
      after: {
        team_count: list.length,
        list_digest,
        chain: chain.hash,
        round,
        draw_from: roundTime(chain, round),
      },
    },
  })
}

const CLOSED_AT_ONCE = 20

export type CloseDeps = Pick<PlatformDeps, 'db' | 'clock' | 'log'> & { beacon: Pick<Beacon, 'chain'> }

/** Registration that has come to its end by date, or that a version before closed without closing its list. */
export async function closeDue(deps: CloseDeps): Promise<boolean> {
  const { db, clock, beacon } = deps
  const now = clock.now()
  return workOff(deps, {
    job: 'tournament closes',
    limit: CLOSED_AT_ONCE,
    list: listToClose(now),
    work: (id) =>
      inTransaction(db, (tx) =>
        changeTeams(tx, id, async (tournament) => {
          // Opened again by a later date, or cancelled, meanwhile.
          if (tournamentPhase(tournament, now) !== 'drawing') return false
          if (tournament.draw_round !== null || tournament.current_round > 0) return false
          await closeList(tx, tournament, { now, chain: beacon.chain })
          return true
        }),
      ),
  })
}
