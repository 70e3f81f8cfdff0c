import { randomUUID } from 'node:crypto'
import { access, constants, mkdir, readFile, rename, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { SetupProblem } from '../values/errors.ts'

/** Makes DATA_DIR where it is missing. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw unusable(dataDir, error)
  }
  await requireAccess(dataDir)
}

/** Files in DATA_DIR may belong to another user, for example root after a first start with sudo. */
export async function requireAccess(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    // It does not exist yet: this process will make it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(path, error)
  }
}

/** Whether DATA_DIR is there and usable, or could be made. Makes nothing. */
export async function lookAtDataDir(dataDir: string): Promise<boolean> {
  const ground = await nearestFolder(dataDir)
  const isThere = ground === resolve(dataDir)
  if (isThere) await requireFolder(dataDir)
  else
    await access(ground, constants.W_OK | constants.X_OK).catch((error: unknown) => {
      throw unusable(dataDir, error)
    })
  return isThere
}

async function requireFolder(dataDir: string): Promise<void> {
  if (!(await stat(dataDir)).isDirectory()) throw unusable(dataDir, { code: 'ENOTDIR' })
  await requireAccess(dataDir)
}

/** The folder itself, or the one above it that is there. */
async function nearestFolder(dataDir: string): Promise<string> {
  for (let folder = resolve(dataDir); ; folder = dirname(folder)) {
    try {
      await stat(folder)
      return folder
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(dataDir, error)
    }
  }
}

const MB = 1024 * 1024
/** The size of a new database and its write-ahead log. */
const SPACE_MIN = 128 * MB

/** The bytes that an ordinary user may still write where DATA_DIR is or will be. */
export async function freeSpace(dataDir: string): Promise<number> {
  const { bavail, bsize } = await statfs(await nearestFolder(dataDir))
  return bavail * bsize
}

/** A PostgreSQL whose disk fills up ends in the middle of its work: better not to start it. */
export async function requireSpace(dataDir: string): Promise<void> {
  const free = await freeSpace(dataDir)
  if (free >= SPACE_MIN) return
  throw new SetupProblem(
    `the disk of DATA_DIR (${resolve(dataDir)}) has ${Math.floor(free / MB)} MB left: make room for ${SPACE_MIN / MB} MB ` +
      'at least, or choose another DATA_DIR, then start again',
  )
}

/** The text of a file; null when there is none. */
export async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return null
  }
}

/** Written beside and renamed into place: no process reads half a file, and a crash leaves the former one. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true })
  await rename(draft, file)
}

function unusable(path: string, error: unknown): SetupProblem {
  return new SetupProblem(
    `DATA_DIR: ${path} cannot be read and written (${(error as NodeJS.ErrnoException).code}): start the portal as the ` +
      'user who made it, give it to this user, or choose another DATA_DIR',
    { cause: error },
  )
}
