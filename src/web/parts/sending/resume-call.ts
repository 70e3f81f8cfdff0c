import type { CallInput } from '#client/call.ts'
import { ATTEMPT_STORAGE_KEY } from '#contract/constants.ts'
import { buyPackage, storeExchange } from '#contract/exchange.ts'
import { paths } from '#contract/pages.ts'
import { createOrder } from '#contract/recharge.ts'
import { navigate } from '#web/navigation.tsx'
import { announce, showToast } from '#web/parts/outcomes/announce.ts'
import { messagesOf } from '#web/parts/outcomes/report-outcome.ts'
import { retryUntilAnswered, storeUnanswered, type UnansweredCall } from '#web/parts/sending/retried-call.tsx'
import { refreshUser } from '#web/session/session-store.ts'

const copy = {
  resuming: 'Đang hỏi lại máy chủ về giao dịch vừa bị ngắt…',
  notDone: 'Giao dịch vừa bị ngắt chưa được thực hiện.',
} as const

/** Older ones are not repeated: by then the player may have changed their mind. */
const AGE_MAX_MS = 10 * 60_000

/** After a reload: repeats the call that was not answered, with its key, and opens its page. */
export async function resumeCall(playerId: string): Promise<void> {
  const attempt = storedAttempt()
  if (!attempt) return
  if (attempt.playerId !== playerId || Date.now() - attempt.at_ms > AGE_MAX_MS) return storeUnanswered(null)
  showToast(copy.resuming)
  try {
    await navigate(await pageOf(attempt))
  } catch (error) {
    announce({ kind: 'failure', lines: [copy.notDone, ...messagesOf(error)] })
  } finally {
    storeUnanswered(null)
  }
  await refreshUser()
}

async function pageOf({ kind, input }: UnansweredCall): Promise<string> {
  if (kind === 'recharge') {
    const { code } = await retryUntilAnswered(kind, createOrder, input as CallInput<typeof createOrder>)
    return paths.order(code)
  }
  const { delivery } = await (kind === 'gift'
    ? retryUntilAnswered(kind, buyPackage, input as CallInput<typeof buyPackage>)
    : retryUntilAnswered(kind, storeExchange, input as CallInput<typeof storeExchange>))
  return paths.deliveries(delivery.id)
}

function storedAttempt(): UnansweredCall | null {
  try {
    return JSON.parse(sessionStorage.getItem(ATTEMPT_STORAGE_KEY) ?? 'null') as UnansweredCall | null
  } catch {
    return null
  }
}
