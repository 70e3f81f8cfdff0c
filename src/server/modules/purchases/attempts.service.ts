import type { DeliveryAttempt } from '#contract/operator/deliveries.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { shortened } from './deliveries.rules.ts'
import { deleteOldAttempts, insertAttempts, type NewAttempt } from './attempts.queries.ts'

type Asked = DeliveryAttempt['asked']
type GameAnswer = { kind: DeliveryAttempt['answer']; reason?: string; cause?: string }

/** Why the game said so, or why nothing came back. */
export const noteOf = ({ reason, cause }: GameAnswer): string | undefined => reason ?? cause

/** Asks the game once, and adds to `attempts` what came of it. */
export async function timed<Answer extends GameAnswer>(
  { clock }: Pick<PlatformDeps, 'clock'>,
  { attempts, asked }: { attempts: NewAttempt[]; asked: Asked },
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const [asked_at, startedAt_ms] = [clock.now(), performance.now()]
  const answer = await ask()
  const note = noteOf(answer)
  attempts.push({
    asked,
    answer: answer.kind,
    note: note === undefined ? null : shortened(note),
    took_ms: Math.round(performance.now() - startedAt_ms),
    asked_at,
  })
  return answer
}

/**
 * Keeps what was asked about a delivery, after its outcome is written. Never throws: what happens to a delivery must
 * not depend on these rows.
 */
export async function keepAttempts(
  { db, log }: Pick<PlatformDeps, 'db' | 'log'>,
  attempts: readonly NewAttempt[],
  about: { deliveryId: string; operatorId: string | null },
): Promise<void> {
  try {
    if (attempts.length > 0) await insertAttempts(db, attempts, about)
  } catch (error) {
    log.warn({ err: error, ...about }, 'what the game was asked about a delivery could not be kept')
  }
}

const KEPT_DAYS = 90
const ERASED_AT_ONCE = 1_000

/** Erases one batch of attempts older than 90 days; true when there may be more. */
export async function eraseOldAttempts({ db }: Pick<PlatformDeps, 'db'>): Promise<boolean> {
  return (await deleteOldAttempts(db, { days: KEPT_DAYS, limit: ERASED_AT_ONCE })) === ERASED_AT_ONCE
}
