import { dated } from '#client/answer-age.ts'
import { followEvents, type EventHandlers } from '#client/live/follow-events.ts'
import { createStore, useStore } from '#client/store.ts'
import { readToken } from '#web/session/token.ts'

const openStore = createStore(0)
const listeners = new Set<() => void>()

/** How many streams about an order or a purchase this page follows: while there are any, the bell follows none of its own. */
export const useOwnStreams = () => useStore(openStore)

/** Calls back at each event of those streams; returns what stops it. */
export function onOwnEvent(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The id of an event about something of the player is when the server read it. */
export const datedEvent = <Event>(event: Event, id: string | null): Event =>
  dated(event, id === null ? undefined : Number(id))

/** Follows a stream of the signed-in player until the signal aborts. */
export async function followOwnEvents<Event>(
  address: string,
  { signal, handlers }: { signal: AbortSignal; handlers: EventHandlers<Event> },
): Promise<void> {
  const onEvent: EventHandlers<Event>['onEvent'] = (event, id) => {
    handlers.onEvent(datedEvent(event, id), id)
    for (const listener of listeners) listener()
  }
  openStore.set(openStore.get() + 1)
  try {
    await followEvents(address, { signal, token: readToken, handlers: { ...handlers, onEvent } })
  } finally {
    openStore.set(openStore.get() - 1)
  }
}
