import { lazy, type ComponentType } from 'react'
import { reportError } from '#client/report-error.ts'
import { LAZY_CHUNK_TIMEOUT_MS } from '#contract/constants.ts'

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

/** A component whose code is fetched when it is first shown; where that fails nothing is shown. */
export const lazyComponent = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  onFailed?: () => void,
) =>
  lazy(() =>
    loadChunk(load)
      .catch((): ComponentType<P> => {
        onFailed?.()
        return () => null
      })
      .then((Loaded) => ({ default: Loaded })),
  )
