import { formatMoment } from '#contract/format.ts'
import { tournamentPhase } from '#contract/tournament-phase.ts'
import { checkInOpensAt, teamSize } from '#contract/tournament-rules.ts'
import {
  type acceptInvitation,
  type changeOwnTeam,
  type checkIn,
  type declineInvitation,
  type leaveTeam,
  type OwnTeam,
  type payFee,
  type registerTeam,
} from '#contract/tournament-teams.ts'
import type { Tournament } from '#contract/tournaments.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { type GameBridge, type GameCharacter, isRankedByLevel } from '#server/modules/game-bridge/index.ts'
import { assertMayTrade, findTrader } from '#server/modules/traders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { onceForPlayer } from '#server/platform/idempotency/idempotency.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import { invariant, notFound, Refusal } from '#server/platform/values/errors.ts'
import { refundCharges } from './charges.queries.ts'
import {
  chargeAgain,
  changeTeams,
  heldUntil,
  placesFor,
  promoteWaiting,
  settleTeam,
  WAITING_MAX,
  withdraw,
} from './places.service.ts'
import {
  alreadyInTeam,
  characterNotAllowed,
  characterTaken,
  checkInLater,
  checkInNotNeeded,
  teamIsDrawn,
  gameSilent,
  invitedCaptain,
  listClosed,
  listFull,
  memberStays,
  notCaptain,
  notInvited,
  nothingToPay,
  notRegistering,
  teamFull,
  tooManyInvited,
  unknownInvited,
} from './tournaments.errors.ts'
import {
  deleteInvitation,
  deleteMember,
  findPlayers,
  findTeamRow,
  insertInvitations,
  insertMemberOfTeam,
  insertTeamOfPlayer,
  isTaken,
  listMembers,
  listTeamInvitations,
  type Player,
  promoteSubstitute,
  type TeamRow,
  updateInvitation,
  updateTeam,
} from './registration.queries.ts'
import { readTeam } from './own-team.service.ts'
import { reasonAgainst } from './registration.rules.ts'
import { assertNamesFree, newNameOf } from './team-names.service.ts'
import { notifyInvited } from './notices/tournament-notices.service.ts'
import { requireTournament, toRules } from './tournaments.service.ts'

export type RegistrationDeps = PlatformDeps & { game: GameBridge }

type Call = Pick<UserCall<never>, 'identity' | 'key' | 'overLimit'>

/** Sign-ups, answers and changes of one player. */
const ACTS_PER_PLAYER = sharedLimit('team-acts', 60, 60)
/** Names that one player invites: an unknown one tells that there is no such account. */
const INVITED_PER_PLAYER = sharedLimit('team-invitations', 40, 3_600)

type Character = GameCharacter & { serverId: string }
type Joining = { player: Player; character: Character }

/** The caller, who may trade, and their character as the game has it now. Calls the game: outside any transaction. */
async function readJoining(
  deps: RegistrationDeps,
  { userId, tournament, characterId }: { userId: string; tournament: Tournament; characterId: string },
): Promise<Joining> {
  const trader = await findTrader(deps.db, userId)
  invariant(trader, 'a live session belongs to an account')
  assertMayTrade(trader, deps.clock.now())
  const player = { userId, serverId: trader.serverId, account: trader.username.toLowerCase() }
  const characters = await deps.game
    .listCharacters(player.serverId, player.account)
    .catch((error: unknown) => {
      deps.log.warn({ err: error, userId }, 'a character could not be checked for a tournament')
      throw gameSilent()
    })
  const character = characters.find(({ id }) => id === characterId)
  if (character === undefined) throw new Refusal('CHARACTER_NOT_FOUND')
  // A game without levels tells none of any character: any may play.
  const hasLevels = character.level > 0 || (await isRankedByLevel(deps.db))
  const reason = reasonAgainst(tournament, { ...character, hasLevels }, player.serverId)
  if (reason !== null) throw characterNotAllowed(reason, tournament)
  return { player, character: { ...character, serverId: player.serverId } }
}

function assertRegistering(tournament: Tournament, now: Date): void {
  const phase = tournamentPhase(tournament, now)
  if (phase !== 'registering') throw notRegistering(phase, tournament)
}

/** Until the draw, also while registration is closed. */
function assertNotDrawn(tournament: Tournament): void {
  if (tournament.cancelled_at !== null || tournament.current_round > 0) throw teamIsDrawn()
}

/** Until the close: then names and members stay as they are. */
function assertListOpen(tournament: Tournament, now: Date): void {
  assertNotDrawn(tournament)
  if (tournamentPhase(tournament, now) === 'drawing') throw listClosed()
}

type Operation = { scope: string; body: unknown }

/** At most once for the call's key, at the pace of a person. */
function onceForCaller<Answer>(
  deps: RegistrationDeps,
  { identity, key, overLimit }: Call,
  { scope, body }: Operation,
  work: (() => Promise<(tx: Tx) => Promise<Answer>>) | { now: (tx: Tx) => Promise<Answer> },
): Promise<Answer> {
  const { userId } = identity
  const operation = { userId, key, overLimit, scope, body, limit: ACTS_PER_PLAYER }
  const toOnce = (act: (tx: Tx) => Promise<Answer>) => async (tx: Tx) => ({
    answer: await act(tx),
    resultType: 'team',
    resultId: userId,
  })
  const whole = typeof work === 'function' ? { prepare: async () => toOnce(await work()) } : toOnce(work.now)
  return onceForPlayer<Answer>(deps, operation, whole)
}

export async function registerTeamOf(
  deps: RegistrationDeps,
  call: UserCall<typeof registerTeam>,
): Promise<OwnTeam> {
  const { userId } = call.identity
  const { id } = call.params
  const { name, character_id, invites = [] } = call.body
  return onceForCaller(deps, call, { scope: `team:${id}`, body: call.body }, async () => {
    const tournament = toRules(await requireTournament(deps.db, id))
    assertRegistering(tournament, deps.clock.now())
    const joining = await readJoining(deps, { userId, tournament, characterId: character_id })
    const invited = await readInvited(deps, tournament, { userId, account: joining.player.account, invites })
    return (tx) =>
      changeTeams(tx, id, async (locked) => {
        const now = deps.clock.now()
        assertRegistering(locked, now)
        await assertNamesFree(tx, { tournamentId: id, field: 'name', names: [name] })
        await assertFree(tx, id, joining)
        const { left, waitingTeams } = await placesFor(tx, locked)
        const hasPlace = left > 0
        if (!hasPlace && waitingTeams >= WAITING_MAX) throw listFull()
        const until = hasPlace ? heldUntil(locked, now) : null
        const teamId = await insertTeamOfPlayer(tx, {
          tournamentId: id,
          name,
          captainId: userId,
          state: hasPlace ? 'held' : 'waiting',
          heldUntil: until,
        })
        await insertMemberOfTeam(tx, { ...joining, tournamentId: id, teamId, isSubstitute: false })
        await invite(tx, locked, { team: { id: teamId, held_until: until }, userIds: invited })
        await settleTeam(tx, locked, teamId, now)
        return readTeam(tx, locked, { teamId, userId })
      })
  })
}

async function invite(
  tx: Tx,
  tournament: Tournament,
  { team, userIds }: { team: Pick<TeamRow, 'id' | 'held_until'>; userIds: readonly string[] },
): Promise<void> {
  await insertInvitations(tx, { tournamentId: tournament.id, teamId: team.id }, userIds)
  await notifyInvited(tx, tournament, { team, userIds })
}

type Inviting = { userId: string; account: string; invites: readonly string[] }

/** The ids of the invited players. Counts every name, since one that does not exist is told. */
async function readInvited(
  deps: RegistrationDeps,
  { type, substitutes }: Tournament,
  { userId, account, invites }: Inviting,
): Promise<string[]> {
  const keys = [...new Set(invites.map((name) => name.toLowerCase()))]
  const most = teamSize(type) - 1 + substitutes
  if (keys.length > most) throw tooManyInvited(most)
  if (keys.includes(account)) throw invitedCaptain()
  for (const key of keys) await deps.limits.consumeNew(INVITED_PER_PLAYER, userId, key)
  const players = await findPlayers(deps.db, keys)
  const unknown = keys.find((key) => !players.some((player) => player.account === key))
  if (unknown !== undefined) throw unknownInvited(unknown)
  return keys.map((key) => players.find((player) => player.account === key)?.id ?? '')
}

async function assertFree(tx: Tx, tournamentId: string, { player, character }: Joining): Promise<void> {
  const taken = await isTaken(tx, tournamentId, {
    userId: player.userId,
    serverId: player.serverId,
    character,
  })
  if (taken === 'player') throw alreadyInTeam()
  if (taken === 'character') throw characterTaken(character.name)
}

type TeamCall = Call & { params: { id: string; team: string } }
type FoundTeam = { tournament: Tournament; team: TeamRow; userId: string; now: Date }

/** One act on a team that is not out, under the lock of its tournament, until the draw. */
async function actOnTeam<Answer>(
  deps: RegistrationDeps,
  tx: Tx,
  { identity: { userId }, params: { id, team } }: Pick<TeamCall, 'identity' | 'params'>,
  act: (found: FoundTeam) => Promise<Answer>,
): Promise<Answer> {
  return changeTeams(tx, id, async (tournament) => {
    const found = await findTeamRow(tx, { tournamentId: id, teamId: team })
    if (found === undefined || found.state === 'withdrawn') throw notFound()
    assertNotDrawn(tournament)
    return act({ tournament, team: found, userId, now: deps.clock.now() })
  })
}

/** The same, at most once for the call's key, where nothing is asked of the game. */
function onceOnTeam<Answer>(
  deps: RegistrationDeps,
  call: TeamCall,
  name: string,
  act: (tx: Tx, found: FoundTeam) => Promise<Answer>,
): Promise<Answer> {
  const operation = { scope: `team-${name}:${call.params.team}`, body: null }
  return onceForCaller(deps, call, operation, {
    now: (tx) => actOnTeam(deps, tx, call, (found) => act(tx, found)),
  })
}

export function acceptFor(deps: RegistrationDeps, call: UserCall<typeof acceptInvitation>): Promise<OwnTeam> {
  const { userId } = call.identity
  const { id, team: teamId } = call.params
  return onceForCaller(deps, call, { scope: `team-accept:${teamId}`, body: call.body }, async () => {
    const tournament = toRules(await requireTournament(deps.db, id))
    if (!(await isInvited(deps.db, teamId, userId))) throw notInvited()
    const joining = await readJoining(deps, { userId, tournament, characterId: call.body.character_id })
    return (tx) =>
      actOnTeam(deps, tx, call, async ({ tournament: locked, now }) => {
        assertListOpen(locked, now)
        if (!(await isInvited(tx, teamId, userId))) throw notInvited()
        await assertFree(tx, id, joining)
        const members = await listMembers(tx, teamId)
        const players = members.filter((member) => !member.is_substitute).length
        const size = teamSize(locked.type)
        if (members.length >= size + locked.substitutes) throw teamFull()
        await insertMemberOfTeam(tx, { ...joining, tournamentId: id, teamId, isSubstitute: players >= size })
        await updateInvitation(tx, { teamId, userId }, 'accepted')
        await settleTeam(tx, locked, teamId, now)
        return readTeam(tx, locked, { teamId, userId })
      })
  })
}

async function isInvited(db: Db | Tx, teamId: string, userId: string): Promise<boolean> {
  const invitations = await listTeamInvitations(db, teamId)
  return invitations.some((one) => one.user_id === userId && one.state === 'invited')
}

export const declineFor = (deps: RegistrationDeps, call: UserCall<typeof declineInvitation>) =>
  onceOnTeam(deps, call, 'decline', async (tx, { team, userId }) => {
    if (!(await isInvited(tx, team.id, userId))) throw notInvited()
    await updateInvitation(tx, { teamId: team.id, userId }, 'declined')
    return { message: 'Bạn đã từ chối lời mời vào đội' }
  })

export function changeTeamOf(deps: RegistrationDeps, call: UserCall<typeof changeOwnTeam>): Promise<OwnTeam> {
  const { userId } = call.identity
  const { id, team: teamId } = call.params
  return onceForCaller(deps, call, { scope: `team-change:${teamId}`, body: call.body }, async () => {
    const tournament = toRules(await requireTournament(deps.db, id))
    const trader = await findTrader(deps.db, userId)
    invariant(trader, 'a live session belongs to an account')
    const account = trader.username.toLowerCase()
    const wanted = await readInvited(deps, tournament, { userId, account, invites: call.body.invites })
    return (tx) =>
      actOnTeam(deps, tx, call, async ({ tournament: locked, team, now }) => {
        if (team.captain_id !== userId) throw notCaptain()
        assertListOpen(locked, now)
        const name = newNameOf(team, call.body.name)
        if (name !== undefined) {
          await assertNamesFree(tx, { tournamentId: id, field: 'name', names: [name], teamId })
          await updateTeam(tx, teamId, { name })
        }
        const present = await listTeamInvitations(tx, teamId)
        for (const one of present) {
          if (!wanted.includes(one.user_id)) await removeFrom(tx, teamId, one.user_id)
        }
        const open = present.filter(({ state }) => state !== 'declined').map((one) => one.user_id)
        await invite(tx, locked, { team, userIds: wanted.filter((one) => !open.includes(one)) })
        await settleTeam(tx, locked, teamId, now)
        return readTeam(tx, locked, { teamId, userId })
      })
  })
}

/** A player is out of a team that stays; a substitute comes in. */
async function removeFrom(tx: Tx, teamId: string, userId: string): Promise<void> {
  const member = (await listMembers(tx, teamId)).find((one) => one.user_id === userId)
  await deleteInvitation(tx, teamId, userId)
  if (member === undefined) return
  await deleteMember(tx, teamId, userId)
  await refundCharges(tx, { teamIds: [teamId], userId, reason: 'left' })
  if (!member.is_substitute) await promoteSubstitute(tx, teamId)
}

export const leave = (deps: RegistrationDeps, call: UserCall<typeof leaveTeam>) =>
  onceOnTeam(deps, call, 'leave', async (tx, { tournament, team, userId, now }) => {
    if (team.captain_id === userId) {
      await withdraw(tx, tournament, [team.id], { reason: 'left', now, by: userId })
      await promoteWaiting(tx, tournament, now)
      return { message: 'Đội của bạn đã rút khỏi giải' }
    }
    await assertMember(tx, team, userId)
    if (tournamentPhase(tournament, now) === 'drawing') throw memberStays()
    await removeFrom(tx, team.id, userId)
    await settleTeam(tx, tournament, team.id, now)
    return { message: 'Bạn đã rời đội' }
  })

export const payFor = (deps: RegistrationDeps, call: UserCall<typeof payFee>) =>
  onceOnTeam(deps, call, 'pay', async (tx, { tournament, team, userId }) => {
    await assertMember(tx, team, userId)
    if (team.state !== 'held') throw nothingToPay()
    await chargeAgain(tx, tournament, team)
    return readTeam(tx, tournament, { teamId: team.id, userId })
  })

export const checkInFor = (deps: RegistrationDeps, call: UserCall<typeof checkIn>) =>
  onceOnTeam(deps, call, 'check-in', async (tx, { tournament, team, userId, now }) => {
    await assertMember(tx, team, userId)
    const opens = checkInOpensAt(tournament)
    if (opens === null) throw checkInNotNeeded()
    if (now < opens) throw checkInLater(formatMoment(opens.toISOString()))
    assertRegistering(tournament, now)
    if (team.checked_in_at === null) await updateTeam(tx, team.id, { checked_in_at: now })
    return readTeam(tx, tournament, { teamId: team.id, userId })
  })

async function assertMember(tx: Tx, team: TeamRow, userId: string): Promise<void> {
  const members = await listMembers(tx, team.id)
  if (!members.some((member) => member.user_id === userId)) throw notFound()
}
