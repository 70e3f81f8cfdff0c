import { lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react'
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
}

/** A component whose code is fetched when it is first shown. Where that failed, it is asked for again at the next place, address or tap. */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { waiting, failed, renderFailed }: LazyOptions<P> = {},
): ComponentType<P> {
  let hasFailed = false
  const start = () =>
    lazy(() =>
      loadChunk(load).then(
        (Loaded) => ({ default: Loaded }),
        (error: unknown) => {
          hasFailed = true
          throw error
        },
      ),
    )
  let Shown = start()
  const renew = () => {
    if (!hasFailed) return
    hasFailed = false
    Shown = start()
  }

  return function LazyPart(props: P) {
    useState(renew)
    return (
      <Host failed={failed} renderFailed={(retry) => renderFailed?.(props, retry)} onRetry={renew}>
        <Suspense fallback={typeof waiting === 'function' ? waiting(props) : waiting}>
          <Shown {...props} />
        </Suspense>
      </Host>
    )
  }
}
