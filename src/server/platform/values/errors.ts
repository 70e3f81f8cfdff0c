import { type ChangedOffer, errorCatalogue, type ErrorCode } from '#contract/errors.ts'

/** What was thrown, in words. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown)

/** A claim about our own code. When it does not hold, that is a bug: 500, logged in full, nothing leaks. */
export function invariant(condition: unknown, why: string): asserts condition {
  if (!condition) {
    throw new Error(`invariant broken: ${why}`)
  }
}

/**
 * A problem that the person who installs the portal has to fix: the environment, the database, the data directory. The message is
 * plain English with what to do, and is printed without a stack.
 */
export class SetupProblem extends Error {}

export type FieldErrors = Record<string, string[]>

type RefusalOptions = {
  /** A more exact text than the catalogue's; Vietnamese, ready to show. */
  message?: string
  errors?: FieldErrors
  retryAfterSeconds?: number
  offer?: ChangedOffer
  /** When maintenance ends; null when that is not known. */
  until?: string | null
  /** The present state, for an operator who changed an older one. */
  present?: unknown
}

/**
 * An expected error. Services throw it; one handler turns it into the refusal of the API. Its status is the catalogue's:
 * business refusals are 409 or 422, since a client ends its session on 401 and 403.
 */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly errors: FieldErrors | undefined
  readonly retryAfterSeconds: number | undefined
  readonly offer: ChangedOffer | undefined
  readonly until: string | null | undefined
  readonly present: unknown

  constructor(code: ErrorCode, options: RefusalOptions = {}) {
    super(options.message ?? errorCatalogue[code].message)
    this.name = 'Refusal'
    this.code = code
    this.status = errorCatalogue[code].status
    this.errors = options.errors
    this.retryAfterSeconds = options.retryAfterSeconds
    this.offer = options.offer
    this.until = options.until
    this.present = options.present
  }
}

export const notFound = () => new Refusal('NOT_FOUND')

/** What was looked for; throws NOT_FOUND where there is none. */
export function orNotFound<Found>(found: Found | undefined): Found {
  if (found === undefined) throw notFound()
  return found
}

/** What is asked for does not fit how things are; `present`: as they are, for whoever acted on an older state. */
export const conflict = (message: string, present?: unknown) => new Refusal('CONFLICT', { message, present })

/** The caller's change is based on a state that somebody else has changed since. */
export const changedMeanwhile = (present: object) => new Refusal('CONFLICT', { present })

/** One field is wrong: the same refusal as by a schema. */
export function invalidField(field: string, message: string): Refusal {
  return new Refusal('VALIDATION', { message, errors: { [field]: [message] } })
}

/** No answer came from another machine. While `wasConnected` is false no byte of the request was sent, so it cannot have had an effect. */
export class OutboundFailure extends Error {
  readonly wasConnected: boolean

  constructor(wasConnected: boolean, cause: unknown) {
    super(messageOf(cause), { cause })
    this.name = 'OutboundFailure'
    this.wasConnected = wasConnected
  }
}
