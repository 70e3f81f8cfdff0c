import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { readMigrations } from '#server/platform/db/migration-files.ts'
import { root } from './checkout-copy.ts'

/** The number of the first migration: those before it are the baseline. */
const AFTER_BASELINE = 75

const modulesFolder = join(root, 'src/server/modules')

async function trackedFiles(): Promise<string[]> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], {
    cwd: root,
    maxBuffer: 16 * 1024 * 1024,
  })
  return stdout.split('\0').filter(Boolean)
}

const isText = (file: string) =>
  /\.(ts|tsx|cjs|js|json|sql|md|css|svg|html|txt)$/.test(file) || !file.includes('.')

describe('modules', () => {
  // Adapter modules have no service file, but clients.
  test('each has its index and its service, and is in the module map', async () => {
    const map = await readFile(join(root, '.dependency-cruiser.cjs'), 'utf8')
    for (const module of await readdir(modulesFolder)) {
      const files = await readdir(join(modulesFolder, module), { recursive: true })
      expect(files, module).toContain('index.ts')
      expect(
        files.some((file) => /(?:\.service|-bridge|^registry)\.ts$/.test(file)),
        module,
      ).toBe(true)
      expect(map, module).toMatch(new RegExp(`^  '?${module}'?: \\[`, 'm'))
    }
  })

  test('each is tested on a real database', async () => {
    for (const module of await readdir(modulesFolder)) {
      const files = await readdir(join(modulesFolder, module), { recursive: true })
      expect(
        files.filter((file) => file.endsWith('.db.test.ts')),
        module,
      ).not.toEqual([])
    }
  })

  test('SQL is written in queries files only', async () => {
    for (const file of await readdir(modulesFolder, { recursive: true })) {
      if (!file.endsWith('.ts') || /\.(queries|test)\.ts$/.test(file) || file.includes('testing/')) continue
      const text = await readFile(join(modulesFolder, file), 'utf8')
      expect(text.match(/\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql`/g) ?? [], file).toEqual([])
    }
  })
})

test('nothing waits by a clock that can be set: `Date.now()` is for moments that others read', async () => {
  const readers: string[] = []
  for (const file of await trackedFiles()) {
    if (!/^src\/server\/.*\.ts$/.test(file) || /\.test\.ts$|\/(testing|filling|seeding)\//.test(file))
      continue
    if ((await readFile(join(root, file), 'utf8')).includes('Date.now()')) readers.push(file)
  }
  expect(readers).toEqual([
    // A sign of life, by the clock of the game.
    'src/server/health/services.ts',
    // The signature of a call.
    'src/server/modules/game-bridge/http-game.client.ts',
    // When it was read, for Prometheus.
    'src/server/modules/statistics/figures.service.ts',
    // The moment of a line.
    'src/server/platform/log/log.ts',
  ])
})

test('a lease follows from the time-outs of the calls that it covers', async () => {
  const counted: string[] = []
  for (const file of await trackedFiles()) {
    if (!file.startsWith('src/server/') || !file.endsWith('.service.ts')) continue
    if (/\bLEASE_SECONDS = \d/.test(await readFile(join(root, file), 'utf8'))) counted.push(file)
  }
  // Nothing outside of the database is waited for.
  expect(counted).toEqual(['src/server/modules/passwords/link-requests.service.ts'])
})

test('every file of the server lies in a folder named after what it belongs to', async () => {
  const loose = (await trackedFiles()).filter((file) => /^src\/server\/[^/]+$/.test(file))
  // Addresses that installed machines hold, and nothing but that.
  for (const file of loose)
    expect(await readFile(join(root, file), 'utf8'), file).toMatch(
      /^\/\/ .+\nimport '\.\/(start|cli)\/[\w.-]+'\n$/,
    )
})

test('the README of the platform lists its folders in the order that imports obey, and no file lies outside of them', async () => {
  const platform = join(root, 'src/server/platform')
  const config = await readFile(join(root, '.dependency-cruiser.cjs'), 'utf8')
  const [, layers = ''] = /PLATFORM_LAYERS = \[(.*?)\]/s.exec(config) ?? []
  const inOrder = [...layers.matchAll(/'([\w-]+)'/g)].map(([, layer]) => layer)
  const readme = await readFile(join(platform, 'README.md'), 'utf8')
  expect([...readme.matchAll(/^\| `([\w-]+)\/`/gm)].map(([, folder]) => folder)).toEqual(inOrder)
  const found = (await trackedFiles()).flatMap(
    (file) => /^src\/server\/platform\/([^/]+)/.exec(file)?.[1] ?? [],
  )
  expect([...new Set(found)].toSorted()).toEqual(['README.md', ...inOrder].toSorted())
})

describe('migrations', () => {
  test('are numbered without gaps', async () => {
    const names = (await readdir(join(root, 'migrations'))).filter((name) => name !== 'README.md').sort()
    expect(names.map((name) => name.slice(0, 5))).toEqual(
      names.map((_, index) => `${String(index + AFTER_BASELINE).padStart(4, '0')}-`),
    )
  })

  test('and the baseline can be read: each declares its kind, and sql/ holds no file that is not loaded', async () => {
    const [baseline, ...migrations] = await readMigrations()
    const files = (await readdir(join(root, 'sql'))).filter((name) => /^[\w-]+\.sql$/.test(name))
    const loaded = [...(baseline?.sql ?? '').matchAll(/^-- sql\/([\w-]+\.sql)$/gm)].map(([, name]) => name)
    expect(loaded.toSorted()).toEqual(files.toSorted())
    expect(loaded.length).toBeGreaterThan(10)
    for (const { name } of migrations) expect(name).toMatch(/^\d{4}-[a-z0-9-]+\.sql$/)
  })
})

describe('decisions', () => {
  test('are numbered without gaps, each heading has the number, and the index has each with its title', async () => {
    const folder = join(root, 'docs/decisions')
    const files = (await readdir(folder)).filter((file) => /^\d{4}-.*\.md$/.test(file)).toSorted()
    const index = await readFile(join(folder, 'README.md'), 'utf8')
    const merged: string[] = []
    for (const file of files) {
      const [, , day = ''] = (await readFile(join(folder, file), 'utf8')).split('\n')
      merged.push(...(/; merges ([\d, ]+)/.exec(day)?.[1]?.split(', ') ?? []))
    }
    const numbers = [...files.map((file) => file.slice(0, 4)), ...merged]
      .map(Number)
      .toSorted((a, b) => a - b)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    for (const file of files) {
      const number = file.slice(0, 4)
      const [heading = ''] = (await readFile(join(folder, file), 'utf8')).split('\n')
      expect(heading.slice(0, 7), file).toBe(`# ${number} `)
      const entry = `- [${number}](${file}) ${heading.slice(7)}`
      const isListed = index.split('\n').some((line) => line === entry || line.startsWith(`${entry}, `))
      expect(isListed, `add to docs/decisions/README.md: ${entry}`).toBe(true)
    }
    expect(index.match(/^- \[/gm)).toHaveLength(files.length)
  })
})

describe('what is committed', () => {
  test('holds no address of a registry and no path of one machine', async () => {
    const places = [/registry\.npmjs/, /"resolved"/, new RegExp(`(^|[^a-z])/(work|root|home)/[a-z]`)]
    for (const file of await trackedFiles()) {
      if (!isText(file) || file === 'tests/repo/repository-rules.test.ts') continue
      const text = await readFile(join(root, file), 'utf8')
      for (const place of places) expect(place.test(text), `${file} holds ${String(place)}`).toBe(false)
    }
  })

  test('replaces modules in tests that import all modules anew, and leave none to the next file of their worker', async () => {
    const files = (await trackedFiles()).filter((file) =>
      /^(src|seeds|tests\/support)\/.*\.test\.tsx?$/.test(file),
    )
    let found = 0
    for (const file of files) {
      const text = await readFile(join(root, file), 'utf8')
      if (!text.includes('vi.mock(')) continue
      found += 1
      expect(text, file).toContain('vi.hoisted(() => vi.resetModules())')
      expect(text, file).toContain('afterAll(() => vi.resetModules())')
    }
    expect(found).toBeGreaterThan(0)
  })

  test('holds no test that is left out and no mark of unfinished work', async () => {
    for (const file of await trackedFiles()) {
      if (
        !/^(src|tests|scripts|art|seeds)\/.*\.tsx?$/.test(file) ||
        file === 'tests/repo/repository-rules.test.ts'
      )
        continue
      const text = await readFile(join(root, file), 'utf8')
      expect(
        text.match(/\b(test|it|describe)\.(skip|only|todo)\b|\b(TODO|FIXME|HACK)\b/g) ?? [],
        file,
      ).toEqual([])
    }
  })

  test('has short files only', async () => {
    for (const file of await trackedFiles()) {
      if (
        !/^(src|tests|scripts|art|migrations|sql)\/.*\.(tsx?|sql|css)$/.test(file) ||
        file.includes('.gen.')
      )
        continue
      const lines = (await readFile(join(root, file), 'utf8')).split('\n').length
      expect(lines, file).toBeLessThanOrEqual(450)
    }
  })
})

describe('the README', () => {
  test('names the commands that CI runs', async () => {
    const readme = await readFile(join(root, 'README.md'), 'utf8')
    const ci = await readFile(join(root, '.ci/run'), 'utf8')
    expect(readme).toContain('npm ci && npm start')
    expect(readme).toContain('npm ci && npm test')
    expect(ci).toMatch(/^npm ci\nnpm test$/m)
  })
})
