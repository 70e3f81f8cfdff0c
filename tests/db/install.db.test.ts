import { execFile, spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { hasAllCases } from '#tests/support/test-run.ts'
import { ordinaryUser } from '#scripts/install-check/installation.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const WAIT_MS = 300_000

const programs = ['nginx', 'openssl', 'curl', 'psql'].filter(
  (name) => spawnSync('which', [name]).status !== 0,
)
const isPostgresThere = globSync('/usr/lib/postgresql/*/bin/postgres').length > 0
/** Started by root, the check is somebody else, who may not see every folder. */
const isReadable =
  spawnSync('ls', [`${root}node_modules`], { ...ordinaryUser(), stdio: 'ignore' }).status === 0
const isPossible = programs.length === 0 && isPostgresThere && isReadable

// With all cases; all of it, from an empty folder, is `npm run install-check`.
test.runIf(hasAllCases && isPossible)(
  'both ways of the runbook work by its own commands (skipped without nginx, openssl, curl, PostgreSQL of the system, or where nobody may read this folder)',
  { timeout: WAIT_MS },
  async () => {
    const { code, text } = await new Promise<{ code: number; text: string }>((resolve) => {
      execFile(
        process.execPath,
        ['scripts/install-check.ts', '--here'],
        { cwd: root, timeout: WAIT_MS },
        (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code ?? 1) : 0, text: stdout + stderr }),
      )
    })
    expect(code, text).toBe(0)
    for (const step of ['settings', 'database', 'database-address', 'doctor', 'certificate', 'look'])
      expect(text).toContain(`the runbook’s “${step}”: `)
    expect(text).toContain('one process ended: 20 of 20 requests were answered by the other')
  },
)
