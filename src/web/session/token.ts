import { SESSION_STORAGE_KEY } from '#contract/constants.ts'
import { writeStored } from '#web/browser-storage.ts'

/**
 * The stored session of spec §3: `{"access_token": …}` under one key of the browser's local storage, which all tabs share. A
 * document works with the token that it took from there: another tab may store a different one at any moment.
 */
let held: string | null | undefined

/** Where the browser did not let the session be stored for all tabs, it lives as long as the tab, or as the document. */
export type Keeping = 'browser' | 'tab' | 'document'

let keeping: Keeping = 'browser'

/** The token of this document. */
export const readToken = (): string | null => (held === undefined ? takeStoredToken() : held)

export const keepingOfSession = (): Keeping => keeping

/** Takes over what is stored now. */
export function takeStoredToken(): string | null {
  if (keeping === 'document') return held ?? null
  const ofTab = tokenIn(() => sessionStorage)
  keeping = ofTab ? 'tab' : 'browser'
  held = ofTab ?? tokenIn(() => localStorage) ?? null
  return held
}

/** Whether another tab has signed in or out since. Read from the storage itself: its event may come late. */
export function isOtherTokenStored(): boolean {
  const stored = keeping === 'browser' ? tokenIn(() => localStorage) : undefined
  return stored !== undefined && stored !== readToken()
}

export function saveToken(token: string): void {
  held = token
  const text = JSON.stringify({ access_token: token })
  const isShared = store(() => localStorage, text)
  store(() => sessionStorage, null)
  keeping = isShared ? 'browser' : store(() => sessionStorage, text) ? 'tab' : 'document'
}

/** Forgets the token of this document; what another tab has stored meanwhile stays. */
export function clearToken(): void {
  if (tokenIn(() => localStorage) === readToken()) writeStored(SESSION_STORAGE_KEY, null)
  store(() => sessionStorage, null)
  held = null
  keeping = 'browser'
}

/** For the script in the document's head, which reads nothing but the storage: see csp.ts of the pages. */
export const storeHint = (hint: string) => writeStored('portal-hint', hint || null)

/** Undefined where the storage is forbidden. */
function tokenIn(storage: () => Storage): string | null | undefined {
  let stored: string | null
  try {
    stored = storage().getItem(SESSION_STORAGE_KEY)
  } catch {
    return undefined
  }
  try {
    const session: unknown = JSON.parse(stored ?? 'null')
    if (typeof session !== 'object' || session === null || !('access_token' in session)) return null
    return typeof session.access_token === 'string' && session.access_token !== ''
      ? session.access_token
      : null
  } catch {
    // Something else wrote there: no token.
    return null
  }
}

/** True if it was stored. What a full storage does not replace is removed: it would be read as the session. */
function store(storage: () => Storage, text: string | null): boolean {
  try {
    if (text === null) storage().removeItem(SESSION_STORAGE_KEY)
    else storage().setItem(SESSION_STORAGE_KEY, text)
    return true
  } catch {
    if (text !== null) store(storage, null)
    return false
  }
}
