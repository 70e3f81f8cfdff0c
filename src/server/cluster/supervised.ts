import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#server/platform/log/log.ts'
import {
  nameOfPlace,
  PLACE_VARIABLE,
  writePlace,
  type ProcessPlace,
} from '#server/platform/process/identity.ts'
import { SetupProblem } from '#server/platform/values/errors.ts'
import { after, NO_HISTORY, pauseMs } from './restarts.rules.ts'

/** From the primary to a process it started. */
export type Order = { portal: 'stop' | 'report' }

/** From a started process to the primary. */
export type Report =
  | { portal: 'ready' | 'reported' }
  /** It cannot start; the sentence explains why and what to do. */
  | { portal: 'failed'; sentence: string }

type Message = Order | Report

/** Other messages of the same channel, those of node:cluster and of the shared limits, are not ours. */
export const isOurs = <Received extends Message>(message: unknown): message is Received =>
  typeof message === 'object' && message !== null && 'portal' in message

export type Supervised = {
  /** Once the process is ready for the first time; rejects when its first start fails. */
  ready: Promise<void>
  /** Rejects when it died again and again at its start. */
  hopeless: Promise<never>
  /** Makes it print what is connected; resolves when it has done so, or is gone. */
  report(): Promise<void>
  /** Until it is gone; killed when it takes longer than `waitMs`. */
  stop(waitMs: number): Promise<void>
}

type Ended = { wasReady: boolean; seconds: number; why: string }

/** One life of one process, from fork to exit. */
function live(place: ProcessPlace, onReady: () => void): { worker: Worker; ended: Promise<Ended> } {
  const name = nameOfPlace(place)
  const startedAt = performance.now()
  const worker = cluster.fork({ [PLACE_VARIABLE]: writePlace(place) })
  let wasReady = false
  let sentence: string | null = null
  worker.on('message', (message: unknown) => {
    if (!isOurs<Report>(message)) return
    if (message.portal === 'failed') sentence = message.sentence
    if (message.portal !== 'ready') return
    wasReady = true
    onReady()
  })
  // What was sent to a process that has just ended: its exit is reported instead.
  worker.on('error', () => {})
  const ended = new Promise<Ended>((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) => {
      const why = sentence ?? `its process ${name} ended at once (${signal ?? `exit code ${code}`})`
      resolve({ wasReady, seconds: (performance.now() - startedAt) / 1_000, why })
    })
  })
  return { worker, ended }
}

const send = (worker: Worker, order: Order) => worker.isConnected() && worker.send(order, () => {})

/** A process that is started again whenever it ends, after a pause that grows while its lives are short. */
export function supervise(place: ProcessPlace, log: Log): Supervised {
  const name = nameOfPlace(place)
  const ready = Promise.withResolvers<void>()
  const hopeless = Promise.withResolvers<never>()
  const stopping = new AbortController()
  let present: ReturnType<typeof live> | null = null

  async function run(): Promise<void> {
    let history = NO_HISTORY
    let isFirst = true
    while (!stopping.signal.aborted) {
      present = live(place, ready.resolve)
      log.info({ started: name, pid: present.worker.process.pid }, 'a process was started')
      const life = await present.ended
      present = null
      if (stopping.signal.aborted) return
      if (isFirst && !life.wasReady) return ready.reject(new SetupProblem(life.why))
      isFirst = false
      history = after(history, life)
      const pause = pauseMs(history)
      if (pause === null) return hopeless.reject(new SetupProblem(life.why))
      log.error({ ended: name, why: life.why, pause }, 'a process ended and is started again')
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const over = run()
  // Each is handled by whoever waits for it; nobody may wait any more when it is decided.
  for (const { promise } of [ready, hopeless]) promise.catch(() => {})

  return {
    ready: ready.promise,
    hopeless: hopeless.promise,
    async report() {
      if (present === null) return
      const { worker, ended } = present
      const reported = new Promise<void>((resolve) => {
        worker.on('message', (message: unknown) => {
          if (isOurs<Report>(message) && message.portal === 'reported') resolve()
        })
      })
      send(worker, { portal: 'report' })
      await Promise.race([reported, ended])
    },
    async stop(waitMs) {
      stopping.abort()
      const last = present?.worker
      if (last) send(last, { portal: 'stop' })
      const timer = setTimeout(() => last?.process.kill('SIGKILL'), waitMs)
      await over
      clearTimeout(timer)
    },
  }
}
