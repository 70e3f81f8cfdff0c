import { readFile, rm, writeFile } from 'node:fs/promises'

/** This process's own locks: in a container the next process may well have the number of the last. */
const held = new Set<string>()

/** Two games on one journal would each hand over what the other did. Answers how to let go. */
export async function takeLock(path: string): Promise<() => Promise<void>> {
  const holder = await readHolder(path)
  const isTaken = holder === process.pid ? held.has(path) : holder !== null && isAlive(holder)
  if (isTaken) throw new Error(`process ${holder} already uses ${path}`)
  // What a killed process left behind.
  await rm(path, { force: true })
  await writeFile(path, String(process.pid), { flag: 'wx' })
  held.add(path)
  return async () => {
    held.delete(path)
    await rm(path, { force: true })
  }
}

async function readHolder(path: string): Promise<number | null> {
  try {
    return Number(await readFile(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return null
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
