import type { CallInput } from '#client/call.ts'
import { ATTEMPT_STORAGE_KEY } from '#contract/constants.ts'
import { buyPackage, storeExchange } from '#contract/exchange.ts'
import { paths } from '#contract/pages.ts'
import { createOrder } from '#contract/recharge.ts'
import { navigate } from '#web/navigation.tsx'
import { announce } from '#web/parts/outcomes/dialog-store.ts'
import { messagesOf } from '#web/parts/outcomes/report-outcome.ts'
import { showToast } from '#web/parts/outcomes/toast-store.ts'
import { attemptCopy as copy } from '#web/parts/sending/attempt.copy.ts'
import { askAgain, store, type Attempt } from '#web/parts/sending/attempt.ts'
import { refreshUser } from '#web/session/session-store.ts'

/** Older ones are not repeated: by then the player may have thought better of it. */
const AGE_MAX_MS = 10 * 60_000

/** After a reload: what had been sent and not answered is asked for again with its key, and its page is shown. */
export async function resumeAttempt(playerId: string): Promise<void> {
  const attempt = storedAttempt()
  if (!attempt) return
  if (attempt.playerId !== playerId || Date.now() - attempt.at_ms > AGE_MAX_MS) return store(null)
  showToast(copy.resuming)
  try {
    await navigate(await pageOf(attempt))
  } catch (error) {
    announce({ kind: 'failure', lines: [copy.notDone, ...messagesOf(error)] })
  } finally {
    store(null)
  }
  await refreshUser()
}

async function pageOf({ kind, input }: Attempt): Promise<string> {
  if (kind === 'recharge') {
    const { code } = await askAgain(kind, createOrder, input as CallInput<typeof createOrder>)
    return paths.order(code)
  }
  const { delivery } = await (kind === 'gift'
    ? askAgain(kind, buyPackage, input as CallInput<typeof buyPackage>)
    : askAgain(kind, storeExchange, input as CallInput<typeof storeExchange>))
  return paths.deliveries(delivery.id)
}

function storedAttempt(): Attempt | null {
  try {
    return JSON.parse(sessionStorage.getItem(ATTEMPT_STORAGE_KEY) ?? 'null') as Attempt | null
  } catch {
    return null
  }
}
