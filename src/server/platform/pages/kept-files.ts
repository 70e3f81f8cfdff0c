import { hash, randomUUID } from 'node:crypto'
import {
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Log } from '../log/log.ts'
import type { Site } from './site-files.ts'
import { BUILT_MAPS } from './source-maps.ts'

/*
 * A tab that was opened before an upgrade goes on asking for the files of its release. They are kept in DATA_DIR, which all
 * processes of a machine share and which outlives the program's folder (decision 0084): `player/` and `console/` hold the files,
 * whose names contain a hash of their contents, `maps/` their source maps, and `releases/` one list of names for each release, whose time says when a
 * process of it was last seen.
 */

const HOUR_MS = 3_600_000
/** How long the files of a release are served after its last process. */
const KEPT_MS = 7 * 24 * HOUR_MS
/** Of one release about 10 MB, with what others have too; the latest are kept. */
const RELEASES_MAX = 20

/** The hashed files of each site, and the maps to their sources, which are read for what open tabs report. */
const PARTS = ['player', 'console', 'maps'] as const
type KeptFolders = Record<(typeof PARTS)[number], string>

type Clock = () => number

/** Whole paths: DATA_DIR may be one from the program's folder on. */
export const keptFoldersIn = (dataDir: string): KeptFolders => ({
  player: resolve(dataDir, 'site-files/player'),
  console: resolve(dataDir, 'site-files/console'),
  maps: resolve(dataDir, 'site-files/maps'),
})

/** The site with the files of other releases, whose own are kept while the process listens. */
export async function withKeptFiles(
  app: FastifyInstance,
  { config: { dataDir }, log }: { config: { dataDir: string }; log: Log },
  site: Site,
): Promise<Site> {
  // In development nothing is built.
  if (!site.isCached) return site
  const folders = keptFoldersIn(dataDir)
  try {
    for (const one of PARTS) await mkdir(folders[one], { recursive: true, mode: 0o700 })
  } catch (error) {
    warn(log, error)
    return site
  }
  const built = { player: site.builtFolder, console: site.console.builtFolder, maps: BUILT_MAPS }
  let stop = async () => {}
  app.addHook('onListen', async () => {
    stop = keepFiles({ dataDir, built, log })
  })
  app.addHook('onClose', () => stop())
  return {
    ...site,
    keptFolder: folders.player,
    console: { ...site.console, keptFolder: folders.console },
  }
}

/** The portal goes on without: a tab whose files are gone opens documents. */
const warn = (log: Log, error: unknown) =>
  log.warn({ err: error }, 'the files of this release cannot be kept for open tabs')

type Kept = { dataDir: string; built: KeptFolders; log: Log; now?: Clock }

/** Keeps the files of this release, from now on until the returned function is called. */
export function keepFiles(kept: Kept): () => Promise<void> {
  let round = keepOnce(kept)
  const timer = setInterval(() => {
    round = round.then(() => keepOnce(kept))
  }, HOUR_MS).unref()
  return () => {
    clearInterval(timer)
    return round
  }
}

async function keepOnce(kept: Kept): Promise<void> {
  try {
    await keepRelease(kept)
    await forgetOldReleases(kept)
  } catch (error) {
    warn(kept.log, error)
  }
}

const releasesIn = (dataDir: string) => join(dataDir, 'site-files/releases')

/** Its list comes before its files, so that no other process takes them for leftovers. */
async function keepRelease({ dataDir, built, now = Date.now }: Kept): Promise<void> {
  const folders = keptFoldersIn(dataDir)
  const names = await Promise.all(
    PARTS.map(async (part) => (await filesIn(built[part])).map((name) => `${part}/${name}`)),
  )
  const list = names.flat().sort().join('\n')
  const file = join(releasesIn(dataDir), hash('sha256', list).slice(0, 16))
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await replace(file, (draft) => writeFile(draft, list, { mode: 0o600 }))
  await utimes(file, now() / 1000, now() / 1000)
  for (const part of PARTS) {
    const known = new Set(await filesIn(folders[part]))
    for (const name of await filesIn(built[part])) {
      if (!known.has(name)) await keepFile(join(built[part], name), join(folders[part], name))
    }
  }
}

/** As a second name where the disk permits it: the build puts new files in place of old ones and never writes into them. */
async function keepFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await replace(to, (draft) => link(from, draft).catch(() => copyFile(from, draft)))
}

/** Written beside and renamed into place: what is served is always whole. */
async function replace(file: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  await write(draft)
  await rename(draft, file)
}

async function forgetOldReleases({ dataDir, now = Date.now }: Kept): Promise<void> {
  const folders = keptFoldersIn(dataDir)
  const files = await Promise.all(PARTS.map((part) => filesIn(folders[part])))
  const named = await namesOfReleases(releasesIn(dataDir), now)
  for (const [index, part] of PARTS.entries()) {
    for (const name of files[index] ?? []) {
      if (!named.has(`${part}/${name}`)) await forget(join(folders[part], name), now)
    }
  }
}

/** The names in the lists that still count; the others are removed. */
async function namesOfReleases(folder: string, now: Clock): Promise<Set<string>> {
  const lists = await Promise.all(
    (await filesIn(folder)).map(async (name) => {
      const file = join(folder, name)
      return { file, seenAt_ms: (await stat(file)).mtimeMs }
    }),
  )
  const latest = lists.sort((one, other) => other.seenAt_ms - one.seenAt_ms)
  const names = new Set<string>()
  for (const [index, { file, seenAt_ms }] of latest.entries()) {
    if (index >= RELEASES_MAX || now() - seenAt_ms > KEPT_MS) await rm(file, { force: true })
    else for (const name of (await readFile(file, 'utf8')).split('\n')) names.add(name)
  }
  return names
}

/** What is younger than an hour may be half of what another process is writing. */
async function forget(file: string, now: Clock): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (found !== null && now() - found.ctimeMs > HOUR_MS) await rm(file, { force: true })
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  return entries
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(folder.length).replace(/^\//, ''))
}
