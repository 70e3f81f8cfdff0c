import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { NO_FAULTS, type FaultSettings } from '#game-server/faults.ts'
import { JOURNAL_FILE, readJournal } from '#game-server/journal.ts'
import { openAppRole } from '#server/platform/db/app-role.ts'
import { openDatabase, type Db } from '#server/platform/db/database.ts'
import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { openLog } from '#server/platform/log/log.ts'
import { startFakeProviders } from '#tests/fakes/provider-server.ts'
import { freePort } from '#tests/support/network.ts'
import {
  startGameProcess,
  type GameProcess,
  spawnPortal,
  START_MS_MAX,
  startPortalProcess,
  type PortalProcess,
  type PortalProcessOptions,
} from '#tests/support/processes.ts'
import { PAYMENT_KEYS } from '#tests/support/payment-keys.ts'

/** Cleanup in turn what a run has started. */
export type Cleanup = AsyncDisposableStack

/** The folder of the present program. */
export const PROGRAM = fileURLToPath(new URL('../../', import.meta.url))

/** A portal with demo data, this machine as its trusted proxy, and a bank whose notifications clients can sign. */
export const DEMO_ENVIRONMENT = {
  DEMO: '1',
  DEMO_PUBLIC: '1',
  TRUST_PROXY: '127.0.0.1',
  LOG_LEVEL: 'fatal',
  SEPAY_WEBHOOK_SECRET: PAYMENT_KEYS.sepay,
}

/** One process of that portal with everything in it, which ends with the run. */
export async function startDemoPortal(
  cleanup: Cleanup,
  options: PortalProcessOptions & { dataDir: string },
): Promise<PortalProcess> {
  const environment = { ...DEMO_ENVIRONMENT, ...options.environment }
  const portal = await startPortalProcess({ ...options, environment })
  cleanup.defer(async () => void (await portal.end()))
  return portal
}

export const GAME_SECRET = 'game-secret-of-the-harness'

/** A folder that is removed at the end. */
export async function newFolder(cleanup: Cleanup, name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `cong-ninja-${name}-`))
  cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** An embedded PostgreSQL; answers its owner's connection string. */
export async function startPostgres(cleanup: Cleanup, dataDir: string): Promise<string> {
  const postgres = await openEmbeddedPostgres({ dataDir, log: () => {} })
  cleanup.defer(() => postgres.stop())
  return postgres.url
}

/** The database as the portal's own role reads it. */
export async function openRunDatabase(cleanup: Cleanup, ownerUrl: string): Promise<Db> {
  const log = openLog('fatal')
  const url = await openAppRole(ownerUrl, log)
  const db = openDatabase({ url, log, connectionsMax: 4, statementTimeoutMs: 60_000 })
  cleanup.defer(() => db.destroy())
  return db
}

export const SEPAY_TOKEN = 'sepay-token-of-the-harness'

/** SePay's list of transfers and MoMo's gateway; what the bank booked is pushed into its `transfers`. */
export async function startBank(cleanup: Cleanup) {
  const { secret: secretKey, partnerCode, accessKey } = PAYMENT_KEYS.momo
  const bank = await startFakeProviders({
    sepayToken: SEPAY_TOKEN,
    cassoToken: '',
    momo: { partnerCode, accessKey, secretKey },
    payos: { clientId: '', apiKey: '', checksumKey: PAYMENT_KEYS.payos },
  })
  cleanup.defer(() => bank.close())
  return bank
}

/** The address of the reference game server, whichever process listens there. */
export type Game = {
  dataDir: string
  url: string
  port: number
  pid(): number
  /** What a portal needs in its environment. */
  environment: Record<string, string>
  change(faults: FaultSettings): Promise<void>
  /** How many calls met each fault so far. */
  faultsMet(): Promise<Record<string, number>>
  /** Ends it and starts a new one on its journal, with the same faults. */
  restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** A copy of what it has stored; the function puts it back after kill -9, and what came later is gone. */
  copy(): Promise<() => Promise<void>>
}

export async function startGame(cleanup: Cleanup, dataDir: string): Promise<Game> {
  const options = { secret: GAME_SECRET, dataDir, arguments: ['--control', '0'] }
  let running: GameProcess = await startGameProcess(options)
  cleanup.defer(async () => void (await running.end()))
  const { url, port } = running
  let faults: FaultSettings = NO_FAULTS
  const met: Record<string, number> = {}

  async function change(settings: FaultSettings): Promise<void> {
    faults = settings
    const answer = await fetch(`${running.controlUrl}/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(settings),
    })
    if (!answer.ok) throw new Error(`the faults were refused: ${await answer.text()}`)
  }

  async function addMet(): Promise<Record<string, number>> {
    const answer = await fetch(`${running.controlUrl}/faults`)
    const now = ((await answer.json()) as { met: Record<string, number> }).met
    const all = { ...met }
    for (const [fault, times] of Object.entries(now)) all[fault] = (all[fault] ?? 0) + times
    return all
  }

  async function restart(signal: 'SIGTERM' | 'SIGKILL', meanwhile = async () => {}): Promise<void> {
    Object.assign(met, await addMet())
    await running.end(signal)
    await meanwhile()
    running = await startGameProcess({ ...options, port })
    // With the same seed the new one would repeat the luck of the old one from its start.
    await change({ ...faults, seed: faults.seed + 1 })
  }

  return {
    dataDir,
    url,
    port,
    pid: () => running.pid,
    environment: { GAME_SERVER_URL: url, GAME_SERVER_SECRET: GAME_SECRET },
    change,
    faultsMet: addMet,
    restart,
    async copy() {
      const path = join(dataDir, JOURNAL_FILE)
      const { wholeBytes } = await readJournal(path)
      return () => restart('SIGKILL', () => truncate(path, wholeBytes))
    },
  }
}

/** The slot of one process: which program runs there changes, its port does not. */
export type Slot = {
  kind: 'web' | 'worker'
  port: number
  url: string
  pid(): number
  /** What all processes at this slot wrote, as far as it is stored. */
  output(): string
  /** How much the running process has written so far. */
  outputBytes(): number
  start(program?: string): Promise<void>
  /** SIGTERM, as a service manager stops it. */
  stop(): Promise<void>
  /** kill -9; the moments before and after it. */
  kill(): Promise<{ port: number; from: number; to: number }>
  /** Sends a signal that ends nothing. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
}

/** What is added to the environment before a process is started is in it. Processes are stopped at the end, or killed. */
export type FleetOptions = {
  dataDir: string
  environment: Record<string, string>
  isKilledAtEnd?: true
  /** A file that all of them write their lines into, in place of `output()`. */
  logFile?: string
}

export async function openSlot(cleanup: Cleanup, kind: Slot['kind'], options: FleetOptions): Promise<Slot> {
  const port = await freePort()
  let running: PortalProcess | null = null
  let earlier = ''
  const current = (): PortalProcess => {
    if (running === null) throw new Error(`no process is at port ${port}`)
    return running
  }
  const end = async (signal: NodeJS.Signals) => {
    const ending = current()
    running = null
    const code = await ending.end(signal)
    earlier += ending.output()
    return code
  }
  const slot: Slot = {
    kind,
    port,
    url: `http://127.0.0.1:${port}`,
    pid: () => current().pid,
    output: () => earlier + (running?.output() ?? ''),
    outputBytes: () => current().outputBytes(),
    async start(program = PROGRAM) {
      const given = { ...options, program, port, arguments: [`--${kind}`] }
      running = kind === 'web' ? await startPortalProcess(given) : await startWorker(given)
    },
    async stop() {
      if (running === null) return
      const code = await end('SIGTERM')
      if (code !== 0) throw new Error(`a ${kind} process ended with ${code}:\n${slot.output()}`)
    },
    async kill() {
      const from = Date.now()
      await end('SIGKILL')
      return { port, from, to: Date.now() }
    },
    signal: (signal) => void process.kill(current().pid, signal),
  }
  cleanup.defer(async () => void (await (options.isKilledAtEnd && running ? slot.kill() : slot.stop())))
  return slot
}

export type Fleet = {
  webs: Slot[]
  workers: Slot[]
  urls: string[]
  start(program?: string): Promise<void>
}

/** Places for so many processes; the one that is started first migrates. */
export async function openFleet(
  cleanup: Cleanup,
  options: FleetOptions,
  counts: { webs: number; workers: number },
): Promise<Fleet> {
  const slots = (kind: Slot['kind'], count: number) =>
    Promise.all(Array.from({ length: count }, () => openSlot(cleanup, kind, options)))
  const [webs, workers] = [await slots('web', counts.webs), await slots('worker', counts.workers)]
  return {
    webs,
    workers,
    urls: webs.map(({ url }) => url),
    async start(program) {
      const [first, ...others] = [...webs, ...workers]
      await first?.start(program)
      await Promise.all(others.map((slot) => slot.start(program)))
    },
  }
}

/** The next message of a child process; rejects when it ends before. */
export async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const received = new AbortController()
  const { signal } = received
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`a child process ended with ${code} before its message`)
  })
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), ended])
    return message as Message
  } finally {
    received.abort()
  }
}

/** A worker has no port to probe; it says when it runs. */
async function startWorker(given: Parameters<typeof spawnPortal>[0]): Promise<PortalProcess> {
  const worker = spawnPortal(given)
  const printed = () => worker.output() + (given.logFile ? readFileSync(given.logFile, 'utf8') : '')
  const deadline = Date.now() + START_MS_MAX
  while (!printed().includes('The worker of Cổng Ninja runs.')) {
    if (worker.hasEnded() || Date.now() > deadline) {
      await worker.end('SIGKILL')
      throw new Error(`the worker does not start:\n${worker.output()}`)
    }
    await sleep(50)
  }
  return worker
}
