import { SESSION_STORAGE_KEY } from '#contract/constants.ts'

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
    // Something else wrote there; a token that cannot be read is no token.
    return null
  }
}

export function saveToken(token: string): void {
  try {
    localStorage.setItem(SESSION_STORAGE_KEY, JSON.stringify({ access_token: token }))
  } catch {
    // Storage is full or forbidden: the session lives as long as the tab, through `memory`.
  }
  memory = token
}

export function clearToken(): void {
  memory = null
  try {
    localStorage.removeItem(SESSION_STORAGE_KEY)
  } catch {
    // Nothing was stored where storage is forbidden.
  }
}

/** For the script in the document's head, which knows nothing but the storage: see csp.ts of the pages. */
export function leaveNote(note: string): void {
  try {
    if (note === '') localStorage.removeItem(NOTE_KEY)
    else localStorage.setItem(NOTE_KEY, note)
  } catch {
    // Without storage the next visit starts without the note; nothing is lost but a still picture.
  }
}

const NOTE_KEY = 'portal-hint'

let memory: string | null = null

function readStored(): string | null {
  try {
    return localStorage.getItem(SESSION_STORAGE_KEY)
  } catch {
    // Storage is forbidden: fall back to what this tab remembers.
    return memory === null ? null : JSON.stringify({ access_token: memory })
  }
}
