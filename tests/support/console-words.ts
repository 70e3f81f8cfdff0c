import { existsSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'
import { root } from '#tests/repo/checkout-copy.ts'

const SCREENS_FILE = 'src/admin/screens.ts'
/** On every screen: lists, dialogs and alarms; menu, locked sessions and fresh codes. */
const EVERYWHERE = ['src/admin/kit', 'src/admin/shell']
const IS_IMPORT = /(?:from|import) '((?:#(?:admin|contract)|\.)[^']*)'/g
const IS_SCREEN = /screen\('([^']+)', '[^]*?import\('#([^']+)'\)/g

const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The string literals of a program file. */
function literalsOf(file: string): Set<string> {
  const literals = new Set<string>()
  JSON.stringify(parseSync(file, read(file)).program, (_key, node: unknown) => {
    const { type, value } = (node ?? {}) as { type?: unknown; value?: unknown }
    if (type === 'Literal' && typeof value === 'string') literals.add(value)
    // JSON has no large whole numbers.
    return typeof node === 'bigint' ? null : node
  })
  return literals
}

/** The modules of the console and the contract that a module imports, without the list of all screens. */
function importsOf(file: string): string[] {
  const names = Array.from(read(file).matchAll(IS_IMPORT), ([, name = '']) => name)
  return names
    .map((name) => (name.startsWith('#') ? `src/${name.slice(1)}` : join(dirname(file), name)))
    .filter((name) => name !== SCREENS_FILE && /\.tsx?$/.test(name) && existsSync(join(root, name)))
}

function withImports(files: readonly string[]): Set<string> {
  const found = new Set(files)
  // A set goes on to what is added while it is read.
  for (const file of found) for (const imported of importsOf(file)) found.add(imported)
  return found
}

/** `/bank-transfers` and `/bank-transfers/:id` are opened from each other. */
const groupOf = (path: string) => path.split('/', 2).join('/')

/** The words on each screen, by the beginning of its address: the string literals of its module and of all that it imports. */
export async function wordsOfScreens(): Promise<(path: string) => ReadonlySet<string>> {
  const literals = new Map<string, Set<string>>()
  const wordsOf = (files: readonly string[]) => {
    const words = new Set<string>()
    for (const file of withImports(files)) {
      const own = literals.get(file) ?? literalsOf(file)
      literals.set(file, own)
      for (const word of own) words.add(word)
    }
    return words
  }
  const modules = new Map<string, string[]>()
  for (const [, path = '', module = ''] of read(SCREENS_FILE).matchAll(IS_SCREEN)) {
    const group = groupOf(path)
    modules.set(group, [...(modules.get(group) ?? []), `src/${module}`])
  }
  const everywhere = await Promise.all(
    EVERYWHERE.map(async (folder) =>
      (await readdir(join(root, folder)))
        .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
        .map((name) => `${folder}/${name}`),
    ),
  )
  const common = wordsOf(everywhere.flat())
  const words = new Map(
    [...modules].map(([group, files]) => [group, new Set([...wordsOf(files), ...common])] as const),
  )
  return (path) => words.get(groupOf(path)) ?? common
}
