import type { Tx } from '#server/platform/db/transaction.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import {
  clearProofs,
  deleteSessionsOf,
  setPasswordLong,
  setProved,
  setSteppedUp,
} from './sessions.queries.ts'

/** Ends every session of a player, or every one but `except`; on all processes at once. Returns how many. */
export async function endSessionsOf(
  tx: Tx,
  { userId, except }: { userId: string; except?: string },
): Promise<number> {
  return deleteSessionsOf(tx, { userId, except: except ?? null })
}

/** This session's holder has just proved the second factor. */
export async function markProved(tx: Tx, sessionId: string): Promise<void> {
  await setProved(tx, sessionId)
}

/** Records a step-up of this session; returns until when it is valid. */
export async function markSteppedUp(tx: Tx, sessionId: string): Promise<Date> {
  const until = await setSteppedUp(tx, sessionId)
  if (until === undefined) throw new Refusal('UNAUTHENTICATED')
  return until
}

/** The second factor is gone: no session has proved it any more. */
export async function forgetProofs(tx: Tx, userId: string): Promise<void> {
  await clearProofs(tx, userId)
}

/** Records whether the session's password is as long as an operator's has to be. */
export async function notePasswordLength(
  tx: Tx,
  { sessionId, isLong }: { sessionId: string; isLong: boolean },
): Promise<void> {
  await setPasswordLong(tx, { sessionId, isLong })
}
