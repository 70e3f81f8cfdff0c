import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readMigrations } from '#server/platform/db/migrate.ts'
import { DrillProblem, layOutOldProgram } from '../upgrade/programs.ts'

let folder: string
let repository: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cong-ninja-history-'))
  repository = join(folder, 'repository')
  for (const name of ['migrations', 'scripts', 'src/server/shutdown', 'node_modules'])
    await mkdir(join(repository, name), { recursive: true })
  await writeFile(join(repository, 'src/server/shutdown/drain.ts'), '')
  await writeFile(join(repository, 'package-lock.json'), '{}')
  git('init', '--quiet')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

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

test('the old program of the drill is the newest one with fewer migrations that builds; others are named', async () => {
  const first = { 'migrations/0001-first.sql': '-- contract\n', 'scripts/build.ts': BUILDS }
  const before = await commit('Start', first)
  const broken = await commit('Break the style sheet', { 'scripts/build.ts': DOES_NOT_BUILD })
  await commit('Add a table', { 'migrations/0002-second.sql': '-- expand\n', 'scripts/build.ts': BUILDS })
  const said: string[] = []
  const wanted = { from: undefined, folder: join(folder, 'laid-out'), say: (line: string) => said.push(line) }
  const chosen = await layOutOldProgram(repository, wanted)
  expect(chosen).toMatchObject({ commit: before, added: ['0002-second.sql'] })
  expect(await readFile(join(chosen.folder, 'scripts/build.ts'), 'utf8')).toBe(BUILDS)
  expect(said).toHaveLength(1)
  expect(said[0]).toMatch(
    /^Skipped [0-9a-f]+ Break the style sheet: node scripts\/build\.ts ends with 1: .*the style sheet has no end/,
  )

  const named = layOutOldProgram(repository, { ...wanted, from: broken, folder: join(folder, 'named') })
  await expect(named).rejects.toThrow(DrillProblem)
  await expect(named).rejects.toThrow(/Break the style sheet: node scripts\/build\.ts ends with 1/)
})

test('before a migration that the old program cannot work beside there is none to upgrade from', async () => {
  await commit('Remove a column', { 'migrations/0003-third.sql': '-- contract\n' })
  const said: string[] = []
  const chosen = await layOutOldProgram(repository, {
    from: undefined,
    folder: join(folder, 'present'),
    say: (line) => said.push(line),
  })
  expect(chosen).toMatchObject({ commit: git('rev-parse', 'HEAD'), added: [] })
  expect(said).toEqual(['No program with fewer migrations is here, so the present one is the old one.'])
})

test('the runbook names the last migration that old processes cannot work beside', async () => {
  const last = (await readMigrations()).findLast(({ kind }) => kind === 'contract')
  expect(await readFile('docs/runbooks/upgrade.md', 'utf8')).toContain(`\`${last?.name}\``)
})
