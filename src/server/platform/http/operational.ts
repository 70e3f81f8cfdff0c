import { databaseRefusal } from '../db/database-failures.ts'
import { Refusal } from '../values/errors.ts'
import { OutboundFailure } from './outbound.ts'

/**
 * Failures of the infrastructure: of the database, or of a partner that does not answer. They are answered 503 with
 * Retry-After and logged as warnings; the caller repeats with the same key.
 */
export function operationalRefusal(error: unknown): Refusal | null {
  if (error instanceof OutboundFailure) return new Refusal('UNAVAILABLE', { retryAfterSeconds: 5 })
  return databaseRefusal(error)
}
