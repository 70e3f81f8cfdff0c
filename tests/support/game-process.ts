import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const START_MS_MAX = 120_000

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
  let said = ''
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>()
  const wantsDoor = options.arguments?.includes('--control') === true
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
    if (said.includes(wantsDoor ? 'Faults are changed' : 'The game listens')) resolve()
  })
  child.on('close', () => reject(new Error(`the game server ended:\n${said}`)))
  const timer = setTimeout(() => reject(new Error(`the game server is not up:\n${said}`)), START_MS_MAX)
  await listening.finally(() => clearTimeout(timer))
  const url = /listens at (\S+)/.exec(said)?.[1] ?? ''
  return {
    url,
    controlUrl: /changed at (\S+)\/faults/.exec(said)?.[1] ?? '',
    port: Number(new URL(url).port),
    pid: child.pid as number,
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      const [code] = await ended
      return code
    },
  }
}
