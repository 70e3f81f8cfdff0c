import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isProcessAlive, processBirth } from './processes.ts'

const NAME = /^(\d+)-[0-9a-f]{8}$/

/** Records that this process uses the server. One file per use, so one process may open it twice and each use ends separately. */
export async function register(runDir: string): Promise<string> {
  await mkdir(runDir, { recursive: true, mode: 0o700 })
  const file = join(runDir, `${process.pid}-${randomBytes(4).toString('hex')}`)
  await writeFile(file, processBirth(process.pid) ?? '', { flag: 'wx' })
  return file
}

export async function unregister(file: string): Promise<void> {
  await rm(file, { force: true })
}

/** How many living uses there are. What a killed process left behind is removed on the way. Call it under the lock. */
export async function countLivingUses(runDir: string): Promise<number> {
  await mkdir(runDir, { recursive: true, mode: 0o700 })
  let living = 0
  for (const name of await readdir(runDir)) {
    const pid = Number(NAME.exec(name)?.[1] ?? Number.NaN)
    if (Number.isNaN(pid)) continue
    const file = join(runDir, name)
    const birth = await readFile(file, 'utf8')
    if (isProcessAlive(pid) && processBirth(pid) === birth) living += 1
    else await unregister(file)
  }
  return living
}
