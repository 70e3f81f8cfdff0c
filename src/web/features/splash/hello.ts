import { HELLO_INTERVAL_MS, HELLO_STORAGE_KEY } from '#contract/constants.ts'
import { writeStored } from '#web/browser-storage.ts'

/** Whether a visitor is to be greeted, by the stored time of the last greeting; anything else counts as none. */
export function isHelloDue(stored: string | null, now_ms: number): boolean {
  if (stored === null || !/^\d+$/.test(stored)) return true
  return now_ms - Number(stored) > HELLO_INTERVAL_MS
}

export function mayGreet(): boolean {
  try {
    return isHelloDue(localStorage.getItem(HELLO_STORAGE_KEY), Date.now())
  } catch {
    // Where nothing can be stored the greeting would appear at every visit.
    return false
  }
}

export const rememberHello = () => writeStored(HELLO_STORAGE_KEY, String(Date.now()))
