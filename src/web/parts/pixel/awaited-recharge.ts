import { readStored, writeStored } from '#web/browser-storage.ts'
import { isGranted } from '#web/parts/pixel/consent.ts'

/** Who waits for the first money they sent, and since when: it may be credited while the portal is not open. */
type Awaited = { playerId: string; since_ms: number }

const STORAGE_KEY = 'pixel-recharge'
const WAIT_MAX_MS = 7 * 24 * 60 * 60 * 1000

export function awaitRecharge(playerId: string): void {
  if (!isGranted()) return
  writeStored(STORAGE_KEY, JSON.stringify({ playerId, since_ms: Date.now() } satisfies Awaited))
}

export function isRechargeAwaited(playerId: string): boolean {
  if (!isGranted()) return false
  const awaited = readStored<Awaited>(STORAGE_KEY)
  return awaited.playerId === playerId && Date.now() - Number(awaited.since_ms) < WAIT_MAX_MS
}

export const forgetAwaitedRecharge = () => writeStored(STORAGE_KEY, null)
