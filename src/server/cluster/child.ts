import cluster from 'node:cluster'
import { report } from '../start/announcements.ts'
import { startPortal } from '../start/portal.ts'
import type { ProcessPlace } from '#server/platform/process/identity.ts'
import { sentenceOf } from '../start/start-failure.ts'
import { isOurs, type Order, type Report } from './supervised.ts'

/** Until it is on its way, so that an exit does not lose it; nothing is sent when the primary is gone. */
const send = (report: Report) =>
  new Promise<void>((sent) => {
    if (process.connected) process.send?.(report, () => sent())
    else sent()
  })

/**
 * One process of several. It stops when the primary tells it to, and by itself when the primary is gone; signals, which a
 * terminal sends to all of them, are the primary's to understand.
 */
export async function runChild({ role }: ProcessPlace): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  const starting = startPortal(process.env, { isWeb: role === 'web', isWorker: role === 'worker' })
  let isStopping = false
  const stop = (withDelay: boolean) => {
    if (isStopping) return
    isStopping = true
    starting
      .then((portal) => portal.stop({ withDelay }))
      .then(
        () => process.exit(0),
        () => process.exit(1),
      )
  }
  process.on('message', (message: unknown) => {
    if (!isOurs<Order>(message)) return
    if (message.portal === 'stop') stop(true)
    else void starting.then(report).finally(() => send({ portal: 'reported' }))
  })
  cluster.worker?.on('disconnect', () => {
    // Without this node:cluster would end the process at once, and leave an embedded PostgreSQL running.
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
    // The port is closed already, so that no proxy has to detect the stop; a primary that was ended twice wants no delay.
    if (isStopping) process.exit(1)
    stop(false)
  })
  try {
    await starting
    await send({ portal: 'ready' })
  } catch (error) {
    await send({ portal: 'failed', sentence: sentenceOf(error) })
    process.exit(1)
  }
}
