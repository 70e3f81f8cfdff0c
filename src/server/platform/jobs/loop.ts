import type { Log } from '../log/log.ts'

export type Loop = { stop(): Promise<void>; wake(): void }

/** Work that comes around by the clock; `round` answers true when there may be more of it at once. */
type Job = {
  name: string
  pauseMs: number
  round: (signal: AbortSignal) => Promise<boolean | void>
}

export const startLoops = (log: Log, jobs: readonly Job[]): Loop[] =>
  jobs.map((job) => startLoop({ ...job, log }))

/**
 * Repeats `round`: at once while it returns true (there was work), else
 * after `pauseMs`. A failure is logged and followed by a pause, never fatal. `stop` lets the running round finish; `wake` ends a pause early.
 */
export function startLoop({ name, pauseMs, round, log }: Job & { log: Log }): Loop {
  const stopping = new AbortController()
  let endPause: (() => void) | null = null
  let isWoken = false

  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const run = async () => {
    while (!stopping.signal.aborted) {
      isWoken = false
      let hadWork = false
      try {
        hadWork = (await round(stopping.signal)) === true
      } catch (error) {
        log.error({ err: error, loop: name }, 'a round of a loop failed')
      }
      if (!hadWork && !isWoken && !stopping.signal.aborted) await pause()
    }
  }
  const finished = run()

  return {
    wake() {
      isWoken = true
      endPause?.()
    },
    async stop() {
      stopping.abort()
      endPause?.()
      await finished
    },
  }
}
