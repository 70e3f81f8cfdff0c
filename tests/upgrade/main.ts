import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LAST_BEFORE_BASELINE } from '#server/platform/db/migration-files.ts'
import { buildIfNeeded } from '#scripts/build.ts'
import { readOptions } from '#scripts/tool-options.ts'
import { PROGRAM } from '../harness/fleet.ts'
import { APP } from './installed.ts'
import { DrillProblem, layOutOldProgram } from './programs.ts'

const USAGE = `npm run upgrade-drill -- [--from <commit>] [--seed N] [--players N]

The steps of docs/runbooks/upgrade.md by their own commands under load, and back: a systemd of its own, the old program
installed with its own units and files, Debian's nginx, PgBouncer and PostgreSQL. Exit code 1 when an operation is lost or
doubled, or a request failed without having been on a killed process.
  --from <commit>   the old program; the oldest that can be replaced process by process when left out`
const { values } = readOptions({
  usage: USAGE,
  options: { from: 'text', seed: 'number', players: 'number' },
})

/** What the drill starts, by the package of Debian that has it. */
const NEEDED = {
  nsenter: 'util-linux',
  'systemd-nspawn': 'systemd-container',
  nginx: 'nginx-light',
  pgbouncer: 'pgbouncer',
  pg_createcluster: 'postgresql',
  openssl: 'openssl',
  curl: 'curl',
}

function requirePrograms(): void {
  const missing = Object.entries(NEEDED).filter(([name]) => spawnSync('which', [name]).status !== 0)
  if (process.getuid?.() !== 0)
    throw new DrillProblem('The drill has a machine of its own: start it as root.')
  if (missing.length > 0)
    throw new DrillProblem(
      `The drill needs more of Debian: apt install ${missing.map(([, name]) => name).join(' ')}.`,
    )
}

async function main(folder: string): Promise<void> {
  requirePrograms()
  const from = values.from ?? LAST_BEFORE_BASELINE.commit
  const { commit, added, folder: old } = await layOutOldProgram(PROGRAM, { from, folder })
  console.log(`Old program: ${commit.slice(0, 12)}, laid out and built`)
  await buildIfNeeded()
  console.log(`New program: this tree; it adds ${added.length} migrations`)
  const place = join(folder, 'machine/changes', APP)
  await mkdir(join(place, '..'), { recursive: true, mode: 0o755 })
  await rename(old, place)
  const given = {
    folder,
    seed: values.seed ?? Date.now() % 1_000_000,
    players: values.players ?? 6,
    isEachFollowed: !added.includes('0075-collection.sql'),
  }
  const inside = [fileURLToPath(new URL('inside.ts', import.meta.url)), JSON.stringify(given)]
  const own = 'ip link set lo up && exec "$@"'
  const child = spawn('unshare', ['--net', '--mount', 'sh', '-c', own, 'sh', process.execPath, ...inside], {
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'close')) as [number | null]
  process.exitCode = code ?? 1
}

const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-programs-'))
try {
  await main(folder)
} catch (error) {
  if (!(error instanceof DrillProblem)) throw error
  console.error(error.message)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
