import { isGranted } from '#web/parts/pixel/consent.ts'

/** Who waits for the first money they sent, and since when: it may be credited when nobody looks. */
type Awaited = { playerId: string; since_ms: number }

const STORAGE_KEY = 'pixel-recharge'
const WAIT_MAX_MS = 7 * 24 * 60 * 60 * 1000

export function awaitRecharge(playerId: string, now_ms = Date.now()): void {
  if (!isGranted()) return
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ playerId, since_ms: now_ms } satisfies Awaited))
  } catch {
    // An advertiser's count is not worth an error to the player.
  }
}

export function isRechargeAwaited(playerId: string, now_ms = Date.now()): boolean {
  if (!isGranted()) return false
  try {
    const awaited = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<Awaited>
    return awaited.playerId === playerId && now_ms - Number(awaited.since_ms) < WAIT_MAX_MS
  } catch {
    // Something else wrote there, or storage is forbidden: nobody waits.
    return false
  }
}

export function forgetAwaitedRecharge(): void {
  try {
    localStorage.removeItem(STORAGE_KEY)
  } catch {
    // Where storage is forbidden nothing was kept.
  }
}
