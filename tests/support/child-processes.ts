import { readdir, readFile } from 'node:fs/promises'

/** The processes that `pid` started and that live, as Linux lists them. */
export async function childrenOf(pid: number): Promise<number[]> {
  const children: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    // After the name, which may hold anything: state and parent.
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(parent) === pid && state !== 'Z') children.push(Number(name))
  }
  return children
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
