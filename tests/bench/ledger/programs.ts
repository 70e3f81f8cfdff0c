import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nextMessage } from '../../harness/fleet.ts'
import { layOutSources } from '../../upgrade/programs.ts'
import type { Job, Ran } from './side.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const HERE = 'tests/bench/ledger'
const SIDE = `${HERE}/side.ts`

/** A program that is measured: its services in a process of their own, on a database of their own. */
export type Side = {
  run(job: Exclude<Job, 'reconcile'>): Promise<Ran>
  /** The checks of its books that find something. */
  reconcile(): Promise<string[]>
  end(): Promise<void>
}

/** The tree of a commit, with what measures it where it has none. */
export async function treeOf(commit: string, folder: string): Promise<string> {
  await layOutSources(commit, folder)
  const isThere = execFileSync('git', ['ls-tree', commit, SIDE], { cwd: root, encoding: 'utf8' }) !== ''
  if (!isThere) await cp(join(root, HERE), join(folder, HERE), { recursive: true })
  return folder
}

export async function startSide(tree: string | null, ownerUrl: string): Promise<Side> {
  const folder = tree ?? root
  const child = fork(join(folder, SIDE), [ownerUrl], { cwd: folder, execArgv: [], serialization: 'advanced' })
  await nextMessage(child)
  const run = async (job: Job) => {
    const answered = nextMessage<Ran | string[]>(child)
    child.send(job)
    return answered
  }
  return {
    run: (job) => run(job) as Promise<Ran>,
    reconcile: () => run('reconcile') as Promise<string[]>,
    async end() {
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}
