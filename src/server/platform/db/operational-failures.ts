import { OutboundFailure, Refusal } from '../values/errors.ts'
import { AWAY_STATES, isConnectionLost } from './away.ts'
import { UnknownOutcome } from './bounded-client.ts'
import { sqlState } from './transaction.ts'

/**
 * Failures of the infrastructure: the database is slow, restarting or full, or a partner does not answer. They are answered
 * 503 with Retry-After and logged as warnings; the caller repeats with the same key.
 */
const OPERATIONAL_STATES = new Set([
  ...AWAY_STATES,
  '40001', // serialisation failure, after all tries
  '40P01', // deadlock, after all tries
  '55P03', // a lock was not had in time
  '57014', // statement time-out
  '25P03', // idle in transaction too long
])

/** Text the database cannot hold: a zero character, or half of a surrogate pair inside JSON. */
const UNSTORABLE_STATES = new Set(['22021', '22P05'])

/** Invalid input that no schema of a field refused. */
export function unstorableRefusal(error: unknown): Refusal | null {
  const state = sqlState(error)
  return state !== undefined && UNSTORABLE_STATES.has(state) ? new Refusal('VALIDATION') : null
}

export function operationalRefusal(error: unknown): Refusal | null {
  if (error instanceof OutboundFailure) return new Refusal('UNAVAILABLE', { retryAfterSeconds: 5 })
  if (error instanceof UnknownOutcome) return new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 })
  const state = sqlState(error)
  if (state !== undefined && (OPERATIONAL_STATES.has(state) || state.startsWith('08'))) {
    return new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 })
  }
  if (isConnectionLost(error)) return new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 })
  return error instanceof AggregateError ? refusalOfAll(error) : null
}

/** Of several that failed, each by itself: repeating helps only where it helps all of them. */
function refusalOfAll({ errors }: AggregateError): Refusal | null {
  const refusals = errors.map(operationalRefusal)
  return refusals.every((refusal) => refusal !== null) ? (refusals[0] ?? null) : null
}
