import { serverNow } from '#client/server-clock.ts'
import type { Call, CallInput } from '#client/call.ts'
import { buyPackage, storeExchange } from '#contract/exchange.ts'
import { formatMoment } from '#contract/format.ts'
import { paths } from '#contract/pages.ts'
import { createOrder } from '#contract/recharge.ts'
import { callAsNow, isOtherSession } from '#web/browser-call.ts'
import { navigate } from '#web/navigation.tsx'
import { announce, showToast } from '#web/parts/outcomes/announce.ts'
import { messagesOf } from '#web/parts/outcomes/report-outcome.ts'
import { retryUntilAnswered } from '#web/parts/sending/retried-call.tsx'
import { forgetUnanswered, readUnanswered, type UnansweredCall } from '#web/parts/sending/unanswered.ts'
import { refreshUser } from '#web/session/session-store.ts'

const copy = {
  resuming: 'Đang hỏi lại máy chủ về giao dịch vừa bị ngắt…',
  notDone: 'Giao dịch vừa bị ngắt chưa được thực hiện.',
  tooOld: (moment: string) =>
    `Giao dịch lúc ${moment} bị ngắt trước khi có trả lời và đã quá lâu nên trang không gửi lại. Nếu nó đã thành công, bạn thấy nó trong danh sách.`,
  show: 'Xem danh sách',
} as const

/** Older ones are not repeated: by then the player may have changed their mind. */
const AGE_MAX_MS = 10 * 60_000

/** After a reload or a new sign-in: repeats the calls of this player that were not answered, with their keys, and opens the page of the last. */
export async function resumeCalls(playerId: string): Promise<void> {
  const call = callAsNow()
  const own = readUnanswered().filter((attempt) => attempt.playerId === playerId)
  for (const attempt of own) {
    if (serverNow() - attempt.at_ms > AGE_MAX_MS) leaveAside(attempt)
    else await resume(attempt, call)
  }
}

async function resume(attempt: UnansweredCall, call: Call): Promise<void> {
  showToast(copy.resuming)
  try {
    const path = await pageOf(attempt, call)
    forgetUnanswered(attempt)
    await navigate(path)
  } catch (error) {
    // It waits for this player's next sign-in.
    if (isOtherSession(error)) return
    forgetUnanswered(attempt)
    announce({ kind: 'failure', lines: [copy.notDone, ...messagesOf(error)] })
  }
  await refreshUser()
}

function leaveAside(attempt: UnansweredCall): void {
  forgetUnanswered(attempt)
  const list = attempt.kind === 'recharge' ? paths.recharge : paths.deliveries()
  announce({
    kind: 'warning',
    lines: [copy.tooOld(formatMoment(new Date(attempt.at_ms).toISOString()))],
    action: { label: copy.show, run: () => void navigate(list) },
  })
}

async function pageOf({ kind, input: sent }: UnansweredCall, call: Call): Promise<string> {
  if (kind === 'recharge') {
    const input = sent as CallInput<typeof createOrder>
    const { code } = await retryUntilAnswered(kind, createOrder, { input, call })
    return paths.order(code)
  }
  const { delivery } = await (kind === 'gift'
    ? retryUntilAnswered(kind, buyPackage, { input: sent as CallInput<typeof buyPackage>, call })
    : retryUntilAnswered(kind, storeExchange, { input: sent as CallInput<typeof storeExchange>, call }))
  return paths.deliveries(delivery.id)
}
