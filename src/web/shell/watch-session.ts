import type { QueryClient } from '@tanstack/react-query'
import { forgetDrafts } from '#client/forms/drafts.ts'
import { SESSION_STORAGE_KEY } from '#contract/constants.ts'
import { sessionMoved } from '#web/browser-call.ts'
import { loadChunk } from '#web/load-chunk.tsx'
import { closeModal } from '#web/parts/modals/modal-store.ts'
import { noteInHistory } from '#web/navigation.tsx'
import { isRechargeExpected } from '#web/parts/pixel/pixel.ts'
import { readUnanswered } from '#web/parts/sending/unanswered.ts'
import { forgetOwnAnswers } from '#web/query-client.ts'
import { BALANCE_STORAGE_KEY, playerChanges, resumeSession, session } from '#web/session/session-store.ts'
import { keepingOfSession, readToken } from '#web/session/token.ts'
import { loadPlayerFrame } from '#web/shell/load-player-frame.ts'

/** Code that most visits do not need. */
const LATER = {
  resume: () => import('#web/parts/sending/resume-call.ts'),
  money: () => import('#web/session/read-money-again.ts'),
  keeping: () => import('#web/shell/tell-keeping.ts'),
}

export function watchSession(client: QueryClient, later = LATER): void {
  let { token } = session.get()
  let playerId: string | undefined
  const tokenAtOpening = readToken()
  if (tokenAtOpening === null && isNoted()) void tellWhy(later.keeping)
  session.subscribe(() => {
    const { user, status, token: present } = session.get()
    if (status !== 'anonymous') loadPlayerFrame()
    // Before anything is read for the next one.
    if (token !== null && token !== present) {
      forgetOwnAnswers(client)
      forgetDrafts()
      closeModal()
      playerChanges.set(playerChanges.get() + 1)
      if (isNoted()) noteInHistory({ isUnkept: undefined })
    }
    if (token !== present) playerId = undefined
    token = present
    if (status !== 'player' || user?.id === playerId) return
    playerId = user?.id
    if (playerId === undefined) return
    if (present !== tokenAtOpening) void tellUnkept(later.keeping)
    void resumeUnanswered(playerId, later.resume)
    if (isRechargeExpected(playerId)) void reportAwaitedRecharge(playerId)
  })
  // Another tab signed in or out: this one follows.
  addEventListener('storage', (event) => {
    if (event.key === SESSION_STORAGE_KEY || event.key === null) void resumeSession()
    if (event.key === BALANCE_STORAGE_KEY) void refreshMoney(client, later.money)
  })
  sessionMoved.subscribe(() => void resumeSession())
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return
    void resumeSession()
    if (session.get().status === 'player') void refreshMoney(client, later.money)
  })
  void resumeSession()
}

const isNoted = () => (history.state as { isUnkept?: true } | null)?.isUnkept === true

/** A session that the browser does not store: its end is told in advance, and again when a reload has brought it about. */
async function tellUnkept(load: typeof LATER.keeping): Promise<void> {
  const keeping = keepingOfSession()
  if (keeping === 'document') noteInHistory({ isUnkept: true })
  if (keeping !== 'browser') (await loadChunk(load).catch(() => null))?.tellKeeping(keeping)
}

async function tellWhy(load: typeof LATER.keeping): Promise<void> {
  const part = await loadChunk(load).catch(() => null)
  // The next document tells it.
  if (!part) return
  noteInHistory({ isUnkept: undefined })
  part.tellLost()
}

/** Repeats purchases whose answers were lost. */
async function resumeUnanswered(playerId: string, load: typeof LATER.resume): Promise<void> {
  if (!readUnanswered().some((attempt) => attempt.playerId === playerId)) return
  // Without its code they stay stored: the next document repeats them.
  const part = await loadChunk(load).catch(() => null)
  await part?.resumeCalls(playerId)
}

/** Balance and orders may have changed in another tab, or while this one was hidden. */
async function refreshMoney(client: QueryClient, load: typeof LATER.money): Promise<void> {
  try {
    const { readMoneyAgain } = await loadChunk(load)
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
