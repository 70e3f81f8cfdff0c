import { randomUUID } from 'node:crypto'
import { access, constants, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { SetupProblem } from './setup-problem.ts'

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
