import { mkdir, readdir, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { countAlarms } from '#server/modules/alarms/alarms.queries.ts'
import { recordRun } from '#server/platform/backup/backup-run.ts'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useFolder } from '#tests/support/folder.ts'
import { runCommand } from '#tests/support/processes.ts'
import { hasAllCases } from '#tests/support/test-run.ts'

const portal = useTestApp()
const folder = useFolder()

const ringing = async () => {
  const [alarm] = await countAlarms(portal.db, { names: ['missing-backups'], proposalKinds: [] })
  return alarm?.count ?? 0
}
const runs = () => portal.db.selectFrom('backup_run').select(['kind', 'error']).orderBy('kind').execute()
const letPass = (kind: string, span: string) =>
  asOwner(
    portal,
    `UPDATE backup_run SET succeeded_at = succeeded_at - interval '${span}' WHERE kind = '${kind}'`,
  )

test('an alarm rings for a run that failed or is late, once there was one', async () => {
  expect(await ringing()).toBe(0)
  for (const [kind, soon, late] of [
    ['backup', '25 hours', '2 hours'],
    ['restore-test', '32 days', '2 days'],
  ] as const) {
    await recordRun(portal.ownerUrl, kind, null)
    await letPass(kind, soon)
    expect(await ringing()).toBe(0)
    await letPass(kind, late)
    expect(await ringing()).toBe(1)
    await recordRun(portal.ownerUrl, kind, null)
    expect(await ringing()).toBe(0)
    await recordRun(portal.ownerUrl, kind, new Error(`no room${'!'.repeat(400)}`))
    expect(await ringing()).toBe(1)
    await recordRun(portal.ownerUrl, kind, null)
    expect(await ringing()).toBe(0)
  }
  await recordRun(portal.ownerUrl, 'backup', 'no room')
  expect(await runs()).toEqual([
    { kind: 'backup', error: 'no room' },
    { kind: 'restore-test', error: null },
  ])
})

test.runIf(hasAllCases)(
  'what the timers start keeps the newest backups, and restores the newest one elsewhere',
  { timeout: 240_000 },
  async () => {
    const into = join(folder, 'backups')
    const settings = { DATA_DIR: join(folder, 'data'), BACKUP_KEY: 'a long key of the tests' }
    await mkdir(settings.DATA_DIR)
    const missing = await runCommand(portal, ['backup', '--into', into], settings)
    expect(missing).toMatchObject({ code: 1, errors: expect.stringContaining('cannot be written (ENOENT)') })
    expect(await ringing()).toBe(1)
    await mkdir(into)
    for (let number = 0; number < 3; number++)
      expect(await runCommand(portal, ['backup', '--into', into, '--keep', '2'], settings)).toMatchObject({
        code: 0,
        errors: '',
      })
    const files = await readdir(into)
    expect(files).toHaveLength(2)
    const tried = await runCommand(portal, ['restore-test', into], settings)
    expect(tried).toMatchObject({ code: 0, errors: '' })
    expect(tried.output).toContain(files[1])
    expect(tried.output).toMatch(/^R1 +0 /m)
    expect(await readdir(settings.DATA_DIR)).toEqual([])
    expect(await ringing()).toBe(0)

    await truncate(join(into, files[1] as string), 4_000)
    const broken = await runCommand(portal, ['restore-test', into], settings)
    expect(broken).toMatchObject({ code: 1, errors: expect.stringMatching(/cut off or damaged/) })
    expect(await readdir(settings.DATA_DIR)).toEqual([])
    expect(await ringing()).toBe(1)
  },
)
