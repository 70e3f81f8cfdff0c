import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseMigration } from '#server/platform/db/migrate.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** A program without this file sends nginx to nobody else when it stops, and fails what is on its way then. */
const LEAVES_IN_ORDER = 'src/server/stopping.ts'
const GENERATED = 'upgrade-drill.sql'

/** Says on the command line what to do; no stack. */
export class DrillProblem extends Error {}

/** The commit whose program is the old one, and what the new one has more than it. */
export type Choice = { commit: string; added: string[] }

const git = (...parts: string[]): string =>
  execFileSync('git', parts, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

function tryGit(...parts: string[]): string | null {
  try {
    return git(...parts)
  } catch {
    return null
  }
}

/** The migrations of the present tree by name, with the hashes git knows files by. */
function presentMigrations(): Map<string, string> {
  const folder = join(root, 'migrations')
  return new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.sql'))
      .toSorted()
      .map((name) => [name, blobHash(readFileSync(join(folder, name)))]),
  )
}

const blobHash = (bytes: Buffer) =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')

function migrationsOf(commit: string): Map<string, string> {
  const lines = git('ls-tree', commit, 'migrations/').split('\n')
  const rows = lines.map((line) => /^\S+ blob (\S+)\tmigrations\/(.+\.sql)$/.exec(line))
  return new Map(rows.filter((row) => row !== null).map(([, hash = '', name = '']) => [name, hash]))
}

/** What the present program has more than the commit; a sentence when one cannot follow the other step by step. */
function addedSince(commit: string): string[] | string {
  const present = presentMigrations()
  const old = migrationsOf(commit)
  for (const [name, hash] of old) {
    if (present.get(name) !== hash) return `its migration ${name} is not the present one`
  }
  const added = [...present.keys()].filter((name) => !old.has(name))
  for (const name of added) {
    const { kind } = parseMigration(name, readFileSync(join(root, 'migrations', name), 'utf8'))
    if (kind === 'contract')
      return `${name} is a contract migration, beside which it cannot run (docs/runbooks/upgrade.md)`
  }
  return added
}

/** The newest program of the history that has fewer migrations and stops in order, or the one asked for. */
export function chooseOldProgram(from: string | undefined): Choice {
  if (tryGit('rev-parse', '--git-dir') === null) {
    throw new DrillProblem('The old program is taken from the history: run the drill in a git clone.')
  }
  const isShallow = git('rev-parse', '--is-shallow-repository') === 'true'
  const remedy = isShallow ? ' The history of this clone is shallow: git fetch --unshallow.' : ''
  if (from !== undefined) {
    const commit = tryGit('rev-parse', '--verify', '--quiet', `${from}^{commit}`)
    if (commit === null) throw new DrillProblem(`There is no commit ${from} here.${remedy}`)
    const added = addedSince(commit)
    if (typeof added === 'string') throw new DrillProblem(`${from} is no program to upgrade from: ${added}.`)
    return { commit, added }
  }
  const head = git('rev-parse', 'HEAD')
  const changes = git('log', '-20', '--format=%H', '--', 'migrations').split('\n').filter(Boolean)
  const parents = changes.map((commit) => tryGit('rev-parse', '--verify', '--quiet', `${commit}^`))
  for (const commit of [head, ...parents.filter((parent) => parent !== null)]) {
    if (tryGit('cat-file', '-e', `${commit}:${LEAVES_IN_ORDER}`) === null) break
    const added = addedSince(commit)
    if (typeof added !== 'string' && added.length > 0) return { commit, added }
  }
  if (remedy) console.log(`No program with fewer migrations is here.${remedy}`)
  return { commit: head, added: [] }
}

/** The program of a commit in a folder of its own, with its packages. */
export async function layOutSources(commit: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 512 * 1024 * 1024 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const lock = 'package-lock.json'
  const isSame = readFileSync(join(folder, lock), 'utf8') === readFileSync(join(root, lock), 'utf8')
  if (isSame) await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  else run('npm', ['ci', '--no-audit', '--no-fund'], folder)
}

/** The same, built. */
export async function layOut(commit: string, folder: string): Promise<string> {
  await layOutSources(commit, folder)
  copySite(folder)
  // Builds unless the present site was made of the very same sources.
  run(process.execPath, ['scripts/build.ts'], folder)
  return folder
}

/** A copy of the present program with one migration more, which expands tables that are in use. */
export async function withOneMore(folder: string): Promise<{ folder: string; added: string }> {
  for (const part of ['src', 'seeds', 'migrations', 'public', 'package.json']) {
    await cp(join(root, part), join(folder, part), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  copySite(folder)
  const last = [...presentMigrations().keys()].at(-1) ?? '0000'
  const added = `${String(Number(last.slice(0, 4)) + 1).padStart(4, '0')}-${GENERATED}`
  await writeFile(join(folder, 'migrations', added), EXPANSION)
  return { folder, added }
}

const EXPANSION = `-- expand
ALTER TABLE users ADD COLUMN upgrade_drill boolean NOT NULL DEFAULT false;
ALTER TABLE delivery ADD COLUMN upgrade_drill text;
ALTER TABLE ledger_transfer ADD COLUMN upgrade_drill text;
CREATE TABLE upgrade_drill (user_id bigint PRIMARY KEY REFERENCES users (id));
`

function copySite(folder: string): void {
  const site = join(root, 'dist/web')
  if (existsSync(site)) cpSync(site, join(folder, 'dist/web'), { recursive: true })
}

function run(file: string, args: string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(file, args, { cwd, encoding: 'utf8' })
  if (status !== 0)
    throw new Error(`${file} ${args.join(' ')} in ${cwd} ended with ${status}:\n${stdout}${stderr}`)
}
