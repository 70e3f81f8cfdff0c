import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'

/** For clients that all come from this machine. */
export const NO_LIMITS_OF_ADDRESSES = { CONNECTIONS_PER_ADDRESS: '0', STREAMS_PER_ADDRESS: '0' }

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Much more than a start takes on an idle machine. */
export const START_MS_MAX = 180_000

export type PortalProcess = {
  url: string
  pid: number
  dataDir: string
  /** Everything the process wrote so far. */
  output(): string
  /** How many bytes that were, also those that are no longer kept. */
  outputBytes(): number
  /** Sends the signal and waits for the end; returns the exit code, null when a signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

export type PortalProcessOptions = {
  dataDir: string
  port?: number
  environment?: Record<string, string>
  arguments?: string[]
  /** Where the program lies; this one when left out. */
  program?: string
  /** Takes what is written to standard output, as a service manager would, so that reading it costs this process nothing. */
  logFile?: string
}

/** The portal as its own process, as `npm start` runs it, ready to answer. */
export async function startPortalProcess(options: PortalProcessOptions): Promise<PortalProcess> {
  const portal = spawnPortal({ ...options, port: options.port ?? (await freePort()) })
  try {
    await waitUntilReady(portal)
  } catch (error) {
    // A stopping portal stops its embedded PostgreSQL too.
    await portal.end('SIGTERM')
    throw error
  }
  return portal
}

/** Older programs have it in another folder. */
const firstFileOf = (program: string) =>
  ['src/server/start/start.js', 'src/server/start.js'].find((file) => existsSync(join(program, file))) ?? ''

/** The same without waiting; a worker alone has no port to probe. */
export function spawnPortal(options: PortalProcessOptions): PortalProcess & { hasEnded(): boolean } {
  const port = options.port ?? 3000
  const program = options.program ?? root
  const standardOutput = options.logFile === undefined ? 'pipe' : openSync(options.logFile, 'a')
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=4', '--expose-gc', firstFileOf(program), ...(options.arguments ?? [])],
    {
      cwd: program,
      stdio: ['ignore', standardOutput, 'pipe'],
      env: {
        ...process.env,
        DATABASE_URL: '',
        ...NO_LIMITS_OF_ADDRESSES,
        ...options.environment,
        PORT: String(port),
        DATA_DIR: options.dataDir,
      },
    },
  )
  if (standardOutput !== 'pipe') closeSync(standardOutput)
  const ended = once(child, 'close') as Promise<[number | null]>
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid as number,
    dataDir: options.dataDir,
    ...collectOutput(child),
    hasEnded,
    async end(signal = 'SIGTERM') {
      if (!hasEnded()) child.kill(signal)
      const [code] = await ended
      return code
    },
  }
}

const OUTPUT_MAX = 2_000_000

function collectOutput(child: ChildProcess): Pick<PortalProcess, 'output' | 'outputBytes'> {
  let text = ''
  let bytes = 0
  const add = (chunk: Buffer) => {
    bytes += chunk.length
    text = (text + chunk.toString()).slice(-OUTPUT_MAX)
  }
  child.stdout?.on('data', add)
  child.stderr?.on('data', add)
  return { output: () => text, outputBytes: () => bytes }
}

async function waitUntilReady({ url, output, hasEnded }: ReturnType<typeof spawnPortal>): Promise<void> {
  const deadline = Date.now() + START_MS_MAX
  while (Date.now() < deadline) {
    if (hasEnded()) throw new Error(`the portal ended at its start:\n${output()}`)
    try {
      const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) })
      if (answer.ok) return
    } catch {
      // Not listening yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`the portal was not ready after ${START_MS_MAX} ms:\n${output()}`)
}
