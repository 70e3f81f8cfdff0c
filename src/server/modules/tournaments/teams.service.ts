import type { PlatformDeps } from '#server/domain/deps.ts'
import type {
  OperatorTeam,
  OperatorTournamentRow,
  operatorTournaments,
} from '#contract/operator/tournaments.ts'
import { teamSize } from '#contract/tournament-rules.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { orNotFound } from '#server/platform/values/errors.ts'
import { actOnTournament, type TournamentCall } from './operator-tournaments.service.ts'
import { firstTwice } from './draw.rules.ts'
import {
  drawnAlready,
  isOver,
  listClosed,
  memberTaken,
  noPlaceLeft,
  registrationClosed,
  tooManyMembers,
} from './tournaments.errors.ts'
import { membersAreTheirs } from './tournaments.errors.ts'
import { mostTeams, placesFor, promoteWaiting, withdraw } from './places.service.ts'
import { updateTeam } from './registration.queries.ts'
import { assertNamesFree, newNameOf } from './team-names.service.ts'
import { findTakenMembers, insertMembers, insertTeams, listTeams, replaceMembers } from './teams.queries.ts'

type Given = { name: string; members: readonly string[] }

/** Names, members and seeds are what the draw is made from: nobody changes them once the list is closed. */
export function assertListOpen({ current_round, closed_at, phase }: OperatorTournamentRow): void {
  if (current_round > 0 || closed_at !== null || phase === 'drawing') throw listClosed()
}

export const addTeams = (deps: PlatformDeps, call: TournamentCall<typeof operatorTournaments.addTeams>) =>
  actOnTournament(deps, call, 'teams-add', async (tx, tournament) => {
    const { id, phase, team_count, type } = tournament
    const { teams } = call.body
    if (phase !== 'registering') throw registrationClosed(phase, tournament)
    const { left } = await placesFor(tx, tournament)
    if (teams.length > left) throw noPlaceLeft(left, mostTeams(tournament))
    const names = teams.map(({ name }) => name)
    await assertNamesFree(tx, { tournamentId: id, field: 'teams', names })
    await assertMembersFree(tx, { id, type }, { field: 'teams', teams, teamId: '0' })
    const ids = await insertTeams(tx, id, names)
    for (const [index, teamId] of ids.entries())
      await insertMembers(tx, { tournamentId: id, teamId }, teams[index]?.members ?? [])
    const added = teams.map((team, index) => ({ id: ids[index], ...team }))
    return {
      before: { team_count },
      after: { team_count: team_count + teams.length, added: ids },
      personal: { added },
    }
  })

export const changeTeam = (deps: PlatformDeps, call: UserCall<typeof operatorTournaments.updateTeam>) =>
  actOnTournament(deps, call, 'team-update', async (tx, tournament) => {
    const { id, phase, type } = tournament
    if (phase === 'finished' || phase === 'cancelled') throw isOver(phase)
    assertListOpen(tournament)
    const { members } = call.body
    const before = await findTeam(tx, id, call.params.team_id)
    const newName = newNameOf(before, call.body.name)
    if (newName !== undefined)
      await assertNamesFree(tx, { tournamentId: id, field: 'name', names: [newName], teamId: before.id })
    const name = newName ?? before.name
    await assertMembersFree(
      tx,
      { id, type },
      { field: 'members', teams: [{ name, members }], teamId: before.id },
    )
    const areMembersNew = JSON.stringify(before.members) !== JSON.stringify(members)
    if (before.is_registered && areMembersNew) throw membersAreTheirs()
    if (newName !== undefined) await updateTeam(tx, before.id, { name: newName })
    if (!before.is_registered) await replaceMembers(tx, { tournamentId: id, teamId: before.id }, members)
    const team = { id: before.id }
    return { before: team, after: team, personal: { before, after: { ...team, name, members } } }
  })

export const withdrawTeam = (deps: PlatformDeps, call: UserCall<typeof operatorTournaments.withdrawTeam>) =>
  actOnTournament(deps, call, 'team-withdraw', async (tx, tournament) => {
    const { id, phase, current_round } = tournament
    if (phase === 'finished' || phase === 'cancelled') throw isOver(phase)
    if (current_round > 0) throw drawnAlready()
    const before = await findTeam(tx, id, call.params.team_id)
    const now = deps.clock.now()
    await withdraw(tx, tournament, [before.id], { reason: 'operator', now })
    await promoteWaiting(tx, tournament, now)
    return { before: { id: before.id }, after: null, personal: { before } }
  })

async function findTeam(tx: Tx, tournamentId: string, teamId: string): Promise<OperatorTeam> {
  return orNotFound((await listTeams(tx, tournamentId, teamId))[0])
}

type TeamMembers = { field: string; teams: readonly Given[]; teamId: string }

/** Each character once in the tournament, whatever its capitals, and no more members than the format has. */
async function assertMembersFree(
  tx: Tx,
  { id, type }: { id: string; type: number },
  { field, teams, teamId }: TeamMembers,
): Promise<void> {
  const size = teamSize(type)
  const large = teams.find(({ members }) => members.length > size)
  if (large) throw tooManyMembers(field, large.name, size)
  const members = teams.flatMap((team) => team.members)
  const taken = await findTakenMembers(tx, { tournamentId: id, teamId, members })
  const member = firstTwice(members) ?? taken[0]
  if (member !== undefined) throw memberTaken(field, member)
}
