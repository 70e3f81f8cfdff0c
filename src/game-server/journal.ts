import { mkdir, open, readFile, type FileHandle, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Charge, Delivery, Notice } from './world.ts'

/** What the portal says about an account, in the words of the contract. */
export type AccountChange = {
  account: string
  activated: boolean
  banned_until: string | null
  password_changed_at: string | null
  version: number
}

/** The final answer to one delivery. */
export type DecidedRow = { id: string } & (
  | { status: 'applied'; delivery: Delivery }
  | { status: 'refused'; delivery: Delivery; reason: string }
  | { status: 'cancelled' }
)

/** What became of a charge. A refund also stands for one that never arrived, and is final. */
export type ChargeRow = { id: string } & (
  | { status: 'charged'; charge: Charge }
  | { status: 'charge-refused'; charge: Charge; reason: string }
  | { status: 'charge-refunded' }
)

/** What the game writes down, and when; older journals have no time. */
export type JournalRow = { at?: string } & (
  | DecidedRow
  | ChargeRow
  | { id: string; status: 'collected' }
  | { id: string; status: 'account'; change: AccountChange }
  | { id: string; status: 'notice'; notice: Notice }
)

type Journal = {
  /** Resolves when the row is on the disk. Rows that come together are written together, in their order. */
  append(row: JournalRow): Promise<void>
  close(): Promise<void>
}

export const JOURNAL_FILE = 'deliveries.jsonl'

/**
 * The game's storage: an append-only file, a line for each decision, on disk before it is answered. A process
 * that was killed may leave half a line at the end; it was never answered, so it is cut off. Anything else that cannot
 * be read stops the start: a game that forgot a delivery would hand it over twice.
 */
export async function openJournal(dataDir: string, replay: (row: JournalRow) => void): Promise<Journal> {
  await mkdir(dataDir, { recursive: true })
  const unlock = await takeLock(join(dataDir, 'lock'))
  const path = join(dataDir, JOURNAL_FILE)
  const file = await open(path, 'a')
  try {
    const { rows, wholeBytes } = await readJournal(path)
    await file.truncate(wholeBytes)
    rows.forEach(replay)
    await syncFolder(dataDir)
  } catch (error) {
    await file.close()
    await unlock()
    throw error
  }
  const writer = startWriter(file)
  return {
    append: (row) => writer.append(`${JSON.stringify({ ...row, at: row.at ?? new Date().toISOString() })}\n`),
    async close() {
      await writer.idle()
      await file.close()
      await unlock()
    },
  }
}

/** The rows of a journal, and how many bytes of the file they are: behind them may be the beginning of one more. */
export async function readJournal(path: string): Promise<{ rows: JournalRow[]; wholeBytes: number }> {
  const bytes = await readFile(path)
  const wholeBytes = bytes.lastIndexOf(0x0a) + 1
  const lines = bytes.subarray(0, wholeBytes).toString('utf8').split('\n').slice(0, -1)
  const rows = lines.map((line, index) => {
    try {
      return JSON.parse(line) as JournalRow
    } catch (error) {
      throw new Error(`line ${index + 1} of ${path} cannot be read`, { cause: error })
    }
  })
  return { rows, wholeBytes }
}

/** The file's name too must survive a power cut. */
async function syncFolder(dataDir: string): Promise<void> {
  const folder = await open(dataDir, 'r')
  await folder.sync()
  await folder.close()
}

function startWriter(file: FileHandle) {
  let waiting: { line: string; done: PromiseWithResolvers<void> }[] = []
  let writing: Promise<void> | null = null
  let broken: unknown = null

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        // After a failed write the content of the file is unknown, so nothing is appended.
        if (broken !== null) throw broken
        await file.appendFile(batch.map(({ line }) => line).join(''))
        await file.datasync()
        for (const { done } of batch) done.resolve()
      } catch (error) {
        broken = error
        for (const { done } of batch) done.reject(error)
      }
    }
    writing = null
  }

  return {
    append(line: string): Promise<void> {
      const done = Promise.withResolvers<void>()
      waiting.push({ line, done })
      writing ??= write()
      return done.promise
    },
    async idle() {
      await writing
    },
  }
}

/** This process's own locks: in a container the next process may well have the number of the last. */
const held = new Set<string>()

/** A pid alone does not identify a process: after a kill another one may have it. */
type Holder = { pid: number; birth: string }

/** Two games on one journal would deliver everything twice. Returns a function that releases the lock. */
async function takeLock(path: string): Promise<() => Promise<void>> {
  const holder = await readHolder(path)
  const isOwn = holder?.pid === process.pid
  const isTaken = isOwn ? held.has(path) : holder !== null && (await birthOf(holder.pid)) === holder.birth
  if (isTaken) throw new Error(`process ${holder?.pid} already uses ${path}`)
  // What a killed process left behind.
  await rm(path, { force: true })
  await writeFile(path, `${process.pid} ${await birthOf(process.pid)}`, { flag: 'wx' })
  held.add(path)
  return async () => {
    held.delete(path)
    await rm(path, { force: true })
  }
}

async function readHolder(path: string): Promise<Holder | null> {
  try {
    const [pid, birth = ''] = (await readFile(path, 'utf8')).split(' ')
    return { pid: Number(pid), birth }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return null
  }
}

/** When a running process started; null for one that is gone or a zombie, which in a container may never be reaped. */
async function birthOf(pid: number): Promise<string | null> {
  if (!isNumberTaken(pid)) return null
  // Elsewhere the number has to do.
  if (process.platform !== 'linux') return 'unknown'
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8')
    // From the third field on: the second is a name that may hold spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : (fields[19] ?? null)
  } catch {
    return null // it ended just now
  }
}

function isNumberTaken(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
