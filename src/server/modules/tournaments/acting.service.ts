import type { OperatorAct } from '#contract/operator/act-guards.ts'
import type { OperatorTournamentRow } from '#contract/operator/tournaments.ts'
import { tournamentPhase } from '#contract/tournament-rules.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import { contentChanges } from '#server/domain/content.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { invariant, notFound } from '#server/platform/values/errors.ts'
import { changedMeanwhile } from './running.errors.ts'
import { lockTournament, updateTournament } from './running.queries.ts'
import { findTournament, type TournamentRow } from './tournaments.queries.ts'
import { toTournament } from './tournaments.service.ts'

type ActOf<Name> = Name extends `tournaments.${infer Act}` ? Act : never

type TournamentAct = ActOf<OperatorAct>

type ActCall = Pick<UserCall<never>, 'identity' | 'key' | 'overLimit' | 'request'> & {
  params: { id: string }
  body: { reason: string; updated_at?: string }
}

/** `personal` names who plays. */
type Details = { before: unknown; after: unknown; personal?: Record<string, unknown> }

export function toOperatorRow(row: TournamentRow, now: Date): OperatorTournamentRow {
  const tournament = toTournament(row)
  return {
    ...tournament,
    phase: tournamentPhase(tournament, now),
    updated_at: row.updated_at.toISOString(),
  }
}

export async function readRow(tx: Tx, id: string, now: Date): Promise<OperatorTournamentRow> {
  const row = await findTournament(tx, id)
  invariant(row, 'a tournament is never deleted')
  return toOperatorRow(row, now)
}

/**
 * One act on one tournament, in one transaction under its lock, with its row in the audit trail. An act that says which
 * state it is meant for is refused when that has changed.
 */
export async function actOnTournament(
  deps: PlatformDeps,
  call: ActCall,
  act: TournamentAct,
  work: (tx: Tx, tournament: OperatorTournamentRow) => Promise<Details>,
): Promise<OperatorTournamentRow> {
  const now = deps.clock.now()
  return actAsOperator(deps, call, {
    action: `tournaments.${act}`,
    async work(tx) {
      const { id } = call.params
      const locked = await lockTournament(tx, id)
      if (locked === undefined) throw notFound()
      const tournament = toOperatorRow(locked, now)
      const { updated_at: seen } = call.body
      if (seen !== undefined && seen !== tournament.updated_at) throw changedMeanwhile(tournament)
      const { personal, ...details } = await work(tx, tournament)
      await updateTournament(tx, id)
      await contentChanges(tx, 'tournaments')
      return {
        answer: await readRow(tx, id, now),
        audit: { subject: { type: 'tournament', id }, details, ...(personal && { personal }) },
      }
    },
  })
}
