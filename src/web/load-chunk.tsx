import { useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { reportError } from '#client/report-error.ts'
import { LAZY_CHUNK_TIMEOUT_MS } from '#contract/constants.ts'
import { Host } from '#web/host.tsx'

/** Loads a lazy part of the application; gives up after the spec's 120 s instead of waiting for ever. */
export async function loadChunk<T>(load: () => Promise<T>, timeout_ms = LAZY_CHUNK_TIMEOUT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('A part of the page did not load in time')), timeout_ms)
  })
  try {
    return await Promise.race([load(), late])
  } catch (error) {
    reportError(error, 'code')
    throw error
  } finally {
    clearTimeout(timer)
  }
}

type LazyOptions<P> = {
  /** Stands there until it has arrived. */
  waiting?: ReactNode | ((props: P) => ReactNode)
  /** When it does not arrive or breaks: the words beside “Thử lại”, or more; nothing for an extra. */
  failed?: string
  renderFailed?: (props: P, retry: () => void) => ReactNode
  /** Called when it is shown, if it had to be waited for. */
  onArrived?: () => void
}

/**
 * A component whose code is fetched when it is first shown. Where that failed, it is asked for again at the next place, address or tap.
 * Not React's `lazy`, which keeps a failure, and whose `Suspense` shows what it waits for at least 300 ms long, also when the code
 * is there.
 */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { waiting, failed, renderFailed, onArrived }: LazyOptions<P> = {},
): ComponentType<P> {
  let Loaded: ComponentType<P> | null = null

  function Arriving(props: P) {
    const [hasArrived, setArrived] = useState(false)
    const [error, setError] = useState<unknown>(null)
    useEffect(() => {
      if (Loaded) return
      // The answer to the tap that shows this is painted first: on a slow phone to ask for code takes as long as a frame.
      const timer = setTimeout(() => {
        loadChunk(load).then((arrived) => {
          Loaded = arrived
          setArrived(true)
        }, setError)
      })
      return () => clearTimeout(timer)
    }, [])
    useEffect(() => {
      if (hasArrived) onArrived?.()
    }, [hasArrived])
    // Not as an element: it is the boundary around this that has to catch it.
    if (error) throw error
    if (Loaded) return <Loaded {...props} />
    return typeof waiting === 'function' ? waiting(props) : waiting
  }

  return function LazyPart(props: P) {
    return (
      <Host failed={failed} renderFailed={(retry) => renderFailed?.(props, retry)}>
        <Arriving {...props} />
      </Host>
    )
  }
}
