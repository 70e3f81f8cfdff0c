import type { FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import type { ErrorCode } from '#contract/errors.ts'
import type { SeveralAnswer } from '#contract/operator/fields.ts'
import { ACT_GUARDS, type ActGuard, type OperatorAct, PROOF_RULES } from '#contract/operator/act-guards.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { assertFreshProof, assertPermitted, type Identity, type UserCall } from '#server/platform/http/api.ts'
import { Refusal, invariant } from '#server/platform/values/errors.ts'
import { once } from '#server/platform/idempotency/idempotency.ts'
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
  /** What takes time outside the transaction, such as a call of the game; not done again for a repeated key. */
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
 * audit trail in the same transaction; `ACT_GUARDS` has what else it takes. Throws STEP_UP_REQUIRED, KEY_REUSED, IN_PROGRESS, RATE_LIMITED, and what `work` throws.
 */
export async function actAsOperator<Answer, Facts = undefined>(
  { db, limits, clock }: Pick<PlatformDeps, 'db' | 'limits' | 'clock'>,
  { identity, key, overLimit, request, params, body }: ActCall,
  { action, prepare, work }: Act<Answer, Facts>,
): Promise<Answer> {
  assertProof(action, { identity, body }, clock)
  const guard: ActGuard = ACT_GUARDS[action]
  if (guard.isOnAccount) await assertMayTouch(db, { identity, request, params })
  const { userId } = identity
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
    operationOf(action, { identity, key, params, body }),
    prepare ? { prepare: async () => workOn(await prepare()) } : workOn(undefined as Facts),
    { limits, limit: ACTS_PER_OPERATOR, of: userId, overLimit },
  )
}

/** Throws STEP_UP_REQUIRED where the act needs a fresh proof and the session has none. */
function assertProof(
  action: OperatorAct,
  { identity, body }: Pick<ActCall, 'identity' | 'body'>,
  clock: PlatformDeps['clock'],
): void {
  const guard: ActGuard = ACT_GUARDS[action]
  if (PROOF_RULES[guard.proof](body, clock.now())) assertFreshProof(identity)
}

/** What makes the call happen once for its key. */
const operationOf = (
  action: OperatorAct,
  { identity, key, params, body }: Pick<ActCall, 'identity' | 'key' | 'params' | 'body'>,
) => (key === null ? null : { scope: `operator:${identity.userId}:${action}`, key, body: { params, body } })

/** The same act by the portal itself, as where a demo is made. */
export const actAsSystem = <Answer>(
  { db }: Pick<PlatformDeps, 'db'>,
  { body }: Pick<ActCall, 'body'>,
  { action, work }: Pick<Act<Answer, undefined>, 'action' | 'work'>,
): Promise<Answer> =>
  inTransaction(db, async (tx) => {
    const { answer, audit } = await work(tx, undefined)
    for (const one of [audit ?? []].flat())
      await appendAudit(tx, { actor: { kind: 'system' }, action, reason: body.reason, ...one })
    return answer
  })

type RowChange<Row> = {
  action: OperatorAct
  /** What the audit trail calls the row's kind. */
  type: string
  /** `before` is null for a new row, `after` for a deleted one. */
  work(tx: Tx): Promise<{ before: Row | null; after: Row | null }>
}

/** An act that creates, changes or deletes one row: answers the row, and audits it as it was and as it is. */
export async function changeRow<Row extends { id: string }>(
  deps: Pick<PlatformDeps, 'db' | 'limits' | 'clock'>,
  call: ActCall,
  { action, type, work }: RowChange<Row>,
): Promise<Row> {
  return actAsOperator(deps, call, {
    action,
    async work(tx) {
      const details = await work(tx)
      const row = (details.after ?? details.before) as Row
      return { answer: row, audit: { subject: { type, id: row.id }, details } }
    },
  })
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

/** Each row counts as an act by itself; this only ends endless calls whose rows are all refused. */
const CALLS_PER_OPERATOR = sharedLimit('operator-several', 30, 60)

/** Not about the row: the whole call is refused with it, and goes on at this row when it is repeated with its key. */
const OF_THE_CALL: readonly ErrorCode[] = ['KEY_REUSED', 'IN_PROGRESS', 'RATE_LIMITED', 'STEP_UP_REQUIRED']

/** What the call of a single row has in place of what the call of all of them has. */
type OwnKey = Pick<ActCall, 'key' | 'overLimit'>

type Several<Row> = {
  action: OperatorAct
  rows: readonly Row[]
  /** The single act on this row. True when it waits for a second person. */
  act(row: Row, own: OwnKey): Promise<boolean>
}

/**
 * The same act on several rows with one reason. Each row is an act of its own, with its transaction, its key, derived from
 * the key of the call, and its audit row; a refusal is the result of its row and leaves the others. The results are stored
 * when all rows had their turn: a repeated key answers the same, and one that was cut short goes on where it ended.
 */
export async function actOnSeveral<Row extends { id: string }>(
  { db, limits, clock }: Pick<PlatformDeps, 'db' | 'limits' | 'clock'>,
  { identity, key, overLimit, params, body }: ActCall,
  { action, rows, act }: Several<Row>,
): Promise<SeveralAnswer> {
  assertProof(action, { identity, body }, clock)
  const prepare = async () => {
    const results: SeveralAnswer['results'] = []
    for (const row of new Map(rows.map((one) => [one.id, one])).values()) {
      const own = { key: key === null ? null : keyOf(key, row.id), overLimit: null }
      results.push({ id: row.id, ...(await resultOf(act(row, own))) })
    }
    return async () => ({ answer: { results }, resultType: action, resultId: '' })
  }
  const operation = operationOf(action, { identity, key, params, body })
  const limited = { limits, limit: CALLS_PER_OPERATOR, of: identity.userId, overLimit }
  return once<SeveralAnswer>(db, operation, { prepare }, limited)
}

async function resultOf(acting: Promise<boolean>): Promise<Omit<SeveralAnswer['results'][number], 'id'>> {
  try {
    return { status: (await acting) ? 'waiting' : 'done' }
  } catch (error) {
    if (!(error instanceof Refusal) || OF_THE_CALL.includes(error.code)) throw error
    return { status: 'refused', code: error.code, message: error.message }
  }
}

const keyOf = (key: string, id: string) =>
  createHash('sha256')
    .update(JSON.stringify([key, id]))
    .digest('base64url')
