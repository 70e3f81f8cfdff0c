import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './checkout-copy.ts'

async function documents(): Promise<string[]> {
  const inDocs = await readdir(join(root, 'docs'), { recursive: true })
  const files = inDocs.map((file) => join('docs', file)).concat(await readdir(root))
  return files.filter((file) => file.endsWith('.md'))
}

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const anchorsIn = (text: string) =>
  Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) => anchorOf(heading))

test('every link between documents leads to a file and a heading that exist', async () => {
  const files = await documents()
  expect(files.length).toBeGreaterThan(70)
  const problems: string[] = []
  for (const file of files) {
    const text = await readFile(join(root, file), 'utf8')
    for (const [, address = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      // Where screens of the console are: runbooks.test.ts.
      if (/^(https?:|\/admin\/)/.test(address)) continue
      const [path = '', anchor] = address.split('#')
      const target = path === '' ? file : join(dirname(file), path)
      if (!existsSync(join(root, target))) problems.push(`${file}: ${address}`)
      else if (
        anchor !== undefined &&
        !anchorsIn(await readFile(join(root, target), 'utf8')).includes(anchor)
      )
        problems.push(`${file}: ${address} has no such heading`)
    }
  }
  expect(problems).toEqual([])
})

/** Of a recipe, and of programs before this one, which the upgrade names. */
const NOT_HERE = new Set(['.ts', 'posters.copy.ts', 'src/server/shutdown/drain.ts', 'src/server/stopping.ts'])

test('every program file that a document names exists', async () => {
  const folders = ['src', 'tests', 'scripts', 'seeds', 'art']
  const files = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true })).map((file) => `/${folder}/${file}`),
    ),
  )
  const existing = files.flat()
  const problems: string[] = []
  for (const document of await documents()) {
    const text = await readFile(join(root, document), 'utf8')
    for (const [, name = ''] of text.matchAll(/`#?([\w./-]+\.tsx?)`/g)) {
      const isHere = existing.some((file) => file.endsWith(`/${name}`)) || existsSync(join(root, name))
      if (!isHere && !NOT_HERE.has(name)) problems.push(`${document}: ${name}`)
    }
  }
  expect(problems).toEqual([])
})
