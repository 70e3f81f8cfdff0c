import { CallError, isTransient } from '#client/call.ts'
import { randomId } from '#client/random-id.ts'
import { createStore, type Store } from '#client/store.ts'
import type {
  OperatorMatch,
  OperatorTournament,
  OperatorTournamentRow,
} from '#contract/operator/tournaments.ts'
import {
  type DeskQueue,
  EMPTY_QUEUE,
  isStillMeant,
  type QueuedAct,
  refusedWith,
  resent,
  sentWith,
  takenAs,
  type Taken,
  versionOf,
  waitingActs,
} from './desk-queue.ts'

const RETRY_FIRST_MS = 1_000
const RETRY_LAST_MS = 5_000

function readStored(name: string): DeskQueue {
  try {
    const stored = JSON.parse(localStorage.getItem(name) ?? 'null') as DeskQueue | null
    return Array.isArray(stored?.acts) ? stored : EMPTY_QUEUE
  } catch {
    // Storage is forbidden, or holds something else.
    return EMPTY_QUEUE
  }
}

function writeStored(name: string, queue: DeskQueue): void {
  try {
    if (queue.acts.length === 0) localStorage.removeItem(name)
    else localStorage.setItem(name, JSON.stringify(queue))
  } catch {
    // Storage is forbidden or full: the acts last until the page is left.
  }
}

/** Under which name the acts of one operator in one tournament are stored. */
export const queueName = (operatorId: string, tournamentId: string) => `desk-${operatorId}-${tournamentId}`

/** The queue in this browser's storage, so that it outlives the page. */
export function openStoredQueue(name: string) {
  const store = createStore(readStored(name))
  store.subscribe(() => writeStored(name, store.get()))
  return store
}

/** Takes over what another tab changes. */
export function followOtherTabs(store: Store<DeskQueue>, name: string, signal: AbortSignal): void {
  const follow = ({ key }: StorageEvent) => {
    if (key === name) store.set(readStored(name))
  }
  addEventListener('storage', follow, { signal })
}

type Tools = {
  /** Makes the call of an act; throws CallError. */
  send: (queued: QueuedAct, updatedAt: string) => Promise<Taken>
  /** The tournament as it is shown. */
  shown: () => OperatorTournament
  /** False while there is no network, or nobody is signed in. */
  maySend: () => boolean
  onTaken: (answer: Taken) => Promise<void>
  onRefused: () => void
  /** Until there may be a network again, at the latest after so long. */
  wait: (ms: number) => Promise<void>
  messageOf: (error: unknown) => string
  /** Why an act is kept that was tapped upon a refused one. */
  unsent: string
}

/** The state in a refusal: of the match, or of the whole tournament. */
const presentOf = (error: CallError) =>
  (error.body?.present ?? null) as OperatorMatch | OperatorTournamentRow | null

const mayComeThrough = (error: unknown): boolean =>
  isTransient(error) ||
  (error instanceof CallError && ([401, 429].includes(error.status) || error.body?.code === 'IN_PROGRESS'))

/**
 * Sends the waiting acts one after the other until the signal aborts. What gets no answer is sent again under its key;
 * what is refused stays in the queue for the referee, and the next one follows.
 */
export async function sendQueue(store: Store<DeskQueue>, tools: Tools, signal: AbortSignal): Promise<void> {
  let retryMs = RETRY_FIRST_MS
  while (!signal.aborted) {
    const [next] = waitingActs(store.get())
    if (next === undefined) {
      await untilChanged(store, signal)
    } else if (tools.maySend() && (await sendOne(store, next, tools))) {
      retryMs = RETRY_FIRST_MS
    } else {
      await tools.wait(retryMs)
      retryMs = Math.min(2 * retryMs, RETRY_LAST_MS)
    }
  }
}

function untilChanged(store: Store<DeskQueue>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const leave = store.subscribe(() => end())
    const end = () => {
      leave()
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end)
  })
}

/** False: there was no answer, so that it is still the next. */
async function sendOne(store: Store<DeskQueue>, next: QueuedAct, tools: Tools): Promise<boolean> {
  const version = versionOf(store.get(), next, tools.shown())
  store.set(sentWith(store.get(), next.key, version))
  try {
    const answer = await tools.send(next, version)
    await tools.onTaken(answer)
    store.set(takenAs(store.get(), next, answer))
  } catch (error) {
    if (mayComeThrough(error)) return false
    const present = error instanceof CallError ? presentOf(error) : null
    if (present !== null && 'phase' in present && isStillMeant(next.act, present)) {
      store.set(resent(store.get(), next, randomId(), present))
      return true
    }
    const match = present !== null && 'round' in present ? present : null
    const refused = { message: tools.messageOf(error), present: match }
    store.set(refusedWith(store.get(), next, refused, tools.unsent))
    tools.onRefused()
  }
  return true
}
