import { CallError } from '#client/call.ts'
import { createStore, useStore } from '#client/store.ts'
import type { AnswerOf, BodyInputOf } from '#contract/endpoint.ts'
import type { Permission } from '#contract/operator/roles.ts'
import { CONSOLE_IDLE_MINUTES, operatorSession, stepUpCall } from '#contract/operator/session.ts'
import { plainCall, readToken, saveToken } from './plain-call.ts'

export type Operator = AnswerOf<typeof operatorSession.me>

/**
 * `checking` until the server has answered for the stored token; `locked` after thirty minutes without a call, until a
 * code of the second factor is entered; `ended` when the server no longer has the session, until the same operator has
 * signed in again. The page stays mounted while it is locked or ended, so that nothing typed is lost.
 */
export type ConsoleSession =
  | { status: 'checking'; operator: null }
  /** `wasEnded`: by the server; the sign-in screen then shows it. */
  | { status: 'signed-out'; operator: null; wasEnded: boolean }
  | { status: 'signed-in' | 'locked'; operator: Operator | null }
  | { status: 'ended'; operator: Operator }

const session = createStore<ConsoleSession>({ status: 'checking', operator: null })

export const useConsoleSession = () => useStore(session)

export function useOperator(): Operator {
  const { operator } = useConsoleSession()
  if (operator === null) throw new Error('A screen is shown to a signed-in operator only')
  return operator
}

/** Whether the operator may do what needs this permission; of several, any one. The server checks again. */
export function useMay(): (permission: Permission | readonly Permission[]) => boolean {
  const { permissions } = useOperator()
  return (permission) => [permission].flat().some((one) => permissions.includes(one))
}

/** When the console is loaded: a stored token is verified. */
export async function resumeConsole(): Promise<void> {
  if (readToken() === null) return signOutHere()
  try {
    session.set({ status: 'signed-in', operator: await plainCall(operatorSession.me) })
  } catch (error) {
    if (error instanceof CallError && error.status === 401) return sessionRefused(error)
    if (error instanceof CallError && error.status === 403) return signOutHere()
    setTimeout(() => void resumeConsole(), 2_000)
  }
}

/** Throws CallError as the server refuses it. */
export async function signIn(body: BodyInputOf<typeof operatorSession.open>): Promise<void> {
  const { access_token: token } = await plainCall(operatorSession.open, { body })
  saveToken(token)
  session.set({ status: 'signed-in', operator: await plainCall(operatorSession.me) })
}

export async function signOut(): Promise<void> {
  await plainCall(operatorSession.close).catch(() => {
    // Without an answer the session still ends here; at the server it is locked after 30 minutes.
  })
  signOutHere()
}

/** Nobody has used the console for a while. */
function lockConsole(): void {
  if (readToken() === null) return signOutHere()
  const { status, operator } = session.get()
  if (status !== 'ended') session.set({ status: 'locked', operator })
}

/** A call was refused with 401: the session is locked, which a code opens, or it is over. */
export function sessionRefused({ body }: CallError): void {
  if (body?.code === 'SESSION_LOCKED') return lockConsole()
  const { status, operator } = session.get()
  // A call that was under way while the operator signed out.
  if (status === 'signed-out') return
  saveToken(null)
  session.set(
    operator === null ? { status: 'signed-out', operator, wasEnded: true } : { status: 'ended', operator },
  )
}

/** Enters a code of the second factor: unlocks the session, and counts as fresh proof for five minutes. */
export async function stepUp(otp: string): Promise<void> {
  try {
    await plainCall(stepUpCall, { body: { otp } })
  } catch (error) {
    if (error instanceof CallError && error.status === 401) sessionRefused(error)
    throw error
  }
  session.set({ status: 'signed-in', operator: await plainCall(operatorSession.me) })
}

/** Leaves a session, or what is left of one that ended. */
export function signOutHere(): void {
  saveToken(null)
  session.set({ status: 'signed-out', operator: null, wasEnded: false })
}

const IDLE_MS = CONSOLE_IDLE_MINUTES * 60_000
const SIGNS_OF_USE = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const

/**
 * Locks the console after thirty minutes without a touch or a key. Pages that refresh themselves would otherwise extend
 * the session of an unattended computer.
 */
export function watchIdle(): () => void {
  let usedAt = Date.now()
  const note = () => {
    usedAt = Date.now()
  }
  for (const sign of SIGNS_OF_USE) addEventListener(sign, note, { passive: true, capture: true })
  const timer = setInterval(() => {
    if (readToken() !== null && Date.now() - usedAt >= IDLE_MS) lockConsole()
  }, 5_000)
  return () => {
    clearInterval(timer)
    for (const sign of SIGNS_OF_USE) removeEventListener(sign, note, { capture: true })
  }
}

type Question = { answer: (isProved: boolean) => void }

const question = createStore<Question | null>(null)

export const useStepUpQuestion = () => useStore(question)

/** Opens a dialog for a code of the second factor; false when the operator closes it. Several calls share one dialog. */
export function requestStepUp(): Promise<boolean> {
  const open = question.get()
  return new Promise((resolve) => {
    question.set({
      answer(isProved) {
        question.set(null)
        open?.answer(isProved)
        resolve(isProved)
      },
    })
  })
}
