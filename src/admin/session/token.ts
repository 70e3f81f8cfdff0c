const TOKEN_KEY = 'console-session'

let memory: string | null = null

/** The console's token lives in the tab: it is gone when the tab is closed, and other tabs sign in for themselves. */
export function readToken(): string | null {
  try {
    return sessionStorage.getItem(TOKEN_KEY) ?? memory
  } catch {
    // Storage is forbidden: the token lasts until the page is left.
    return memory
  }
}

export function saveToken(token: string | null): void {
  memory = token
  try {
    if (token === null) sessionStorage.removeItem(TOKEN_KEY)
    else sessionStorage.setItem(TOKEN_KEY, token)
  } catch {
    // See above.
  }
}
