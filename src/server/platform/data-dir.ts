import { access, constants, mkdir } from 'node:fs/promises'
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
    // Not made yet: it will be ours.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(path, error)
  }
}

function unusable(path: string, error: unknown): SetupProblem {
  return new SetupProblem(
    `DATA_DIR: ${path} cannot be read and written (${(error as NodeJS.ErrnoException).code}): start the portal as the ` +
      'user who made it, give it to this user, or choose another DATA_DIR',
    { cause: error },
  )
}
