import type { FastifyRequest } from 'fastify'
import { ACT_GUARDS, type ActGuard, type OperatorAct, PROOF_RULES } from '#contract/operator/act-guards.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { assertFreshProof, assertPermitted, type Identity, type UserCall } from '#server/platform/http/api.ts'
import { once } from '#server/platform/idempotency/idempotency.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import {
  type AuditEntry,
  insertLimitedAct,
  isOperator,
  type LimitedAct,
  lockSum,
  sumOfDay,
} from './audit.queries.ts'
import { appendAudit } from './audit.service.ts'

/** Far above what a person does, far below what a script with a stolen session would. */
const ACTS_PER_OPERATOR = sharedLimit('operator-acts', 120, 60)

/** `action` only where the row is called otherwise than the act. */
export type Recorded = Pick<AuditEntry, 'subject' | 'details' | 'personal'> & {
  action?: AuditEntry['action']
}

/** `audit` has a row for each thing that was changed; it is null where the act is recorded elsewhere, as a proposal is. */
type Done<Answer> = {
  answer: Answer
  audit: Recorded | readonly Recorded[] | null
}

type Act<Answer, Facts> = {
  /** What the audit trail calls it, what its idempotency keys are for, and its row in the table of what acts take. */
  action: OperatorAct
  /** What takes time outside the transaction, such as asking the game; not done again for a repeated key. */
  prepare?: () => Promise<Facts>
  /** Locks, checks and changes; its refusals roll everything back. */
  work(tx: Tx, facts: Facts): Promise<Done<Answer>>
}

/** An operator's call; its body has a reason, unless the act is one of words only, and the fields of the act. */
export type ActCall = Pick<UserCall<never>, 'key' | 'overLimit'> & {
  identity: Pick<Identity, 'userId' | 'steppedUpUntil' | 'permissions'>
  request: Pick<FastifyRequest, 'id' | 'log'>
  params?: unknown
  body: { reason?: string; [field: string]: unknown }
}

/**
 * One act of an operator: at most once for its idempotency key, no oftener than a person acts, and with its row in the
 * audit trail in the same transaction; `ACT_GUARDS` says what else it takes. Throws STEP_UP_REQUIRED, KEY_REUSED, IN_PROGRESS, RATE_LIMITED, and what `work` throws.
 */
export async function actAsOperator<Answer, Facts = undefined>(
  { db, limits, clock }: Pick<PlatformDeps, 'db' | 'limits' | 'clock'>,
  { identity, key, overLimit, request, params, body }: ActCall,
  { action, prepare, work }: Act<Answer, Facts>,
): Promise<Answer> {
  const guard: ActGuard = ACT_GUARDS[action]
  if (PROOF_RULES[guard.proof](body, clock.now())) assertFreshProof(identity)
  if (guard.isOnAccount) await assertMayTouch(db, { identity, request, params })
  const { userId } = identity
  const operation =
    key === null ? null : { scope: `operator:${userId}:${action}`, key, body: { params, body } }
  const workOn = (facts: Facts) => async (tx: Tx) => {
    // First of all, so that acts of one operator that a sum limits never wait for each other with other locks in hand.
    if (guard.limit !== null) await lockSum(tx, 'operator', userId)
    const { answer, audit } = await work(tx, facts)
    const actor = { kind: 'operator', id: userId } as const
    const entry = { actor, action, reason: body.reason, requestId: request.id }
    const recorded = [audit ?? []].flat()
    for (const one of recorded) await appendAudit(tx, { ...entry, ...one })
    return { answer, resultType: action, resultId: recorded[0]?.subject.id ?? '' }
  }
  return once<Answer>(
    db,
    operation,
    prepare ? { prepare: async () => workOn(await prepare()) } : workOn(undefined as Facts),
    { limits, limit: ACTS_PER_OPERATOR, of: userId, overLimit },
  )
}

/** An operator's account is touched by those only who manage operators. */
async function assertMayTouch(
  db: Db,
  { identity, request, params }: Pick<ActCall, 'identity' | 'request' | 'params'>,
): Promise<void> {
  const { id } = params as { id: string }
  if (identity.permissions.includes('staff.manage') || !(await isOperator(db, id))) return
  assertPermitted({ identity, request }, 'staff.manage')
}

/**
 * Whether one person may do it alone: with it, neither what this operator nor what this player was given or taken by acts
 * that count is above the limit within 24 hours. Counts it then. The caller's act has its operator's turn already
 * (`actAsOperator`); those that concern the player take turns from here on, so that two acts at once cannot both fit.
 */
export async function countAlone(
  tx: Tx,
  act: LimitedAct & { action: OperatorAct; limit: number },
): Promise<boolean> {
  const guard: ActGuard = ACT_GUARDS[act.action]
  invariant(guard.limit !== null, 'only acts whose row has a limit are counted')
  if (act.userId !== null) await lockSum(tx, 'player', act.userId)
  const { ofOperator, ofPlayer } = await sumOfDay(tx, act)
  if (Math.max(ofOperator, ofPlayer) + act.coins > act.limit) return false
  await insertLimitedAct(tx, act)
  return true
}
