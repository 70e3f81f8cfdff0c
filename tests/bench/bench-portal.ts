import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { anAddress } from '#tests/support/addresses.ts'
import { startPortalProcess, type PortalProcess } from '#tests/support/portal-process.ts'

/** Runs `measure` against a portal of its own: a process, its embedded PostgreSQL, this machine as its trusted proxy. */
export async function withBenchPortal<Result>(
  measure: (portal: PortalProcess) => Promise<Result>,
  { environment = {}, size = null }: BenchOptions = {},
): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-bench-'))
  try {
    if (size !== null) await fillPortal({ DATA_DIR: dataDir }, size)
    const portal = await startPortalProcess({
      dataDir,
      logFile: join(dataDir, 'portal.log'),
      environment: { DEMO: '1', LOG_LEVEL: 'fatal', TRUST_PROXY: '127.0.0.1', ...environment },
    })
    try {
      return await measure(portal)
    } finally {
      await portal.end()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

export type Size = { players: number; entries: number }

/** `size`: what its database is filled with before it starts. */
type BenchOptions = { environment?: Record<string, string>; size?: Size | null }

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

/** `npm run portal -- fill …` on the database that the environment names. Answers what it printed. */
export async function fillPortal(environment: Record<string, string>, size: Size): Promise<string> {
  const words = ['fill', '--players', String(size.players), '--entries', String(size.entries)]
  const { stdout } = await run(process.execPath, ['src/server/cli/cli.ts', ...words], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: '', DEMO: '1', ...environment },
  })
  return stdout
}

export type Posted = { status: number; text: string; retryAfter: string | null; ms: number }

/** One call from an unused address, so that rate limits do not distort the measurement. */
export async function post(portal: PortalProcess, path: string, body: object): Promise<Posted> {
  const start = performance.now()
  const answer = await fetch(portal.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': anAddress() },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  const retryAfter = answer.headers.get('retry-after')
  return { status: answer.status, text, retryAfter, ms: performance.now() - start }
}

export type BenchPlayer = { username: string; email: string; phone: string; password: string; token: string }

const PASSWORD = 'do-nhanh-cham-12'
let drawn = 0

/** An unused username as long as the players' names. */
export function aName(): string {
  drawn++
  return `do${Date.now().toString(36)}x${drawn.toString(36).padStart(4, '0')}`
}

export const aPhone = () => `09${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`

export async function aBenchPlayer(portal: PortalProcess): Promise<BenchPlayer> {
  const username = aName()
  const player = { username, email: `${username}@example.com`, phone: aPhone(), password: PASSWORD }
  const { status, text } = await post(portal, '/api/auth/register', { ...player, name: username })
  if (status !== 201) throw new Error(`a player of the measurement cannot register: ${text}`)
  return { ...player, token: (JSON.parse(text) as { access_token: string }).access_token }
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

/** The value below which `share` of the samples lie. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (samples: readonly number[]) => quantile(samples, 0.5)

export const inMs = (value: number) => Math.round(value * 10) / 10

export const inHundredths = (value: number) => Math.round(value * 100) / 100
