import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startPortalProcess, type PortalProcess } from '#tests/support/processes.ts'
import { askDone, Client } from '../harness/client.ts'
import { DEMO_ENVIRONMENT, newFolder, PROGRAM } from '../harness/fleet.ts'
import { enterAll, type Actor } from '../harness/players.ts'
import { seeded } from '../harness/random.ts'

/** Runs `measure` against a portal of its own: a process, its embedded PostgreSQL, this machine as its trusted proxy. */
export async function withBenchPortal<Result>(
  measure: (portal: PortalProcess) => Promise<Result>,
  { environment = {}, size = null }: BenchOptions = {},
): Promise<Result> {
  await using ends = new AsyncDisposableStack()
  const dataDir = await newFolder(ends, 'bench')
  if (size !== null) await fillPortal({ DATA_DIR: dataDir }, size)
  const portal = await startPortalProcess({
    dataDir,
    logFile: join(dataDir, 'portal.log'),
    environment: { ...DEMO_ENVIRONMENT, ...environment },
  })
  ends.defer(async () => void (await portal.end()))
  return await measure(portal)
}

export type Size = { players: number; entries: number }

/** `size`: what its database is filled with before it starts. */
type BenchOptions = { environment?: Record<string, string>; size?: Size | null }

const run = promisify(execFile)

/** `npm run portal -- fill …` on the database that the environment names. Answers what it printed. */
export async function fillPortal(environment: Record<string, string>, size: Size): Promise<string> {
  const words = ['fill', '--players', String(size.players), '--entries', String(size.entries)]
  const { stdout } = await run(process.execPath, ['src/server/cli/cli.ts', ...words], {
    cwd: PROGRAM,
    env: { ...process.env, DATABASE_URL: '', DEMO: '1', ...environment },
  })
  return stdout
}

export type BenchPlayer = { username: string; email: string; phone: string; password: string; token: string }

const PASSWORD = 'do-nhanh-cham-12'
let made = 0

/** An unused username as long as the players' names. */
export const aName = () => `do${Date.now().toString(36)}x${(++made).toString(36).padStart(4, '0')}`

export const aPhone = () => `09${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`

export async function aBenchPlayer({ url }: PortalProcess): Promise<BenchPlayer> {
  const username = aName()
  const player = { username, email: `${username}@example.com`, phone: aPhone(), password: PASSWORD }
  const { body } = await askDone(url, { path: '/api/auth/register', body: { ...player, name: username } })
  return { ...player, token: body.access_token as string }
}

/** Activated players with TCoin and characters. */
export async function benchActors({ url }: PortalProcess, count: number, coins: number): Promise<Actor[]> {
  const context = { client: new Client(url), seen: [] }
  const names = Array.from({ length: count }, aName)
  return enterAll(context, names, seeded(Date.now()), coins)
}

/** Resident memory of the portal's process in MB, as Linux reports it; 0 on other systems. */
export async function residentMb({ pid }: PortalProcess): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}
