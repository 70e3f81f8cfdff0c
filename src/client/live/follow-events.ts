import { timedFetch } from '../timed-fetch.ts'
import { createEventReader } from './event-stream.ts'

const RETRY_FIRST_MS = 1_000
const RETRY_LAST_MS = 30_000
/** The server sends a heartbeat every 15 s; after this long without one the connection counts as broken. */
const SILENCE_MS = 45_000

export type EventHandlers<Event> = {
  /** `id` is null for an event without one. */
  onEvent: (event: Event, id: string | null) => void
  /** Whether the stream is open; while it is not, the page polls. */
  onStreaming: (isStreaming: boolean) => void
}

type Tools = {
  open: (address: string, signal: AbortSignal) => Promise<Response>
  wait: (ms: number, signal: AbortSignal) => Promise<void>
}

type Following<Event> = {
  handlers: EventHandlers<Event>
  /** The session's token, read at each connection. */
  token: () => string | null
  signal: AbortSignal
  tools?: Tools
}

/**
 * Follows a stream of events until the signal aborts. A stream that breaks or ends is opened
 * again, each time later; one that the server refuses for good is left to polling. An address that is a function is asked
 * at each connection, to go on behind the last event.
 */
export async function followEvents<Event>(
  address: string | (() => string),
  { handlers, token, signal, tools = { open: openStream(token), wait } }: Following<Event>,
): Promise<void> {
  let retry_ms = RETRY_FIRST_MS
  while (!signal.aborted) {
    const outcome = await readOnce(typeof address === 'string' ? address : address(), {
      handlers,
      tools,
      signal,
    })
    if (signal.aborted) return
    handlers.onStreaming(false)
    if (outcome === 'refused') return
    if (outcome === 'received') retry_ms = RETRY_FIRST_MS
    await tools.wait(retry_ms, signal)
    retry_ms = Math.min(retry_ms * 2, RETRY_LAST_MS)
  }
}

/** One connection, from its opening to its end. */
async function readOnce<Event>(
  address: string,
  { handlers, tools, signal }: Required<Omit<Following<Event>, 'token'>>,
): Promise<'received' | 'failed' | 'refused'> {
  // `AbortSignal.any` would be shorter, but phones of two years ago do not support it.
  const connection = new AbortController()
  const disconnect = () => connection.abort()
  signal.addEventListener('abort', disconnect)
  let timer: ReturnType<typeof setTimeout> | undefined
  const restartTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(disconnect, SILENCE_MS)
  }
  let hasEvent = false
  try {
    restartTimer()
    const response = await tools.open(address, connection.signal)
    if (signal.aborted) return 'failed'
    if (!response.ok || !response.body) return isFinal(response.status) ? 'refused' : 'failed'
    handlers.onStreaming(true)
    const push = createEventReader((event, id) => {
      hasEvent = true
      handlers.onEvent(JSON.parse(event) as Event, id)
    })
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      restartTimer()
      if (!signal.aborted) push(value)
    }
  } catch {
    // Broken, silent or aborted by us: the caller decides what comes next.
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', disconnect)
  }
  return hasEvent ? 'received' : 'failed'
}

/** An ended session or somebody else's order is refused again at each try; too many streams (429) may not be. */
const isFinal = (status: number) => status >= 400 && status < 500 && status !== 429

const openStream =
  (token: () => string | null): Tools['open'] =>
  (address, signal) =>
    timedFetch(address, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${token() ?? ''}` },
      cache: 'no-store',
      signal,
    })

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const leave = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
      resolve()
    }
    const timer = setTimeout(leave, ms)
    signal.addEventListener('abort', leave)
  })
}
