import { paths } from '#contract/pages.ts'
import type { User } from '#contract/users.ts'
import { readStored, writeStored } from '#web/browser-storage.ts'
import { callWithToken } from '#web/browser-call.ts'
import { CallError } from '#client/call.ts'
import { navigate } from '#web/navigation.tsx'
import { mustAskForContact, putOffQuestion } from '#web/session/contact-question.ts'
import { clearToken, readToken, saveToken, storeHint, takeStoredToken } from '#web/session/token.ts'
import { serverNow } from '#client/server-clock.ts'
import { createStore, useStore } from '#client/store.ts'
import type { logout, verify as verifyCall } from '#contract/accounts/auth.ts'

/** `unknown` until the browser's storage was read, `checking` until the server has verified the token. */
export type SessionStatus = 'unknown' | 'anonymous' | 'checking' | 'player'

export type Session = {
  status: SessionStatus
  /** Whose this is: another one belongs to another player, or to another sign-in of the same. */
  token: string | null
  user: User | null
  isServerSilent: boolean
  /** The token that was stored at the load of the page was no longer valid. */
  wasExpired?: true
  /** The player is logging out: nothing is read with the token any more. */
  isLeaving?: true
}

const ANONYMOUS: Session = { status: 'anonymous', token: null, user: null, isServerSilent: false }
const CHECKING: Session = { status: 'checking', token: null, user: null, isServerSilent: false }

const MARK = 'data-session'
const WAIT = 'wait'
const KNOWN = 'known'
const UNPROVED = 'unproved'

const RETRY_FIRST_MS = 1_000
const RETRY_LAST_MS = 30_000

export const session = createStore<Session>({
  status: 'unknown',
  token: null,
  user: null,
  isServerSilent: false,
})

/** How often the player of this document has changed: what was chosen or typed before belongs to another one. */
export const playerChanges = createStore(0)

export const useSession = () => useStore(session)

/** Of several verifications the last one counts: another tab may sign in and out while one waits. */
let latest = 0
let waiting: ReturnType<typeof setTimeout> | undefined

/**
 * On load, and when another tab has signed in or out: a stored token is verified. An expired one is cleared, which only a guarded
 * page reports; while the server does not answer, the call is repeated.
 */
export async function resumeSession(): Promise<void> {
  const before = session.get().status === 'unknown' ? undefined : readToken()
  const token = takeStoredToken()
  // It is shown already, or being verified.
  if (token === before) return
  if (token === null) leaveTo(ANONYMOUS)
  else await verify(token)
}

async function verify(token: string, retryMs = RETRY_FIRST_MS): Promise<void> {
  const own = begin()
  if (session.get().status !== 'checking' || session.get().token !== token) settle({ ...CHECKING, token })
  try {
    const user = await fetchUser(token)
    if (own === latest) settle({ status: 'player', token, user, isServerSilent: false })
  } catch (error) {
    if (own !== latest) return
    if (isTransient(error)) {
      settle({ ...CHECKING, token, isServerSilent: true })
      waiting = setTimeout(() => void verify(token, Math.min(retryMs * 2, RETRY_LAST_MS)), retryMs)
      return
    }
    clearToken()
    settle({ ...ANONYMOUS, wasExpired: true })
  }
}

/** What was under way for the session before does not count any more. */
function begin(): number {
  clearTimeout(waiting)
  return ++latest
}

function leaveTo(next: Session): void {
  begin()
  settle(next)
}

/**
 * Signs in with whatever the given call answers (login, register, reset). The token is saved first and the
 * profile fetched with it; after any failure nobody is signed in (spec §4, §8).
 */
export async function openSession<A extends { access_token: string }>(signIn: () => Promise<A>): Promise<A> {
  let own = latest
  try {
    const answer = await signIn()
    const token = answer.access_token
    own = begin()
    saveToken(token)
    // What is shown of another player goes before calls carry the new token.
    if (session.get().status === 'player') settle({ ...CHECKING, token })
    const user = await fetchUser(token)
    if (own === latest) settle({ status: 'player', token, user, isServerSilent: false })
    return answer
  } catch (error) {
    if (own === latest) closeSession()
    throw error
  }
}

export async function logOut(): Promise<void> {
  const { token } = session.get()
  session.set({ ...session.get(), isLeaving: true })
  // Leaves the player's pages first, whose guard would redirect to the login.
  await navigate(paths.home)
  if (token === null) return closeSession()
  const ended = callWithToken(token)<typeof logout>({ method: 'POST', path: '/auth/logout' }).catch(() => {
    // The player is logged out here even when the call fails; the token expires on the server.
  })
  if (session.get().token === token) closeSession()
  await ended
}

/** Forgets the session on this device only. */
export function closeSession(): void {
  clearToken()
  leaveTo(ANONYMOUS)
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

/** Whether this document asks the player for a way back into the account. */
export const contactQuestion = createStore(false)

/** The question is not asked again on this device for some days. */
export function putOffContacts(user: User): void {
  putOffQuestion(user)
  patchUser({})
}

export function isBanned({ ban_until }: User, now_ms = serverNow()): boolean {
  return ban_until !== null && Date.parse(ban_until) > now_ms
}

/** Reads of the player are numbered as they begin, changes as they are applied; what is shown is that of this number. */
let begun = 0
let applied = 0

/**
 * Applies what an answer contains about the player (such as a new balance) without another request. A repeated call is answered with
 * the balance of then: a newer one stays.
 */
export function patchUser(change: Partial<User>): void {
  const current = session.get()
  if (!current.user) return
  const { balance, balance_version = current.user.balance_version, ...others } = change
  const isNewer = balance !== undefined && balance_version >= current.user.balance_version
  show({ ...current.user, ...others, ...(isNewer && { balance, balance_version }) })
}

/** Written when the balance changes: other tabs of the same browser then read theirs again. */
export const BALANCE_STORAGE_KEY = 'balance-changed'

/** Reads the player again; `isOfOtherTab` where another tab has reported a change, which this one does not report again. */
export async function refreshUser({ isOfOtherTab = false } = {}): Promise<void> {
  const { token, status } = session.get()
  if (token === null || status !== 'player') return
  const own = ++begun
  const user = await fetchUser(token).catch(() => null)
  const shown = session.get()
  // A failed refresh changes nothing; an ended session is noticed by the next call that needs one.
  if (!user || shown.token !== token || !shown.user) return
  // Answers overtake each other: the balance tells its age, the rest by when it was requested.
  const isOlder =
    user.balance_version === shown.user.balance_version
      ? own < applied
      : user.balance_version < shown.user.balance_version
  if (!isOlder) show(user, { number: own, isOfOtherTab })
}

function show(user: User, { number = ++begun, isOfOtherTab = false } = {}): void {
  const { user: before, ...current } = session.get()
  applied = number
  if (!isOfOtherTab && before?.balance_version !== user.balance_version) {
    writeStored(BALANCE_STORAGE_KEY, `${user.id} ${user.balance_version}`)
  }
  settle({ ...current, user })
}

function fetchUser(token: string): Promise<User> {
  return callWithToken(token)<typeof verifyCall>(
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
  storeHint(mark)
  if (status !== 'player') {
    contactQuestion.set(false)
    root.removeAttribute(MARK)
    return
  }
  const isAsked = mark.includes(UNPROVED) && hasPlaceForQuestion(root.getAttribute(MARK) ?? '')
  root.setAttribute(MARK, isAsked ? mark : mark.replace(UNPROVED, '').trim())
  contactQuestion.set(isAsked)
}

/** What a document of a known player has no place for comes with the next one: now it would push the page down. */
const hasPlaceForQuestion = (found: string) => !found.includes(KNOWN) || found.includes(UNPROVED)

/** What the first paint needs to know of the player, at this visit and the next, as words of one attribute. */
function marksOf(user: User): string {
  // The height of a ban's notice is not known before it is rendered: the page is hidden until then.
  return [
    KNOWN,
    !user.activated && 'inactive',
    hasGift(user) && 'gifted',
    isNewcomer(user) && 'newcomer',
    isBanned(user) && WAIT,
    mustAskForContact(user) && UNPROVED,
  ]
    .filter(Boolean)
    .join(' ')
}

function isTransient(error: unknown): boolean {
  return !(error instanceof CallError) || error.status === 0 || error.status === 429 || error.status >= 500
}
