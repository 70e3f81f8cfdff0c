import { readFile, rm, writeFile } from 'node:fs/promises'

/** This process's own locks: in a container the next process may well have the number of the last. */
const held = new Set<string>()

/** A pid alone does not identify a process: after a kill another one may have it. */
type Holder = { pid: number; birth: string }

/** Two games on one journal would deliver everything twice. Returns a function that releases the lock. */
export async function takeLock(path: string): Promise<() => Promise<void>> {
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
