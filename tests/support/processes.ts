import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readFile, readdir } from 'node:fs/promises'
import { freePort } from './network.ts'
import { PAYMENT_ENVIRONMENT } from './payment-keys.ts'

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
  /** How many bytes that were, also those that are no longer stored. */
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

/** Programs between `70a00a0f` and the one that has both have it in another folder. */
const firstFileOf = (program: string) =>
  ['src/server/start.js', 'src/server/start/start.js'].find((file) => existsSync(join(program, file))) ?? ''

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

const GAME_START_MS_MAX = 120_000

export type GameProcess = {
  url: string
  /** The address of the control server; empty without one. */
  controlUrl: string
  port: number
  pid: number
  end(signal?: NodeJS.Signals): Promise<number | null>
}

export type GameProcessOptions = {
  secret: string
  dataDir: string
  /** Any free one when left out. */
  port?: number
  arguments?: string[]
}

/** The reference game server as its own process, as `npm run game-server` runs it, listening. */
export async function startGameProcess(options: GameProcessOptions): Promise<GameProcess> {
  const child = spawn(process.execPath, ['src/game-server/main.ts', ...(options.arguments ?? [])], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      GAME_SERVER_SECRET: options.secret,
      GAME_DATA_DIR: options.dataDir,
      GAME_PORT: String(options.port ?? (await freePort())),
    },
  })
  const ended = once(child, 'close') as Promise<[number | null]>
  let printed = ''
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>()
  const hasControl = options.arguments?.includes('--control') === true
  child.stderr.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
    if (printed.includes(hasControl ? 'Faults are changed' : 'The game listens')) resolve()
  })
  child.on('close', () => reject(new Error(`the game server ended:\n${printed}`)))
  const timer = setTimeout(
    () => reject(new Error(`the game server is not up:\n${printed}`)),
    GAME_START_MS_MAX,
  )
  await listening.finally(() => clearTimeout(timer))
  const url = /listens at (\S+)/.exec(printed)?.[1] ?? ''
  return {
    url,
    controlUrl: /changed at (\S+)\/faults/.exec(printed)?.[1] ?? '',
    port: Number(new URL(url).port),
    pid: child.pid as number,
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      const [code] = await ended
      return code
    },
  }
}

/** Runs `npm run portal -- …` as its own process on the test's database. */
export function runCommand(
  { ownerUrl }: { ownerUrl: string },
  words: readonly string[],
  environment: Record<string, string> = {},
): Promise<{ code: number; output: string; errors: string }> {
  const env = {
    ...process.env,
    ...PAYMENT_ENVIRONMENT,
    DATABASE_URL: ownerUrl,
    DEMO: '0',
    GAME_SERVER_URL: 'embedded',
    ...environment,
  }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['src/server/cli/cli.ts', ...words],
      { cwd: root, env },
      (error, output, errors) => resolve({ code: error === null ? 0 : Number(error.code), output, errors }),
    )
  })
}

/** Every process that lives and its parent, as Linux lists them. */
export async function parentsOfAll(): Promise<Map<number, number>> {
  const found = (await readdir('/proc')).map(async (name) => {
    if (!/^\d+$/.test(name)) return []
    // After the name, which may hold anything: state and parent.
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return stat === '' || state === 'Z' ? [] : [[Number(name), Number(parent)] as const]
  })
  return new Map((await Promise.all(found)).flat())
}

/** The processes that `pid` started and that live. */
export async function childrenOf(pid: number): Promise<number[]> {
  return [...(await parentsOfAll())].filter(([, parent]) => parent === pid).map(([child]) => child)
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
