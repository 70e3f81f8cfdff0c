import { paths } from '#contract/pages.ts'
import type { User } from '#contract/users.ts'
import { readStored, writeStored } from '#web/browser-storage.ts'
import { browserCall } from '#web/browser-call.ts'
import { CallError } from '#client/call.ts'
import { navigate } from '#web/navigation.tsx'
import { clearToken, readToken, saveToken, storeHint } from '#web/session/token.ts'
import { createStore, useStore } from '#client/store.ts'
import type { logout, verify } from '#contract/accounts/auth.ts'

/** `unknown` until the browser's storage was read, `checking` until the server has verified the token. */
export type SessionStatus = 'unknown' | 'anonymous' | 'checking' | 'player'

export type Session = {
  status: SessionStatus
  user: User | null
  isServerSilent: boolean
  /** The token that was stored at the load of the page was no longer valid. */
  wasExpired?: true
  /** The player is logging out: nothing is read with the token any more. */
  isLeaving?: true
}

const ANONYMOUS: Session = { status: 'anonymous', user: null, isServerSilent: false }
const CHECKING: Session = { status: 'checking', user: null, isServerSilent: false }

const MARK = 'data-session'
const WAIT = 'wait'

const RETRY_FIRST_MS = 1_000
const RETRY_LAST_MS = 30_000

export const session = createStore<Session>({ status: 'unknown', user: null, isServerSilent: false })

export const useSession = () => useStore(session)

/** On load: a stored token is verified. An expired one is cleared, which only a guarded page reports; while the server does not answer, the call is repeated. */
export async function resumeSession(retryMs = RETRY_FIRST_MS): Promise<void> {
  const token = readToken()
  if (token === null) return settle(ANONYMOUS)
  if (session.get().status !== 'checking') settle(CHECKING)
  try {
    const user = await fetchUser(token)
    if (readToken() === token) settle({ status: 'player', user, isServerSilent: false })
  } catch (error) {
    if (readToken() !== token) return
    if (isTransient(error)) {
      settle({ ...CHECKING, isServerSilent: true })
      setTimeout(() => void resumeSession(Math.min(retryMs * 2, RETRY_LAST_MS)), retryMs)
      return
    }
    clearToken()
    settle({ ...ANONYMOUS, wasExpired: true })
  }
}

/**
 * Signs in with whatever the given call answers (login, register, reset). The token is saved first and the
 * profile fetched with it; after any failure nobody is signed in (spec §4, §8).
 */
export async function openSession<A extends { access_token: string }>(signIn: () => Promise<A>): Promise<A> {
  try {
    const answer = await signIn()
    saveToken(answer.access_token)
    const user = await fetchUser(answer.access_token)
    settle({ status: 'player', user, isServerSilent: false })
    return answer
  } catch (error) {
    closeSession()
    throw error
  }
}

export async function logOut(): Promise<void> {
  session.set({ ...session.get(), isLeaving: true })
  // Leaves the player's pages first, whose guard would redirect to the login.
  await navigate(paths.home)
  const ended = browserCall<typeof logout>({ method: 'POST', path: '/auth/logout' }).catch(() => {
    // The player is logged out here even when the call fails; the token expires on the server.
  })
  closeSession()
  await ended
}

/** Forgets the session on this device only. */
export function closeSession(): void {
  clearToken()
  settle(ANONYMOUS)
}

/** An account has one starter gift; once it is bought the links to it are hidden. */
export function hasGift({ first_gift }: User): boolean {
  return typeof first_gift === 'number'
}

const DISMISSED_STORAGE_KEY = 'newcomer-card'

/** Somebody with steps left before the first gift. Banned players cannot take any; activated ones may not need a gift. */
export function isNewcomer(user: User): boolean {
  if (isBanned(user) || hasGift(user)) return false
  return !user.activated || !readStored<{ isAside: true }>(DISMISSED_STORAGE_KEY).isAside
}

/** The newcomer's card is not shown on this device again. */
export function dismissCard(): void {
  forgetCard()
  patchUser({})
}

/** The same from the next visit on: the layout of this visit does not change. */
export const forgetCard = () => writeStored(DISMISSED_STORAGE_KEY, JSON.stringify({ isAside: true }))

export function isBanned({ ban_until }: User, now_ms = Date.now()): boolean {
  return ban_until !== null && Date.parse(ban_until) > now_ms
}

/** Applies what an answer contains about the player (such as a new balance) without another request. */
export function patchUser(change: Partial<User>): void {
  const current = session.get()
  if (!current.user) return
  const user = { ...current.user, ...change }
  reportBalance(user)
  settle({ ...current, user })
}

/** Written when the balance changes: other tabs of the same browser then read theirs again. */
export const BALANCE_STORAGE_KEY = 'balance-changed'

/** Reads the player again; `isOfOtherTab` where another tab has reported a change, which this one does not report again. */
export async function refreshUser({ isOfOtherTab = false } = {}): Promise<void> {
  const token = readToken()
  if (token === null || session.get().status !== 'player') return
  const user = await fetchUser(token).catch(() => null)
  // A failed refresh changes nothing; an ended session is noticed by the next call that needs one.
  if (!user || readToken() !== token) return
  if (!isOfOtherTab) reportBalance(user)
  settle({ status: 'player', user, isServerSilent: false })
}

function reportBalance({ balance }: Pick<User, 'balance'>): void {
  if (session.get().user?.balance !== balance) writeStored(BALANCE_STORAGE_KEY, `${Date.now()} ${balance}`)
}

function fetchUser(token: string): Promise<User> {
  return browserCall<typeof verify>(
    { method: 'POST', path: '/auth/verify' },
    { body: { access_token: token } },
  )
}

function settle(next: Session): void {
  session.set(next)
  markDocument(next)
}

/** Sets the attribute of the document, and stores it for the script that sets it at the next visit. */
function markDocument({ status, user, isServerSilent }: Session): void {
  const root = document.documentElement
  if (status === 'checking') {
    // What the head's script has set stays until the server has answered, but the page is no longer hidden for a silent one.
    const found = root.getAttribute(MARK) ?? ''
    root.setAttribute(MARK, isServerSilent ? found.replace(WAIT, '').trim() : found)
    return
  }
  const mark = user ? marksOf(user) : ''
  if (status === 'player') root.setAttribute(MARK, mark)
  else root.removeAttribute(MARK)
  storeHint(mark)
}

/** What the first paint needs to know of the player, at this visit and the next, as words of one attribute. */
function marksOf(user: User): string {
  // The height of a ban's notice is not known before it is rendered: the page is hidden until then.
  return [
    'known',
    !user.activated && 'inactive',
    hasGift(user) && 'gifted',
    isNewcomer(user) && 'newcomer',
    isBanned(user) && WAIT,
  ]
    .filter(Boolean)
    .join(' ')
}

function isTransient(error: unknown): boolean {
  return !(error instanceof CallError) || error.status === 0 || error.status === 429 || error.status >= 500
}
