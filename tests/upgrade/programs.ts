import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LAST_BEFORE_BASELINE, parseMigration } from '#server/platform/db/migration-files.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const GENERATED = 'upgrade-drill.sql'

/** Printed on the command line without a stack. */
export class DrillProblem extends Error {}

const git = (repository: string, ...parts: string[]): string =>
  execFileSync('git', parts, {
    cwd: repository,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()

function tryGit(repository: string, ...parts: string[]): string | null {
  try {
    return git(repository, ...parts)
  } catch {
    return null
  }
}

/** The files of the baseline and of the migrations of the present tree, with the hashes git knows files by. */
function presentFiles(repository = root): Map<string, string> {
  const files = ['sql', 'migrations'].flatMap((folder) =>
    readdirSync(join(repository, folder))
      .toSorted()
      .map((name) => `${folder}/${name}`),
  )
  return new Map(
    files.filter(isApplied).map((file) => [file, blobHash(readFileSync(join(repository, file)))]),
  )
}

const isApplied = (file: string) => /^(sql|migrations)\/[\w-]+\.sql$/.test(file)

const blobHash = (bytes: Buffer) =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')

function filesOf(repository: string, commit: string): Map<string, string> {
  const lines = git(repository, 'ls-tree', commit, 'sql/', 'migrations/').split('\n')
  const rows = lines.map((line) => /^\S+ blob (\S+)\t(.+)$/.exec(line)).filter((row) => row !== null)
  return new Map(
    rows.filter(([, , file = '']) => isApplied(file)).map(([, hash = '', file = '']) => [file, hash]),
  )
}

/** What the present program has more than the commit; a sentence when one cannot follow the other step by step. */
function addedSince(repository: string, commit: string): string[] | string {
  const present = presentFiles(repository)
  const old = filesOf(repository, commit)
  const last = `migrations/${LAST_BEFORE_BASELINE.name}`
  const isOfBaseline = (file: string) => file.startsWith('sql/') || file <= last
  // A program with all files that the baseline took the place of has the schema of the baseline.
  if (old.has(last)) {
    for (const file of old.keys()) if (isOfBaseline(file)) old.delete(file)
  } else if ([...present.keys()].some((file) => isOfBaseline(file) && !old.has(file))) {
    return `it lacks ${last}, from which on this program upgrades`
  }
  for (const [file, hash] of old) {
    if (present.get(file) !== hash) return `its ${file} is not the present one`
  }
  const added = [...present.keys()].filter((file) => !isOfBaseline(file) && !old.has(file))
  for (const file of added) {
    const { kind } = parseMigration(basename(file), readFileSync(join(repository, file), 'utf8'))
    if (kind === 'contract')
      return `${file} is a contract migration, beside which it cannot run (docs/runbooks/upgrade.md)`
  }
  return added.map((file) => basename(file))
}

type Options = { from: string; folder: string }

/**
 * The requested program, laid out and built in a folder of its own, and which migrations the present one has more than it.
 */
export async function layOutOldProgram(repository: string, { from, folder }: Options) {
  if (tryGit(repository, 'rev-parse', '--git-dir') === null)
    throw new DrillProblem('The old program is taken from the history: run the drill in a git clone.')
  const commit = tryGit(repository, 'rev-parse', '--verify', '--quiet', `${from}^{commit}`)
  if (commit === null) throw new DrillProblem(`There is no commit ${from} here: is the history shallow?`)
  const added = addedSince(repository, commit)
  if (typeof added === 'string') throw new DrillProblem(`${from} is no program to upgrade from: ${added}.`)
  const place = join(folder, commit.slice(0, 12))
  return { commit, added, folder: await layOut(repository, commit, place) }
}

/** The program of a commit in a folder of its own, with its packages, built. */
async function layOut(repository: string, commit: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const archive = execFileSync('git', ['archive', commit], {
    cwd: repository,
    maxBuffer: 512 * 1024 * 1024,
  })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const lock = 'package-lock.json'
  const isSame = readFileSync(join(folder, lock), 'utf8') === readFileSync(join(repository, lock), 'utf8')
  if (isSame) await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
  else run('npm', ['ci', '--no-audit', '--no-fund'], folder)
  copySite(folder)
  // Builds unless the present site was made of the very same sources.
  run(process.execPath, ['scripts/build.ts'], folder)
  return folder
}

/** A copy of the present program with one migration more, which expands tables that are in use. */
export async function withOneMore(folder: string): Promise<{ folder: string; added: string }> {
  for (const part of ['src', 'seeds', 'sql', 'migrations', 'public', 'package.json']) {
    await cp(join(root, part), join(folder, part), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  copySite(folder)
  const last = [LAST_BEFORE_BASELINE.name, ...[...presentFiles().keys()].map((file) => basename(file))]
    .filter((name) => /^\d{4}-/.test(name))
    .toSorted()
    .at(-1)
  const added = `${String(Number(last?.slice(0, 4)) + 1).padStart(4, '0')}-${GENERATED}`
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
    throw new DrillProblem(
      `${[basename(file), ...args].join(' ')} in ${cwd} ends with ${status}:\n${stdout}${stderr}`,
    )
}
