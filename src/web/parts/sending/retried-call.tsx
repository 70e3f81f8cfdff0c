import { CallError, type CallInput } from '#client/call.ts'
import { createStore, useStore } from '#client/store.ts'
import { ATTEMPT_STORAGE_KEY } from '#contract/constants.ts'
import type { AnswerOf, Endpoint } from '#contract/endpoint.ts'
import { browserCall } from '#web/browser-call.ts'
import { session } from '#web/session/session-store.ts'
import { Alert } from '#ui/alert.tsx'

const RETRY_FIRST_MS = 1_000
const RETRY_LAST_MS = 8_000

export type RetriedKind = 'exchange' | 'gift' | 'recharge'

/** A purchase that was sent and not answered yet, as it is stored for the time after a reload of this tab. */
export type UnansweredCall = {
  kind: RetriedKind
  playerId: string
  at_ms: number
  input: { body?: unknown; idempotencyKey?: string }
}

const interruptedStore = createStore<RetriedKind | null>(null)

/** Whether a purchase of this kind waits for the connection. */
const useIsInterrupted = (kind: RetriedKind) => useStore(interruptedStore) === kind

const answeredLate = new WeakSet<object>()

/** Whether the answer came only after the connection had broken: its page is then shown in place of the usual report. */
export const wasAnsweredLate = (answer: unknown) => answeredLate.has(answer as object)

/**
 * The call of a purchase. One whose connection breaks may have taken effect: the call is repeated with the same key, which
 * acts once at most, until it answers. A reload goes on with it (`resume-call.ts`).
 */
export const retriedCall =
  (kind: RetriedKind) =>
  async <E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<AnswerOf<E>> => {
    const playerId = session.get().user?.id ?? ''
    storeUnanswered({ kind, playerId, at_ms: Date.now(), input })
    try {
      return await browserCall(endpoint, input).catch((error: unknown) => {
        if (!isUnanswered(error)) throw error
        return retryUntilAnswered(kind, endpoint, input)
      })
    } finally {
      storeUnanswered(null)
    }
  }

/** Repeats the call until there is an answer or a refusal. */
export async function retryUntilAnswered<E extends Endpoint>(
  kind: RetriedKind,
  endpoint: E,
  input: CallInput<E>,
): Promise<AnswerOf<E>> {
  interruptedStore.set(kind)
  try {
    for (let wait_ms = RETRY_FIRST_MS; ; wait_ms = Math.min(2 * wait_ms, RETRY_LAST_MS)) {
      await connected(wait_ms)
      try {
        const answer = await browserCall(endpoint, input)
        if (typeof answer === 'object' && answer !== null) answeredLate.add(answer)
        return answer
      } catch (error) {
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

/** In the storage of the tab: another tab has purchases of its own. */
export function storeUnanswered(attempt: UnansweredCall | null): void {
  try {
    if (attempt) sessionStorage.setItem(ATTEMPT_STORAGE_KEY, JSON.stringify(attempt))
    else sessionStorage.removeItem(ATTEMPT_STORAGE_KEY)
  } catch {
    // Where storage is forbidden a reload does not go on with it; the list of purchases shows what was bought.
  }
}

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
