import { glob, readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildIfNeeded } from '#scripts/build.ts'
import { IN_SCRIPTS, IN_SOURCES, IN_STYLES } from '#tests/floor/allowed.ts'
import { scriptBeyondFloor } from '#tests/floor/scripts.ts'
import { usesBeyondFloor } from '#tests/floor/sources.ts'
import { stylesBeyondFloor, undefinedProperties } from '#tests/floor/styles.ts'
import { root } from './checkout-copy.ts'

/** What is served to browsers: both built sites and the public folder. */
async function textsOf(pattern: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for await (const file of glob(pattern, { cwd: root })) texts.set(file, await readFile(root + file, 'utf8'))
  return texts
}

const SERVED = '{dist/web/{client,admin}/static/**,public}'

// As long as a test may take: it builds both sites where they are not built yet.
beforeAll(() => buildIfNeeded(), 120_000)

describe('what the oldest supported browsers lack is used only where its absence does no harm:', () => {
  test('in the sources of both sites, by the types of the receivers', () => {
    const uses = usesBeyondFloor()
    const unlisted = [...uses].filter(([what]) => !(what in IN_SOURCES))
    expect(
      unlisted.map(
        ([what, { engines, places }]) => `${what}: not in ${engines.join(', ')}; ${places.join(' ')}`,
      ),
    ).toEqual([])
    expect(Object.keys(IN_SOURCES).filter((what) => !uses.has(what))).toEqual([])
  })

  test('in the served scripts with their libraries, by names and syntax', async () => {
    const used = new Set<string>()
    const unlisted: string[] = []
    for (const [file, text] of await textsOf(`${SERVED}/*.js`)) {
      for (const what of scriptBeyondFloor(text)) {
        used.add(what)
        if (!(what in IN_SCRIPTS)) unlisted.push(`${what}: ${file}`)
      }
    }
    expect(unlisted).toEqual([])
    expect(Object.keys(IN_SCRIPTS).filter((what) => !used.has(what))).toEqual([])
  })

  test('in the served style sheets', async () => {
    const used = new Set<string>()
    const unlisted: string[] = []
    for (const [file, text] of await textsOf(`${SERVED}/*.css`)) {
      for (const [what, engines] of stylesBeyondFloor(text)) {
        used.add(what)
        if (!(what in IN_STYLES)) unlisted.push(`${what}: not in ${engines.join(', ')}; ${file}`)
      }
    }
    expect(unlisted).toEqual([])
    expect(Object.keys(IN_STYLES).filter((what) => !used.has(what))).toEqual([])
  })
})

test.each(['client', 'admin'])(
  'every custom property that the styles of %s use is set somewhere',
  async (site) => {
    const folder = `dist/web/${site}/static/**/*`
    const [styles, scripts] = await Promise.all([textsOf(`${folder}.css`), textsOf(`${folder}.js`)])
    expect(undefinedProperties([...styles.values()], [...scripts.values()])).toEqual([])
  },
)

test('documents name the engines of the floor', async () => {
  const { browserslist } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as {
    browserslist: string[]
  }
  const version = (name: string) =>
    browserslist.find((engine) => engine.startsWith(`${name} `))?.split(' ')[1]
  expect(version('ios_saf')).toBe(version('safari'))
  const floor = `Chrome ${version('chrome')}, Safari ${version('safari')}, Firefox ${version('firefox')}`
  for (const file of ['README.md', 'docs/decisions/0085-a-floor-of-browsers.md'])
    expect(await readFile(root + file, 'utf8'), file).toContain(floor)
})

describe('it is refused', () => {
  const SAMPLES: [what: string, code: string][] = [
    ['Array.toSorted', '[1].toSorted()'],
    ['Array.with', '[1].with(0, 2)'],
    ['URLSearchParams.size', 'const { size } = new URLSearchParams()'],
    ['String.isWellFormed', '"a".isWellFormed()'],
    ['URL.canParse', 'URL.canParse("")'],
    ['Promise.withResolvers', 'Promise.withResolvers()'],
    ['AbortSignal.any', 'AbortSignal.any([])'],
    ['Intl.Segmenter', 'new Intl.Segmenter()'],
    ['Element.checkVisibility', 'document.body.checkVisibility()'],
    ['Document.startViewTransition', 'document.startViewTransition'],
    ['cancelIdleCallback', 'cancelIdleCallback(1)'],
    ['attribute inert', '<p inert />'],
  ]

  test('in a source: methods, static methods, properties, globals and attributes', () => {
    const text = SAMPLES.map(([, code], index) => `export function f${index}() { ${code} }`).join('\n')
    const uses = usesBeyondFloor({ 'src/planted.tsx': text })
    expect([...uses.keys()].sort()).toEqual(SAMPLES.map(([what]) => what).sort())
    const known =
      '[1].at(0); new Map().size; [1].findLast(Boolean); structuredClone(1); new File([], "").size'
    expect(usesBeyondFloor({ 'src/planted.tsx': `export function f() { ${known} }` })).toEqual(new Map())
  })

  test.each([
    ['a.toSorted()', '.toSorted()'],
    ['URL.canParse(a)', 'URL.canParse'],
    ['document.startViewTransition()', 'document.startViewTransition'],
    ['new CloseWatcher()', 'CloseWatcher'],
    ['class A { static { a() } }', 'syntax: static block'],
    ['/(?<=a)b/.test(a)', 'syntax: look behind in a pattern'],
    ['RegExp(`(?<=a)b`)', 'syntax: look behind in a pattern'],
    ['new RegExp("a", `v`)', 'syntax: flag v of a pattern'],
    ['using a = b', 'syntax: Unexpected token (1:6)'],
  ])('in a built script: %s', (text, what) => {
    expect(scriptBeyondFloor(text)).toEqual([what])
  })

  test.each([
    ['p { rotate: 9deg }', 'rotate'],
    ['p { height: 9dvh }', 'dvh'],
    ['p { overflow: clip; color: light-dark(red, blue) }', 'light-dark()'],
    ['p { color: color-mix(in srgb, red, blue) }', 'color-mix()'],
    ['p:has(a) { margin: 0 }', 'p:has(a)'],
    ['@container (width > 9rem) { p { margin: 0 } }', '@container'],
    ['@media (width >= 9rem) { p { margin: 0 } }', '@media (width >= …)'],
    ['p { a & { margin: 0 } }', 'nested rules'],
  ])('in a built style sheet: %s', (text, what) => {
    expect([...stylesBeyondFloor(text).keys()]).toContain(what)
  })

  test('but not what a style sheet asks for, or has another value for', () => {
    const known =
      'p { height: 9vh; height: 9dvh } p:is(a, :open) { margin: 0 } @supports (rotate: 9deg) { p { rotate: 9deg } }'
    expect([...stylesBeyondFloor(known).keys()]).toEqual([])
    expect(
      undefinedProperties(['p { color: var(--a); margin: var(--b, 0); padding: var(--c) } p { --c: 0 }'], []),
    ).toEqual(['--a'])
  })
})
