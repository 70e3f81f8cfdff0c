import { readdir, readFile } from 'node:fs/promises'

/** Every process that lives and its parent, as Linux lists them. */
export async function parentsOfAll(): Promise<Map<number, number>> {
  const found = (await readdir('/proc')).map(async (name) => {
    if (!/^\d+$/.test(name)) return []
    // After the name, which may hold anything: state and parent.
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return stat === '' || state === 'Z' ? [] : [[Number(name), Number(parent)] as const]
  })
  return new Map((await Promise.all(found)).flat())
}

/** The processes that `pid` started and that live. */
export async function childrenOf(pid: number): Promise<number[]> {
  return [...(await parentsOfAll())].filter(([, parent]) => parent === pid).map(([child]) => child)
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
