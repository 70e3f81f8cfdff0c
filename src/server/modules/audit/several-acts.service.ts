import { createHash } from 'node:crypto'
import { ACT_GUARDS, PROOF_RULES, type ActGuard, type OperatorAct } from '#contract/operator/act-guards.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { SeveralAnswer } from '#contract/operator/fields.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { assertFreshProof } from '#server/platform/http/api.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import { once } from '#server/platform/idempotency/idempotency.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import type { ActCall } from './operator-act.service.ts'

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
  const guard: ActGuard = ACT_GUARDS[action]
  if (PROOF_RULES[guard.proof](body, clock.now())) assertFreshProof(identity)
  const { userId } = identity
  const operation =
    key === null ? null : { scope: `operator:${userId}:${action}`, key, body: { params, body } }
  const prepare = async () => {
    const results: SeveralAnswer['results'] = []
    for (const row of new Map(rows.map((one) => [one.id, one])).values()) {
      const own = { key: key === null ? null : keyOf(key, row.id), overLimit: null }
      results.push({ id: row.id, ...(await resultOf(act(row, own))) })
    }
    return async () => ({ answer: { results }, resultType: action, resultId: '' })
  }
  return once<SeveralAnswer>(
    db,
    operation,
    { prepare },
    {
      limits,
      limit: CALLS_PER_OPERATOR,
      of: userId,
      overLimit,
    },
  )
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
