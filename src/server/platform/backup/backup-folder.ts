import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SetupProblem } from '../values/errors.ts'

/** The files that the machine's own backups leave in one folder: `cong-ninja-20261129T030000Z.backup`. */
const NAME = /^cong-ninja-\d{8}T\d{6}Z\.backup$/
const DRAFT = /^cong-ninja-\d{8}T\d{6}Z\.backup\.part$/
/** No backup takes so long. */
const DRAFT_MS_MAX = 24 * 3_600_000

export const fileOf = (folder: string, at: Date): string =>
  join(folder, `cong-ninja-${at.toISOString().replace(/[-:]|\.\d+/g, '')}.backup`)

/** The newest first. */
async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new SetupProblem(
      `${folder} cannot be read (${error.code}): give the folder of the backups, which this user may read`,
    )
  })
  return names
    .filter((name) => NAME.test(name))
    .toSorted()
    .toReversed()
    .map((name) => join(folder, name))
}

export async function newestIn(folder: string): Promise<string> {
  const [newest] = await filesIn(folder)
  if (newest === undefined)
    throw new SetupProblem(`${folder} holds no backup: systemctl start portal-backup makes one`)
  return newest
}

/** Removes all but the newest, and what a backup that was killed left behind; answers how many are left. */
export async function keepNewest(folder: string, keep: number, now: Date): Promise<number> {
  const files = await filesIn(folder)
  for (const file of files.slice(keep)) await rm(file, { force: true })
  for (const name of await readdir(folder)) {
    const file = join(folder, name)
    if (DRAFT.test(name) && now.getTime() - (await stat(file)).mtimeMs > DRAFT_MS_MAX)
      await rm(file, { force: true })
  }
  return Math.min(files.length, keep)
}
