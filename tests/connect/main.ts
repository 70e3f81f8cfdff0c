import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildIfNeeded } from '#scripts/build.ts'
import { inTestRun } from '#scripts/test-run.ts'
import { readOptions } from '#scripts/tool-options.ts'
import { findJava } from '#tests/support/java.ts'
import { canHaveMysql } from '#tests/support/mysql.ts'
import { DrillProblem } from '../upgrade/programs.ts'

const USAGE = `npm run connect-check [-- --only <shape>] [--runbook <file>]

The commands of docs/runbooks/connect-a-game.md as they stand, on a machine with a systemd of its own: portal, adapter, a
game that was never connected, its accounts, the edits of its source, a login and a yen that arrives. Prints how long the
commands under each heading took. Needs root, systemd-container, Java and MariaDB.
  --only <shape>   list-of-names or many-tables
  --runbook <file> instead of the runbook`
const { only, runbook } = readOptions({ usage: USAGE, options: { only: 'text', runbook: 'text' } }).values

async function main(): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new DrillProblem('The check has a machine of its own: start it as root.')
  if (spawnSync('which', ['systemd-nspawn']).status !== 0)
    throw new DrillProblem('The check needs more of Debian: apt install systemd-container.')
  const { driver } = await findJava()
  if (!(await canHaveMysql())) throw new DrillProblem('The check needs MariaDB.')
  await buildIfNeeded()
  for (const shape of ['list-of-names', 'many-tables']) {
    if (only !== undefined && only !== shape) continue
    const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-connect-'))
    const given = JSON.stringify({ folder, shape, driver, runbook: runbook ?? null })
    const inside = [process.execPath, fileURLToPath(new URL('inside.ts', import.meta.url)), given]
    const own = ['--net', '--mount', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
    try {
      const [code] = (await once(spawn('unshare', [...own, ...inside], { stdio: 'inherit' }), 'close')) as [
        number | null,
      ]
      if (code !== 0) process.exitCode = code ?? 1
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  }
}

await inTestRun(async () => {
  try {
    await main()
  } catch (error) {
    if (!(error instanceof DrillProblem)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
})
