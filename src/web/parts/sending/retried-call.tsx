import { serverNow } from '#client/server-clock.ts'
import { type Call, CallError, type CallInput } from '#client/call.ts'
import { createStore, useStore } from '#client/store.ts'
import type { AnswerOf, Endpoint } from '#contract/endpoint.ts'
import { callAsNow, isOtherSession, otherSession } from '#web/browser-call.ts'
import { forgetUnanswered, keepUnanswered, type RetriedKind } from '#web/parts/sending/unanswered.ts'
import { session } from '#web/session/session-store.ts'
import { Alert } from '#ui/alert.tsx'

const RETRY_FIRST_MS = 1_000
const RETRY_LAST_MS = 8_000

const interruptedStore = createStore<RetriedKind | null>(null)

/** Whether a purchase of this kind waits for the connection. */
const useIsInterrupted = (kind: RetriedKind) => useStore(interruptedStore) === kind

const answeredLate = new WeakSet<object>()

/** Whether the answer came only after the connection had broken: its page is then shown in place of the usual report. */
export const wasAnsweredLate = (answer: unknown) => answeredLate.has(answer as object)

/**
 * The call of a purchase. One whose connection breaks may have taken effect: the call is repeated with the same key, which
 * acts once at most, until it answers. It belongs to the player who made it: a reload goes on with it (`resume-call.ts`), and
 * after another player has signed in, their next sign-in at this tab.
 */
export const retriedCall =
  (kind: RetriedKind) =>
  async <E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<AnswerOf<E>> => {
    const call = callAsNow()
    const attempt = { kind, playerId: session.get().user?.id ?? '', at_ms: serverNow(), input }
    keepUnanswered(attempt)
    let isOpen = false
    try {
      return await call(endpoint, input).catch((error: unknown) => {
        if (!isUnanswered(error)) throw error
        return retryUntilAnswered(kind, endpoint, { input, call })
      })
    } catch (error) {
      isOpen = isOtherSession(error, { isSent: true })
      throw error
    } finally {
      if (!isOpen) forgetUnanswered(attempt)
    }
  }

/** Repeats the call until there is an answer or a refusal. */
export async function retryUntilAnswered<E extends Endpoint>(
  kind: RetriedKind,
  endpoint: E,
  { input, call }: { input: CallInput<E>; call: Call },
): Promise<AnswerOf<E>> {
  interruptedStore.set(kind)
  try {
    for (let wait_ms = RETRY_FIRST_MS; ; wait_ms = Math.min(2 * wait_ms, RETRY_LAST_MS)) {
      await connected(wait_ms)
      try {
        const answer = await call(endpoint, input)
        if (typeof answer === 'object' && answer !== null) answeredLate.add(answer)
        return answer
      } catch (error) {
        if (isOtherSession(error)) throw otherSession()
        if (!isUnanswered(error) && !(error instanceof CallError && error.status >= 500)) throw error
      }
    }
  } finally {
    interruptedStore.set(null)
  }
}

/** The first try may still run on the server. */
const isUnanswered = (error: unknown) =>
  error instanceof CallError && (error.status === 0 || error.body?.code === 'IN_PROGRESS')

/** After the given time, or as soon as the device is online again. */
const connected = (wait_ms: number) =>
  new Promise<void>((resolve) => {
    const go = () => {
      clearTimeout(timer)
      removeEventListener('online', go)
      resolve()
    }
    const timer = setTimeout(go, wait_ms)
    addEventListener('online', go)
  })

const INTERRUPTED =
  'Mất kết nối. Đơn của bạn an toàn: trang đang hỏi lại máy chủ, và dù gửi lại mấy lần cũng chỉ tính một lần.'

/** While the connection is broken: shows that the purchase is safe and is being repeated. */
export function Interrupted({ kind }: { kind: RetriedKind }) {
  if (!useIsInterrupted(kind)) return null
  return (
    <Alert tone="note">
      <p>{INTERRUPTED}</p>
    </Alert>
  )
}
