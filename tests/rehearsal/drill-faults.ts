import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { GameDatabase } from './database.ts'
import type { FakePortal } from './fake-portal.ts'

/** Where the files of the game's database are, on a disk of their own. */
export type SmallDisk = { folder: string; end(): Promise<void> }

export type DrillPlace = { database: GameDatabase; portal: FakePortal; disk: SmallDisk }
/** Begins it; what is returned ends it. */
export type DrillFault = (place: DrillPlace) => Promise<() => Promise<void>>

const ALL_TABLES =
  'portal_delivery portal_charge portal_account portal_login portal_collector portal_state game_account game_character game_journal'
const DISK_MB = 320
const run = promisify(execFile)

/** The temporary folder of whatever is started before `end` is called is on it. */
export async function openSmallDisk(): Promise<SmallDisk> {
  const before = tmpdir()
  const folder = await mkdtemp(join(before, 'disk-'))
  await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', folder])
  process.env.TMPDIR = folder
  return {
    folder,
    async end() {
      process.env.TMPDIR = before
      await run('umount', ['-l', folder])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const lockTables: DrillFault = async ({ database }) => {
  const locks = ALL_TABLES.split(' ').map((table) => `${table} WRITE`)
  return database.hold(`LOCK TABLES ${locks.join(', ')}`)
}

const takePortalAway: DrillFault = async ({ portal }) => {
  await portal.goAway()
  return () => portal.comeBack()
}

/** As an owner makes a backup, to a place that takes it slowly: all tables are locked meanwhile. */
const dump: DrillFault = async ({ database }) => {
  const { hostname, port, username, password, pathname } = new URL(database.url)
  const given = [`--host=${hostname}`, `--port=${port}`, `--user=${username}`, pathname.slice(1)]
  const program = spawn('mysqldump', ['--no-defaults', ...given], {
    env: { ...process.env, MYSQL_PWD: password },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(program, 'close')
  // Its first line comes with the locks; the rest waits in the pipe.
  await once(program.stdout, 'readable')
  return async () => {
    program.stdout.resume()
    const [code] = (await closed) as [number]
    if (code !== 0) throw new Error(`mysqldump ended with ${code}`)
  }
}

const fillDisk: DrillFault = async ({ database, disk }) => {
  const file = join(disk.folder, 'full')
  const { bavail, bsize } = await statfs(disk.folder)
  await writeFile(file, Buffer.alloc(bavail * bsize))
  const isFull = await database.query('INSERT INTO a_ballast SELECT text FROM a_ballast').then(
    () => false,
    () => true,
  )
  if (!isFull) throw new Error('the disk is not full')
  return () => rm(file)
}

async function signalDatabase(signal: NodeJS.Signals, file: string): Promise<void> {
  process.kill(Number(await readFile(file, 'utf8')), signal)
}

/** Connections stay open and nothing is answered. */
const freezeDatabase: DrillFault = async ({ database }) => {
  const [[file] = []] = await database.query('SELECT @@pid_file')
  await signalDatabase('SIGSTOP', file ?? '')
  return () => signalDatabase('SIGCONT', file ?? '')
}

const stopDatabase: DrillFault = async ({ database }) => {
  await database.kill()
  return () => database.start()
}

const both =
  (one: DrillFault, other: DrillFault): DrillFault =>
  async (place) => {
    const ends = [await one(place), await other(place)]
    return async () => {
      for (const end of ends.toReversed()) await end()
    }
  }

export const DRILL_FAULTS: Record<string, DrillFault> = {
  'tables locked': lockTables,
  'database stopped': stopDatabase,
  'database frozen': freezeDatabase,
  mysqldump: dump,
  'disk full': fillDisk,
  'portal away': takePortalAway,
  'portal away, tables locked': both(takePortalAway, lockTables),
  'half a lock': () => Promise.resolve(() => Promise.resolve()),
}
