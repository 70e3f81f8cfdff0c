import { access, constants, mkdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'

export type Log = (message: string, fields?: Record<string, unknown>) => void

/** Where everything of one embedded server lies. */
export type Place = {
  dataDir: string
  clusterDir: string
  credentialsFile: string
  lockFile: string
  runDir: string
}

export async function preparePlace(wantedDir: string): Promise<Place> {
  await mkdir(resolve(wantedDir), { recursive: true, mode: 0o700 })
  // One true path, because a running server is recognised by the directory on its command line.
  const dataDir = await realpath(wantedDir)
  const place = {
    dataDir,
    clusterDir: join(dataDir, 'postgres'),
    credentialsFile: join(dataDir, 'postgres.json'),
    lockFile: join(dataDir, 'postgres.lock'),
    runDir: join(dataDir, 'run'),
  }
  for (const path of [dataDir, place.credentialsFile, place.lockFile, place.runDir]) await requireAccess(path)
  return place
}

/** Says it once and plainly when another user (root, after a first start with sudo) made the data directory. */
async function requireAccess(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    // Not made yet: it will be ours.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw new Error(
      `Không đọc và ghi được ${path}. Hãy chạy cổng bằng đúng người dùng đã tạo ra DATA_DIR, ` +
        'hoặc giao lại quyền sở hữu DATA_DIR cho người dùng này.',
      { cause: error },
    )
  }
}
