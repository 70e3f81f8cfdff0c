import { listDigest, type ListedTeam, roundAfter, roundTime, teamDigest } from '#contract/draw-proof.ts'
import { teamSize } from '#contract/tournament-rules.ts'
import type { Tournament } from '#contract/tournaments.ts'
import { appendAudit } from '#server/modules/audit/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { Beacon } from './beacon.service.ts'
import { insertDraw, listTeamsOfDraw } from './draw.queries.ts'
import { changeTeams, isCheckInAsked, promoteWaiting, withdraw } from './places.service.ts'
import { listMembers, listTeamRows, listToClose } from './registration.queries.ts'
import { updateTournament } from './tournaments.queries.ts'

type Close = { now: Date; chain: Beacon['chain'] }

/**
 * The end of registration. Whoever cannot play any more is out: teams that should have checked in and have not, and those
 * that lack members, since none can come any more. Those who wait move up as far as there are places. Then the list is closed for good:
 * what it is, and the round of the beacon that will draw it, is stored, and stands in the audit trail.
 */
export async function closeList(tx: Tx, tournament: Tournament, { now, chain }: Close): Promise<void> {
  const closed = { ...tournament, closed_at: tournament.closed_at ?? now.toISOString() }
  await updateTournament(tx, tournament.id, { closed_at: new Date(closed.closed_at) })
  const asksCheckIn = isCheckInAsked(closed)
  for (const team of await listTeamRows(tx, tournament.id, ['held', 'admitted', 'waiting'])) {
    if (team.captain_id === null) continue
    const players = (await listMembers(tx, team.id)).filter((member) => !member.is_substitute)
    if (asksCheckIn && team.checked_in_at === null) {
      await withdraw(tx, tournament, team, { reason: 'absent', now })
    } else if (players.length < teamSize(tournament.type)) {
      await withdraw(tx, tournament, team, { reason: 'not-admitted', now })
    }
  }
  await promoteWaiting(tx, closed, now)
  await freezeList(tx, tournament.id, { now, chain })
}

async function freezeList(tx: Tx, id: string, { now, chain }: Close): Promise<void> {
  const teams = (await listTeamsOfDraw(tx, id)).filter(({ state }) => state !== 'withdrawn')
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
    list: (from, isResting) => listToClose(from, isResting, { now, limit: CLOSED_AT_ONCE }),
    work: (id) =>
      inTransaction(db, (tx) =>
        changeTeams(tx, id, async (tournament) => {
          if (tournament.draw_round !== null || tournament.current_round > 0) return false
          await closeList(tx, tournament, { now, chain: beacon.chain })
          return true
        }),
      ),
  })
}
