import { SESSION_STORAGE_KEY } from '#contract/constants.ts'
import { writeStored } from '#web/browser-storage.ts'

/** The stored session of spec §3: `{"access_token": …}` under one key of the browser's local storage. */
export function readToken(): string | null {
  const stored = readStored()
  if (stored === null) return null
  try {
    const session: unknown = JSON.parse(stored)
    if (typeof session !== 'object' || session === null || !('access_token' in session)) return null
    return typeof session.access_token === 'string' && session.access_token !== ''
      ? session.access_token
      : null
  } catch {
    // Something else wrote there: no token.
    return null
  }
}

export function saveToken(token: string): void {
  writeStored(SESSION_STORAGE_KEY, JSON.stringify({ access_token: token }))
  // Where storage is forbidden the session lives as long as the tab.
  memory = token
}

export function clearToken(): void {
  memory = null
  writeStored(SESSION_STORAGE_KEY, null)
}

/** For the script in the document's head, which reads nothing but the storage: see csp.ts of the pages. */
export const storeHint = (hint: string) => writeStored('portal-hint', hint || null)

let memory: string | null = null

function readStored(): string | null {
  try {
    return localStorage.getItem(SESSION_STORAGE_KEY)
  } catch {
    // Storage is forbidden: use what this tab remembers.
    return memory === null ? null : JSON.stringify({ access_token: memory })
  }
}
