import { readFile } from 'node:fs/promises'

/** What the lines of docs/configuration.md begin with. */
export async function documentedVariables(): Promise<Set<string>> {
  const text = await readFile('docs/configuration.md', 'utf8')
  const starts = [...text.matchAll(/^- ([^(]+) \(/gm)].map(([, start = '']) => start)
  return new Set(starts.flatMap((start) => [...start.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)))
}
