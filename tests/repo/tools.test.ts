import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from './checkout-copy.ts'
import { everyNth } from '#tests/support/test-run.ts'

type Ended = { code: number; text: string }

async function run(words: readonly string[]): Promise<Ended> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...words], { cwd: root })
    return { code: 0, text: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, text: stdout + stderr }
  }
}

/** The words of each script of package.json that is a program of this checkout. */
async function programs(): Promise<Map<string, string[]>> {
  const { scripts } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as {
    scripts: Record<string, string>
  }
  const found = Object.entries(scripts).flatMap(([name, script]) => {
    const words = script.split(' ')
    const at = words.indexOf('node')
    return at === -1 ? [] : [[name, words.slice(at + 1)] as const]
  })
  return new Map(found)
}

/** They take no options of their own: generators of files, and what hands its options on to a tool. */
const WITHOUT_OPTIONS = new Set([
  'permissions',
  'retention',
  'images',
  'fonts',
  'lockfile',
  'build',
  'dev',
  'e2e',
])
/** Programs of the portal and of games, which read theirs by themselves. */
const BY_THEMSELVES = ['start', 'portal', 'game-server', 'game-adapter']

const STACK = /^ +at \S/m

test('every tool reads its options where a wrong one ends with a sentence and --help with the usage', async () => {
  const tools = [...(await programs())].filter(
    ([name]) => !WITHOUT_OPTIONS.has(name) && !BY_THEMSELVES.includes(name),
  )
  expect(tools.length).toBeGreaterThan(11)
  for (const [name, words] of tools) {
    const file = words.find((word) => word.endsWith('.ts')) ?? ''
    const code = await readFile(root + file, 'utf8')
    const shared = code.includes('takeScreenshots(')
      ? await readFile(`${root}scripts/screenshot-run.ts`, 'utf8')
      : ''
    expect(code + shared, name).toContain('readOptions({')
    expect(code, name).not.toMatch(/\bparseArgs\b|process\.argv/)
  }
})

test('a wrong option ends with a sentence and the usage, and no stack', async () => {
  for (const name of everyNth([...BY_THEMSELVES, 'check', 'game-contract'], 2)) {
    const { code, text } = await run([...((await programs()).get(name) ?? []), '--no-such-option'])
    expect(code, `${name}: ${text}`).toBeGreaterThan(0)
    expect(text, name).toContain('--no-such-option')
    expect(text, name).toMatch(new RegExp(`npm (run )?${name}\\b`))
    expect(text, name).not.toMatch(STACK)
  }
})

test('--help prints how a tool is called, whatever else was given', async () => {
  for (const words of [
    ['tests/soak/main.ts', '--seed', 'x', '--help'],
    ['scripts/start.js', '--help'],
    ['src/server/cli.ts', 'erase', '--help'],
    ['src/game-server/main.ts', '--help'],
  ]) {
    const { code, text } = await run(words)
    expect({ code, words }).toEqual({ code: 0, words })
    expect(text).toMatch(/npm (start|run \S+)/)
    expect(text).not.toMatch(STACK)
  }
})

test('a number that is none is named', async () => {
  const { code, text } = await run(['tests/soak/main.ts', '--minutes', 'two'])
  expect(code).toBe(2)
  expect(text).toMatch(/^--minutes takes a number, not “two”\.\n\nnpm run soak /)
})

test('with a Node that is too old, every program explains what to do', async () => {
  const sentence =
    /^Node \S+ of this machine cannot run the portal: start it with npm, or with the Node that comes with it, \S+\.\n$/
  const all = await programs()
  for (const [name, words] of all) expect(words, name).toContain('--import=./scripts/pinned-node.js')
  // As a Node that is too old to know TypeScript, and as one that does not know all of its syntax.
  const before24 = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.23.5' } })`
  for (const name of ['start', 'dev', 'portal']) {
    const words = all.get(name) ?? []
    for (const old of ['--no-strip-types', `--import=data:text/javascript,${encodeURIComponent(before24)}`]) {
      const { code, text } = await run([old, ...words, 'doctor'])
      expect(code, text).toBe(1)
      expect(text).toMatch(sentence)
    }
  }
})
