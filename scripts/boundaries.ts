import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../', import.meta.url))
const CONFIG = join(root, '.dependency-cruiser.cjs')

/** Fewer modules than this were never there since the first milestone: the parser has stopped understanding us. */
export const MODULES_MIN = 150

export type Cruise = { modules: number; violations: string[] }

/** Reads every import below `folder` (a checkout or a copy of one) and holds it against the rules. */
export async function cruise(folder: string): Promise<Cruise> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      'src',
      'seeds',
      '--config',
      CONFIG,
      '--output-type',
      'json',
    ],
    { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
  )
  const { summary } = JSON.parse(stdout) as {
    summary: {
      totalCruised: number
      violations: { rule: { name: string }; from: string; to: string }[]
    }
  }
  return {
    modules: summary.totalCruised,
    violations: summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
  }
}

if (import.meta.main) {
  const { modules, violations } = await cruise(root)
  for (const violation of violations) console.error(violation)
  if (violations.length > 0) console.error(`The rules of these names are in ${CONFIG}.`)
  if (modules < MODULES_MIN)
    console.error(`only ${modules} modules were read; ${MODULES_MIN} at least were expected`)
  console.log(`${modules} modules read, ${violations.length} forbidden imports`)
  process.exitCode = violations.length > 0 || modules < MODULES_MIN ? 1 : 0
}
