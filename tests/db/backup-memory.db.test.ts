import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { hasAllCases } from '#tests/support/test-run.ts'
import { useFolder } from '#tests/support/folder.ts'
import { useTestApp } from '#tests/support/app.ts'
import { emptyDatabase, freshDatabase } from '#tests/support/postgres.ts'

const portal = useTestApp()

const folder = useFolder()

async function runSql(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

const ROWS = 600_000

test.runIf(hasAllCases)('memory does not grow with the database', { timeout: 240_000 }, async () => {
  const small = await peakOf(portal.ownerUrl, 'small')
  const fresh = await freshDatabase()
  try {
    await runSql(fresh.ownerUrl, `INSERT INTO installation VALUES ('mode', 'live')`)
    const filler = `repeat(md5(n::text), 10)`
    await runSql(
      fresh.ownerUrl,
      `INSERT INTO settings (key, value) SELECT 'row ' || n, ${filler} FROM generate_series(1, ${ROWS}) n`,
    )
    const large = await peakOf(fresh.ownerUrl, 'large')
    // 200 MB of rows went through both. How much of its heap Node has not yet collected differs by
    // tens of MB between runs.
    expect(large.backup - small.backup).toBeLessThan(120)
    expect(large.restore - small.restore).toBeLessThan(120)
  } finally {
    await fresh.drop()
  }
})

/** The most memory, in MB, of a process that backs a database up, and of one that restores it. */
async function peakOf(ownerUrl: string, name: string): Promise<{ backup: number; restore: number }> {
  const file = join(folder, name)
  const empty = await emptyDatabase()
  try {
    const backup = await peak(
      `const { backupDatabase } = await import('./src/server/platform/backup/backup.ts')
       await backupDatabase('${ownerUrl}', { file: '${file}', key: null })`,
    )
    const restore = await peak(
      `const { restoreDatabase } = await import('./src/server/platform/backup/restore.ts')
       const { openLog } = await import('./src/server/platform/log/log.ts')
       await restoreDatabase({ ownerUrl: '${empty.ownerUrl}', file: '${file}', key: null, mode: 'live',
         log: openLog('fatal'), finish: async () => {} })`,
    )
    return { backup, restore }
  } finally {
    await empty.drop()
  }
}

async function peak(program: string): Promise<number> {
  const code = `${program}\nconsole.log(process.resourceUsage().maxRSS)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
  return Number(stdout) / 1_024
}
