import type { QueryClient } from '@tanstack/react-query'
import { ATTEMPT_STORAGE_KEY, SESSION_STORAGE_KEY } from '#contract/constants.ts'
import { loadChunk } from '#web/load-chunk.ts'
import { isRechargeExpected } from '#web/parts/pixel/pixel.ts'
import { forgetOwnAnswers } from '#web/query-client.ts'
import { BALANCE_STORAGE_KEY, resumeSession, session } from '#web/session/session-store.ts'
import { loadPlayerFrame } from '#web/shell/load-player-frame.ts'

export function watchSession(client: QueryClient): void {
  let playerId = session.get().user?.id
  session.subscribe(() => {
    const { user, status } = session.get()
    if (status !== 'anonymous') loadPlayerFrame()
    if (status === 'checking' || user?.id === playerId) return
    if (playerId !== undefined) forgetOwnAnswers(client)
    playerId = user?.id
    if (playerId !== undefined) void resumeUnansweredCall(playerId)
    if (playerId !== undefined && isRechargeExpected(playerId)) void reportAwaitedRecharge(playerId)
  })
  // Another tab signed in or out: this one follows.
  addEventListener('storage', (event) => {
    if (event.key === SESSION_STORAGE_KEY || event.key === null) void resumeSession()
    if (event.key === BALANCE_STORAGE_KEY) void refreshMoney(client)
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && session.get().status === 'player') void refreshMoney(client)
  })
  void resumeSession()
}

/** Repeats a purchase whose answer was lost by a reload. */
async function resumeUnansweredCall(playerId: string): Promise<void> {
  try {
    if (sessionStorage.getItem(ATTEMPT_STORAGE_KEY) === null) return
  } catch {
    // Storage is forbidden: nothing was stored.
    return
  }
  const { resumeCall } = await loadChunk(() => import('#web/parts/sending/resume-call.ts'))
  await resumeCall(playerId)
}

/** Balance and orders may have changed in another tab, or while this one was hidden. */
async function refreshMoney(client: QueryClient): Promise<void> {
  try {
    const { readMoneyAgain } = await loadChunk(() => import('#web/session/read-money-again.ts'))
    await readMoneyAgain(client)
  } catch {
    // Offline: it is read again when the tab becomes visible.
  }
}

/** Money that arrived after its order was closed is reported on the next visit. */
async function reportAwaitedRecharge(playerId: string): Promise<void> {
  try {
    const { reportFirstRecharge } = await loadChunk(
      () => import('#web/features/recharge/report-first-recharge.ts'),
    )
    await reportFirstRecharge(playerId)
  } catch {
    // Without its code it is reported on a later visit.
  }
}
