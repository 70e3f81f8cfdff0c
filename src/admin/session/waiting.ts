import { OPERATOR_EVENTS_PATH, type AlarmName, type Waiting } from '#contract/operator/alarms.ts'
import { addressOf } from '#client/call.ts'
import { followEvents } from '#client/live/follow-events.ts'
import { createStore, useStore } from '#client/store.ts'
import { readToken } from '#admin/session/token.ts'

const waiting = createStore<Waiting>({})

/** How much waits for an operator, by kind, as the server last said. */
export const useWaiting = () => useStore(waiting)

/** Follows what waits until the signal aborts; `onNews` names the ones of which another one has come, with its id, or one is gone. */
export function followWaiting(
  signal: AbortSignal,
  onNews: (name: AlarmName, come: string | null) => void,
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
        for (const name of Object.keys(now) as AlarmName[]) {
          const [was, is] = [before[name], now[name]]
          if (isFirst || is === undefined || (is.count === was?.count && is.newest === was.newest)) continue
          const hasCome = is.newest !== was?.newest && is.count >= (was?.count ?? 0)
          onNews(name, hasCome ? is.newest : null)
        }
        isFirst = false
      },
    },
  })
}
