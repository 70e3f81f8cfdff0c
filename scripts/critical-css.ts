import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transform, type Selector } from 'lightningcss'

type Chunk = { file: string; name?: string; css?: string[]; imports?: string[]; isEntry?: boolean }

/** Written by the server around the application (document.ts). */
const CLASSES_OF_DOCUMENTS = ['demo-strip', 'old-browser']

/**
 * Bold letters come with the whole style sheet. Until then their weight is declared without a file, so that the device's bold
 * letters of the same width stand in and not the thickened normal ones.
 */
const LATE_FONT = /(@font-face\{[^}]*font-weight:700;[^}]*src:)url\([^)]*\.woff2\)\s*format\("woff2"\)/g

const RENDERED_FIRST = new Set(['before', 'after', 'marker'])

/**
 * The rules that the first paint of each page needs, by the name of the page's part of the script: those of the whole style
 * sheet whose classes stand in the scripts that render the page. The empty name is that of pages without a part. A document
 * holds them itself, so that it is painted without waiting for the style sheet.
 */
export async function criticalStyles(folder: string): Promise<Record<string, string>> {
  const manifest = JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >
  const [entryKey, entry] = Object.entries(manifest).find(([, chunk]) => chunk.isEntry) ?? []
  if (!entryKey || !entry) throw new Error('The built site has no entry')
  const style = await readFile(join(folder, entry.css?.[0] ?? ''))
  const ofPage = async (keys: string[]) => {
    const files = filesOf(manifest, [entryKey, ...keys])
    const scripts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
    return rulesFor(style, new Set([...CLASSES_OF_DOCUMENTS, ...scripts.flatMap(wordsOf)]))
  }
  const pages = Object.entries(manifest).filter(([, { name }]) => /[.-]pages?$/.test(name ?? ''))
  const named = pages.map(async ([key, { name }]) => [name as string, await ofPage([key])] as const)
  return Object.fromEntries([['', await ofPage([])], ...(await Promise.all(named))])
}

/** The files of chunks and of all that they import, without the libraries, which name no classes. */
function filesOf(
  manifest: Record<string, Chunk>,
  keys: readonly string[],
  visited = new Set<string>(),
): string[] {
  return keys.flatMap((key) => {
    const chunk = manifest[key]
    if (!chunk || visited.has(key) || chunk.name === 'libraries') return []
    visited.add(key)
    return [chunk.file, ...filesOf(manifest, chunk.imports ?? [], visited)]
  })
}

/** Everything in a script that may be a class, as Tailwind finds classes in sources. */
const wordsOf = (script: string) => script.split(/[\s"'`]+/)

function rulesFor(style: Buffer, classes: ReadonlySet<string>): string {
  const { code } = transform({
    filename: 'critical.css',
    code: style,
    visitor: {
      Rule: {
        style: (rule) => (rule.value.selectors.some((selector) => isMet(selector, classes)) ? undefined : []),
      },
    },
  })
  // The second time for what is empty or unused now that rules have gone.
  const minified = transform({
    filename: 'critical.css',
    code,
    minify: true,
    unusedSymbols: unusedNames(code.toString()),
  })
  return minified.code.toString().replace(LATE_FONT, '$1local("")')
}

/** Animations and registered properties that no rule uses any more. */
function unusedNames(css: string): string[] {
  const names = [...css.matchAll(/@(?:property|keyframes) ([\w-]+)/g)].map(([, name]) => name as string)
  return names.filter((name) => !new RegExp(`(var\\(|anima[^;]*\\s)${name}\\b`).test(css))
}

/** What holds only once somebody points at something or reaches it with the keyboard. */
const LATER = new Set(['hover', 'active', 'focus', 'focus-visible', 'focus-within'])

/**
 * Whether an element with those classes can match before anybody has done anything; what stands in `:has(…)` and the like is not
 * looked at. The inner parts of fields are not painted first.
 */
function isMet(selector: Selector, classes: ReadonlySet<string>): boolean {
  return selector.every((part) => {
    if (part.type === 'class') return classes.has(part.name)
    if (part.type === 'pseudo-element') return RENDERED_FIRST.has(part.kind)
    if (part.type !== 'pseudo-class') return true
    if (part.kind === 'is' || part.kind === 'where') return part.selectors.some((one) => isMet(one, classes))
    return !LATER.has(part.kind)
  })
}
