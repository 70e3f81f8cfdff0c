import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { LAST_BEFORE_BASELINE, readMigrations } from '#server/platform/db/migration-files.ts'
import { DrillProblem, layOutOldProgram } from '../upgrade/programs.ts'
import { useFolder } from '#tests/support/folder.ts'

const folder = useFolder()
let repository: string
beforeAll(async () => {
  repository = join(folder, 'repository')
  for (const name of ['migrations', 'sql', 'scripts', 'src/server/start', 'node_modules'])
    await mkdir(join(repository, name), { recursive: true })
  await writeFile(join(repository, 'src/server/start/shutdown.ts'), '')
  await writeFile(join(repository, 'package-lock.json'), '{}')
  git('init', '--quiet')
})

const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...words], {
    cwd: repository,
    encoding: 'utf8',
  }).trim()

const BUILDS = ''
const DOES_NOT_BUILD = `throw new Error('the style sheet has no end')`

async function commit(subject: string, files: Record<string, string>): Promise<string> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(repository, name), text)
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '--message', subject)
  return git('rev-parse', 'HEAD')
}

test('the old program of the drill is laid out with what the present one adds, and has to build', async () => {
  const first = {
    'sql/area.sql': '',
    'migrations/0075-first.sql': '-- contract\n',
    'scripts/build.ts': BUILDS,
  }
  const before = await commit('Start', first)
  await commit('Add a table', { 'migrations/0076-second.sql': '-- expand\n' })
  const broken = await commit('Break the style sheet', { 'scripts/build.ts': DOES_NOT_BUILD })
  const options = { folder: join(folder, 'laid-out') }
  const chosen = await layOutOldProgram(repository, { ...options, from: before })
  expect(chosen).toMatchObject({ commit: before, added: ['0076-second.sql'] })
  expect(await readFile(join(chosen.folder, 'scripts/build.ts'), 'utf8')).toBe(BUILDS)

  const named = layOutOldProgram(repository, { ...options, from: broken })
  await expect(named).rejects.toThrow(DrillProblem)
  await expect(named).rejects.toThrow(/scripts\/build\.ts in .* ends with 1:[^]*the style sheet has no end/)
})

test('a program that cannot work beside a migration of the present one is none to upgrade from', async () => {
  const from = git('rev-parse', 'HEAD')
  const files = { 'migrations/0077-third.sql': '-- contract\n', 'scripts/build.ts': BUILDS }
  await commit('Remove a column', files)
  const refused = layOutOldProgram(repository, { from, folder: join(folder, 'present') })
  await expect(refused).rejects.toThrow(
    /migrations\/0077-third\.sql is a contract migration, beside which it cannot run/,
  )
})

test('a program with all files that the baseline took the place of can be replaced, one that lacks some cannot', async () => {
  const without = (at: number) =>
    commit(`Migration ${at}`, { [`migrations/${String(at).padStart(4, '0')}-old.sql`]: '' })
  const drop = async () => {
    git('rm', '--quiet', '-r', 'sql', 'migrations', '--ignore-unmatch')
    for (const name of ['sql', 'migrations']) await mkdir(join(repository, name), { recursive: true })
  }
  await drop()
  const tooOld = await without(73)
  const last = await commit('The last of them', { [`migrations/${LAST_BEFORE_BASELINE.name}`]: '' })
  await drop()
  await commit('One baseline', { 'sql/area.sql': '', 'migrations/0075-more.sql': '-- expand\n' })
  const options = { folder: join(folder, 'from-before') }
  expect(await layOutOldProgram(repository, { ...options, from: last })).toMatchObject({
    commit: last,
    added: ['0075-more.sql'],
  })
  await expect(layOutOldProgram(repository, { ...options, from: tooOld })).rejects.toThrow(
    /is no program to upgrade from: it lacks migrations\/0074-planned-prices\.sql/,
  )
  const changed = await commit('Another baseline', { 'sql/area.sql': '-- changed' })
  await commit('And back', { 'sql/area.sql': '' })
  await expect(layOutOldProgram(repository, { ...options, from: changed })).rejects.toThrow(
    /its sql\/area\.sql is not the present one/,
  )
})

test('the runbook names the last migration that old processes cannot work beside, and the oldest program', async () => {
  const text = await readFile('docs/runbooks/upgrade.md', 'utf8')
  const last = (await readMigrations()).findLast(({ kind }) => kind === 'contract')
  expect(text).toContain(`\`${last?.name}\``)
  expect(text).toContain(`\`${LAST_BEFORE_BASELINE.name}\``)
  expect(text).toContain(`commit \`${LAST_BEFORE_BASELINE.commit}\``)
})
