import type { PlatformDeps } from '#server/domain/deps.ts'
import { GAME_TIMEOUT_MS, type GameBridge } from '#server/modules/game-bridge/index.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { Loop } from '#server/platform/jobs/loop.ts'
import { startSendingPool } from '#server/platform/queues/sending-pool.ts'
import { invariant, messageOf } from '#server/platform/values/errors.ts'
import { leaseSecondsFor } from '#server/platform/queues/leases.ts'
import {
  claimDueCharges,
  DELAY_SECONDS_MAX,
  type ClaimedCharge,
  dueCharges,
  postponeCharge,
  updateCharge,
} from './charges.queries.ts'
import { changeTeams, settleTeam } from './places.service.ts'
import { findTeamRow } from './registration.queries.ts'
import { type Cup, notifyRefusedFee, notifyReturnedFee } from './notices/tournament-notices.service.ts'
import { findTournament } from './tournaments.queries.ts'
import { claimEach, type DuePart } from '#server/platform/queues/claiming.ts'

type ChargeDeps = Pick<PlatformDeps, 'db' | 'log' | 'clock'> & { game: GameBridge }

const LEASE_SECONDS = leaseSecondsFor({ calls: 1, timeoutMs: GAME_TIMEOUT_MS })

const JOB = 'tournament charges'

export function claimCharges(deps: Pick<ChargeDeps, 'db' | 'log'>, limit: number): Promise<ClaimedCharge[]> {
  const claim = (part: DuePart) => claimDueCharges(deps.db, part, LEASE_SECONDS)
  return claimEach(deps, { job: JOB, leaseSeconds: LEASE_SECONDS, due: dueCharges, claim }, limit)
}

/** Sends the fees of teams to the game: each until the game has taken, refused or given it back. */
export function startChargeWorker(deps: ChargeDeps & Pick<PlatformDeps, 'listener'>): Loop[] {
  return [
    startSendingPool(deps, {
      job: JOB,
      leaseSeconds: LEASE_SECONDS,
      channel: 'tournament_charge_due',
      pollMs: 2_000,
      parallelMax: 8,
      claim: (room) => claimCharges(deps, room),
      send: (charge) => sendCharge(deps, charge),
      idOf: ({ id }) => id,
    }),
  ]
}

/** Sends one claimed charge, outside any transaction, and writes down what came of it. */
export async function sendCharge(deps: ChargeDeps, charge: ClaimedCharge): Promise<void> {
  if (charge.state === 'refunding') return refund(deps, charge)
  const outcome = await deps.game.charge({
    id: charge.id,
    serverId: charge.server_id,
    account: charge.account,
    characterId: charge.character_id,
    luong: Number(charge.luong),
  })
  // A fee that was taken may be behind a conflict: it is given back when the place runs out, and never written off.
  if (outcome.kind !== 'applied' && outcome.kind !== 'refused') {
    return postpone(deps, charge, outcome.kind === 'conflict' ? 'conflict' : outcome.cause)
  }
  const end =
    outcome.kind === 'applied'
      ? ({ state: 'applied' } as const)
      : ({ state: 'refused', reason: outcome.reason } as const)
  deps.log.info({ ...factsOf(charge), answer: end.state }, 'the game has decided about a fee')
  await inTransaction(deps.db, (tx) =>
    changeTeams(tx, charge.tournament_id, async (tournament) => {
      const isOurs = await updateCharge(tx, charge, end)
      if (!isOurs) return
      await settleTeam(tx, tournament, charge.team_id, deps.clock.now())
      // There is nothing to pay again for in a cancelled tournament.
      if (end.state === 'refused' && tournament.cancelled_at === null)
        await notifyRefused(tx, tournament, { charge, reason: end.reason })
    }),
  )
}

async function notifyRefused(
  tx: Tx,
  tournament: Cup,
  { charge, reason }: { charge: ClaimedCharge; reason: string },
): Promise<void> {
  const team = await findTeamRow(tx, { tournamentId: tournament.id, teamId: charge.team_id })
  await notifyRefusedFee(tx, tournament, { charge, reason, captainId: team?.captain_id ?? null })
}

async function refund(deps: ChargeDeps, charge: ClaimedCharge): Promise<void> {
  try {
    const answer = await deps.game.refundCharge(charge.id)
    // A game without charges took none; one that took it has to give it back when it has the call again.
    if (answer === 'not-supported' && charge.is_taken)
      throw new Error('the game does not have charges any more')
  } catch (error) {
    return postpone(deps, charge, messageOf(error))
  }
  await inTransaction(deps.db, async (tx) => {
    const isOurs = await updateCharge(tx, charge, { state: 'refunded' })
    // What was never taken, as far as is known, is nothing to tell about.
    if (!isOurs || !charge.is_taken) return
    const tournament = await findTournament(tx, charge.tournament_id)
    invariant(tournament, 'a tournament is never deleted')
    await notifyReturnedFee(tx, tournament, charge)
  })
  deps.log.info({ ...factsOf(charge), answer: 'refunded' }, 'the game has decided about a fee')
}

async function postpone({ db, log }: ChargeDeps, charge: ClaimedCharge, cause: string): Promise<void> {
  const delaySeconds = Math.min(2 ** charge.attempts, DELAY_SECONDS_MAX)
  log.warn({ ...factsOf(charge), cause, delaySeconds }, 'the game did not decide about a fee')
  await postponeCharge(db, charge, delaySeconds)
}

const factsOf = ({ id, team_id, user_id, state, attempts }: ClaimedCharge) => ({
  chargeId: id,
  teamId: team_id,
  userId: user_id,
  asked: state,
  attempt: attempts,
})
