import { OPERATOR_EVENTS_PATH, type Waiting, type WaitingKind } from '#contract/operator/alarms.ts'
import { addressOf } from '#client/call.ts'
import { followEvents } from '#client/live/follow-events.ts'
import { createStore, useStore } from '#client/store.ts'
import { readToken } from '#admin/session/token.ts'

const waiting = createStore<Waiting>({})

/** How much waits for an operator, by kind, as the server last said. */
export const useWaiting = () => useStore(waiting)

/** Follows what waits until the signal aborts; `onNews` names the kinds of which another one has come, or one is gone. */
export function followWaiting(
  signal: AbortSignal,
  onNews: (kind: WaitingKind, hasCome: boolean) => void,
): void {
  let isFirst = true
  void followEvents<Waiting>(addressOf(OPERATOR_EVENTS_PATH), {
    signal,
    token: readToken,
    followed: {
      onStreaming: () => {},
      onEvent(now) {
        const before = waiting.get()
        waiting.set(now)
        for (const kind of Object.keys(now) as WaitingKind[]) {
          const [was, is] = [before[kind], now[kind]]
          if (isFirst || is === undefined || (is.count === was?.count && is.newest === was.newest)) continue
          onNews(kind, is.newest !== null && is.newest !== was?.newest && is.count >= (was?.count ?? 0))
        }
        isFirst = false
      },
    },
  })
}
