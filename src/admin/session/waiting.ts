import { addressOf } from '#client/call.ts'
import { followEvents } from '#client/live/follow-events.ts'
import { createStore, useStore } from '#client/store.ts'
import {
  type Alarm,
  type AlarmName,
  OPERATOR_EVENTS_PATH,
  operatorAlarms,
  type Waiting,
  WAITING_COUNT_MAX,
} from '#contract/operator/alarms.ts'
import { plainCall, readToken } from './plain-call.ts'

/** After a try to open the stream. */
const POLL_AFTER_MS = 1_000

const waiting = createStore<Waiting>({})

/** How much waits for an operator, by kind, in the server's last answer. */
export const useWaiting = () => useStore(waiting)

/** By the list of alarms, which does not name the newest of each. */
async function readWaiting(): Promise<Waiting> {
  const alarms = await plainCall(operatorAlarms.list)
  return Object.fromEntries(
    alarms.map(({ name, count }) => [
      name,
      { count: Math.min(count, WAITING_COUNT_MAX), newest: waiting.get()[name]?.newest ?? null },
    ]),
  )
}

type Watcher = {
  /** The list of alarms as it is on the screen or will be in a moment; undefined where none is shown. */
  shown: () => Promise<readonly Alarm[] | undefined>
  /** Called with the kind when a new one has arrived, with its id, or one is gone. */
  onNews: (name: AlarmName, newestId: string | null) => void
}

/**
 * Follows what waits until the signal aborts. While the stream is refused or broken, what waits is read after each try to open
 * it, every half a minute.
 */
export function followWaiting(signal: AbortSignal, { shown, onNews }: Watcher): void {
  let isFirst = true
  let isOpen = false
  const take = (now: Waiting) => {
    const before = waiting.get()
    waiting.set(now)
    for (const name of Object.keys(now) as AlarmName[]) {
      const [was, is] = [before[name], now[name]]
      if (isFirst || is === undefined || (is.count === was?.count && is.newest === was.newest)) continue
      const isNew = is.newest !== was?.newest && is.count >= (was?.count ?? 0)
      onNews(name, isNew ? is.newest : null)
    }
    if (isFirst) void compareWithShown()
    isFirst = false
  }
  // The list may have been read before what the stream begins with.
  const compareWithShown = async () => {
    const alarms = await shown().catch(() => undefined)
    if (alarms === undefined || signal.aborted) return
    const now = waiting.get()
    for (const name of Object.keys(now) as AlarmName[]) {
      const count = alarms.find((alarm) => alarm.name === name)?.count ?? 0
      const is = now[name]
      if (is !== undefined && is.count !== Math.min(count, WAITING_COUNT_MAX))
        onNews(name, is.count > count ? is.newest : null)
    }
  }
  const poll = async () => {
    if (isOpen || signal.aborted) return
    // What cannot be read now either is read after the next try.
    const now = await readWaiting().catch(() => null)
    if (now !== null && !isOpen && !signal.aborted) take(now)
  }
  void followEvents<Waiting>(addressOf(OPERATOR_EVENTS_PATH), {
    signal,
    token: readToken,
    handlers: {
      onStreaming(isStreaming) {
        isOpen = isStreaming
        // Not at once: the stream ends first when somebody signs out.
        if (!isStreaming) setTimeout(() => void poll(), POLL_AFTER_MS)
      },
      onEvent: take,
    },
  })
}
