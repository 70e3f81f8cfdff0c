import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { assertFreshProof, type UserCall } from '#server/platform/http/api.ts'
import { once } from '#server/platform/idempotency.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import type { AuditEntry } from './audit-entry.ts'
import { appendAudit } from './audit.service.ts'

/** Far above what a person does, far below what a script with a stolen session would. */
const ACTS_PER_OPERATOR = sharedLimit('operator-acts', 120, 60)

type Recorded = Pick<AuditEntry, 'subject' | 'details' | 'personal'>

/** `audit` has a row for each thing that was changed; it is null where the act is recorded elsewhere, as a proposal is. */
type Done<Answer> = {
  answer: Answer
  audit: Recorded | readonly Recorded[] | null
}

type Act<Answer> = {
  /** `<resource>.<act>`: what the audit trail calls it, and what its idempotency keys are for. */
  action: string
  /** Throws STEP_UP_REQUIRED without fresh proof. Left out: not needed. */
  needsFreshProof?: boolean
  /** Locks, checks and changes; its refusals roll everything back. */
  work(tx: Tx): Promise<Done<Answer>>
}

/** An operator's call; its body has a reason, unless the act is one of words only, and the fields of the act. */
type ActCall = Pick<UserCall<never>, 'identity' | 'key' | 'overLimit' | 'request'> & {
  params?: unknown
  body: { reason?: string; [field: string]: unknown }
}

/**
 * One act of an operator: at most once for its idempotency key, no oftener than a person acts, and with its row in the
 * audit trail in the same transaction. Throws KEY_REUSED, IN_PROGRESS, RATE_LIMITED, and what `work` throws.
 */
export async function actAsOperator<Answer>(
  { db, limits }: Pick<PlatformDeps, 'db' | 'limits'>,
  { identity, key, overLimit, request, params, body }: ActCall,
  { action, needsFreshProof = false, work }: Act<Answer>,
): Promise<Answer> {
  if (needsFreshProof) assertFreshProof(identity)
  const { userId } = identity
  const operation =
    key === null ? null : { scope: `operator:${userId}:${action}`, key, body: { params, body } }
  return once<Answer>(
    db,
    operation,
    async (tx) => {
      const { answer, audit } = await work(tx)
      const actor = { kind: 'operator', id: userId } as const
      const entry = { actor, action, reason: body.reason, requestId: request.id }
      const recorded = [audit ?? []].flat()
      for (const one of recorded) await appendAudit(tx, { ...entry, ...one })
      return { answer, resultType: action, resultId: recorded[0]?.subject.id ?? '' }
    },
    { limits, limit: ACTS_PER_OPERATOR, of: userId, overLimit },
  )
}
