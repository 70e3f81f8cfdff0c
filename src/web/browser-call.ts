import { CallError, createCall, type Call } from '#client/call.ts'
import { replyOf, timedFetch } from '#client/timed-fetch.ts'
import { createStore } from '#client/store.ts'
import { isOtherTokenStored, readToken } from '#web/session/token.ts'
import type { Transport } from '#contract/rendered-page.ts'

/** In place of a status of the server: whoever made the call is not signed in here any more. */
export const NOT_SENT = 440
export const SENT = 441

/** Whether a call was given up since somebody else is signed in now; of one that was sent it is not known what came of it. */
export const isOtherSession = (error: unknown, { isSent }: { isSent?: true } = {}): boolean =>
  error instanceof CallError && (error.status === SENT || (error.status === NOT_SENT && !isSent))

/** The same of a call whose first try was sent. */
export const otherSession = (): CallError => new CallError(SENT, null)

/** Counts how often a call has found that another tab signed in or out. */
export const sessionMoved = createStore(0)

type Send = (...sent: [...Parameters<Transport>, Headers]) => ReturnType<Transport>

/**
 * What travels belongs to the player who was signed in when it was made: once that has changed an act is not sent, and no
 * answer is given out. A visitor's calls belong to nobody.
 */
export const ofPlayer =
  (send: Send, madeWith?: string | null): Transport =>
  async (request) => {
    const token = madeWith === undefined ? readToken() : madeWith
    const isRead = request.method === 'GET'
    const hasMoved = (): boolean => {
      const isElsewhere = isOtherTokenStored()
      if (isElsewhere) sessionMoved.set(sessionMoved.get() + 1)
      return token !== null && (token !== readToken() || (isElsewhere && !isRead))
    }
    if (hasMoved()) return { status: NOT_SENT, text: '' }
    const reply = await send(request, headersOf(request.headers, token))
    return hasMoved() ? { status: SENT, text: '' } : reply
  }

/** Calls wait as long as the server takes (spec §7). */
const send: Send = async ({ method, url, body }, headers) =>
  replyOf(await timedFetch(url, { method, headers, body }))

export const browserCall = createCall(ofPlayer(send))

let asking: Promise<unknown> | undefined

/** Where no call has told the server's time yet: one that answers nothing else. */
export const askServerTime = (): Promise<unknown> =>
  (asking ??= timedFetch('/api/settings', { method: 'HEAD', cache: 'no-store' }).catch(() => {
    // The next page that needs it asks again.
    asking = undefined
  }))

/** For several calls of one act: all belong to the player who is signed in now. */
export const callAsNow = (): Call => createCall(ofPlayer(send, readToken()))

/** A call about a session itself, whichever is current. */
export const callWithToken = (token: string): Call =>
  createCall((request) => send(request, headersOf(request.headers, token)))

/** What a call sends of its player: the session, and the XSRF cookie in return. */
function headersOf(given: Record<string, string>, token: string | null): Headers {
  const headers = new Headers(given)
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  const xsrf = readCookie('XSRF-TOKEN')
  if (xsrf !== null) headers.set('x-xsrf-token', xsrf)
  return headers
}

export function readCookie(name: string, cookies = document.cookie): string | null {
  const found = cookies.split('; ').find((part) => part.startsWith(`${name}=`))
  try {
    return found === undefined ? null : decodeURIComponent(found.slice(name.length + 1))
  } catch {
    // An invalid cookie counts as none.
    return null
  }
}
