import type { Log } from '../log/log.ts'

export type Loop = { stop(): Promise<void>; wake(): void }

/**
 * Repeats `round`: at once while it returns true (there was work), else
 * after `pauseMs`. A failure is logged and followed by a pause, never fatal. `stop` lets the running round finish; `wake` ends a pause early.
 */
export function startLoop(options: {
  name: string
  pauseMs: number
  log: Log
  round: (signal: AbortSignal) => Promise<boolean>
}): Loop {
  const { name, pauseMs, log, round } = options
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
        hadWork = await round(stopping.signal)
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
