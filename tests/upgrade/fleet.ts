import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#tests/support/free-port.ts'
import {
  spawnPortal,
  START_MS_MAX,
  startPortalProcess,
  type PortalProcess,
} from '#tests/support/portal-process.ts'

/** The place of one process: which program runs there changes, its port does not. */
export type Place = {
  kind: 'web' | 'worker'
  port: number
  pid(): number
  /** What all processes at this place wrote, as far as it is kept. */
  output(): string
  /** How much the running process has written so far. */
  outputBytes(): number
  start(program: string): Promise<void>
  /** SIGTERM, as a service manager stops it. */
  stop(): Promise<void>
  /** kill -9; the moments before and after it. */
  kill(): Promise<{ port: number; from: number; to: number }>
  /** Sends a signal that ends nothing. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
}

export type FleetOptions = { dataDir: string; environment: Record<string, string> }

export async function openPlace(kind: Place['kind'], options: FleetOptions): Promise<Place> {
  const port = await freePort()
  let running: PortalProcess | null = null
  let earlier = ''
  const current = (): PortalProcess => {
    if (running === null) throw new Error(`no process is at port ${port}`)
    return running
  }
  return {
    kind,
    port,
    pid: () => current().pid,
    output: () => earlier + (running?.output() ?? ''),
    outputBytes: () => current().outputBytes(),
    async start(program) {
      const given = { ...options, program, port, arguments: [`--${kind}`] }
      running = kind === 'web' ? await startPortalProcess(given) : await startWorker(given)
    },
    async stop() {
      if (running === null) return
      const ending = current()
      running = null
      earlier += ending.output()
      const code = await ending.end('SIGTERM')
      if (code !== 0) throw new Error(`a ${kind} process ended with ${code}:\n${ending.output()}`)
    },
    async kill() {
      const from = Date.now()
      await current().end('SIGKILL')
      earlier += current().output()
      running = null
      return { port, from, to: Date.now() }
    },
    signal: (signal) => void process.kill(current().pid, signal),
  }
}

/** A worker has no port to probe; it says when it runs. */
async function startWorker(given: Parameters<typeof spawnPortal>[0]): Promise<PortalProcess> {
  const worker = spawnPortal(given)
  const deadline = Date.now() + START_MS_MAX
  while (!worker.output().includes('The worker of Cổng Ninja runs.')) {
    if (worker.hasEnded() || Date.now() > deadline) {
      await worker.end('SIGKILL')
      throw new Error(`the worker does not start:\n${worker.output()}`)
    }
    await sleep(50)
  }
  return worker
}
