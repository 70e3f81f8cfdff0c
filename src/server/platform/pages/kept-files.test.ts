import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import Fastify from 'fastify'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepFiles, keptFoldersIn } from './kept-files.ts'
import { serveFiles } from './site-files.ts'

const DAY_MS = 86_400_000
const log = pino({ level: 'silent' })

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cong-ninja-kept-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A process of a release with these scripts, seen once at the given moment. */
async function seen(release: string, scripts: string[], now_ms = Date.now()): Promise<void> {
  const of = (part: string) => join(folder, release, part)
  const built = { player: of('player'), console: of('console'), maps: of('maps') }
  for (const name of scripts) {
    for (const site of Object.values(built)) {
      await mkdir(join(site, 'js'), { recursive: true })
      await writeFile(join(site, 'js', name), release)
    }
  }
  await keepFiles({ dataDir: join(folder, 'data'), built, log, now: () => now_ms })()
}

const kept = (site: 'player' | 'console' | 'maps') => join(folder, 'data/site-files', site)

test('the files of a release are kept for a week after its last process, those of both sites and their maps', async () => {
  await seen('one', ['shared-1.js', 'a-1.js'])
  await seen('two', ['shared-1.js', 'a-2.js'], Date.now() + 6 * DAY_MS)
  for (const site of ['player', 'console', 'maps'] as const) {
    expect((await readdir(join(kept(site), 'js'))).sort()).toEqual(['a-1.js', 'a-2.js', 'shared-1.js'])
  }
  await seen('two', [], Date.now() + 8 * DAY_MS)
  for (const site of ['player', 'console', 'maps'] as const) {
    expect((await readdir(join(kept(site), 'js'))).sort()).toEqual(['a-2.js', 'shared-1.js'])
  }
  expect(await readdir(join(folder, 'data/site-files/releases'))).toHaveLength(1)
})

test('a release that goes on running is kept for as long as it does', async () => {
  await seen('one', ['a-1.js'])
  await seen('one', [], Date.now() + 6 * DAY_MS)
  await seen('two', ['a-2.js'], Date.now() + 12 * DAY_MS)
  expect((await readdir(join(kept('player'), 'js'))).sort()).toEqual(['a-1.js', 'a-2.js'])
})

test('of many releases in one week the latest twenty are kept', async () => {
  const start = Date.now() + DAY_MS
  for (let release = 0; release < 22; release += 1)
    await seen(`r${release}`, [`a-${release}.js`], start + release * 60_000)
  const names = await readdir(join(kept('player'), 'js'))
  expect(names).toHaveLength(20)
  expect(names).not.toContain('a-1.js')
  expect(names).toContain('a-2.js')
})

test('what another process may be writing is left alone', async () => {
  await seen('one', ['a-1.js'])
  await writeFile(join(kept('player'), 'js/b-2.js.draft'), 'half')
  await seen('one', [])
  expect(await readdir(join(kept('player'), 'js'))).toContain('b-2.js.draft')
  await seen('one', [], Date.now() + 2 * 3_600_000)
  expect(await readdir(join(kept('player'), 'js'))).toEqual(['a-1.js'])
})

test('a build in place takes nothing from what is kept', async () => {
  await seen('one', ['a-1.js'])
  await rm(join(folder, 'one'), { recursive: true })
  expect((await stat(join(kept('player'), 'js/a-1.js'))).size).toBe(3)
})

test('a folder that cannot be written stops nothing', async () => {
  await writeFile(join(folder, 'data'), 'a file')
  await expect(seen('one', ['a-1.js'])).resolves.toBeUndefined()
})

test('a file of another release is served like one of this, for as long as it is kept', async () => {
  await seen('one', ['a-1.js'])
  await seen('two', ['a-2.js'])
  await mkdir(join(folder, 'public'))
  const app = Fastify()
  await serveFiles(app, {
    builtFolder: join(folder, 'two/player'),
    keptFolder: kept('player'),
    publicFolder: join(folder, 'public'),
  })
  for (const name of ['a-1', 'a-2']) {
    const answer = await app.inject(`/static/js/${name}.js`)
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ])
  }
  expect((await app.inject('/static/js/a-3.js')).statusCode).toBe(404)
  await app.close()
})

test('the folders of a DATA_DIR beside the program are whole paths, as files are served from no other', () => {
  for (const folder of Object.values(keptFoldersIn('./data'))) expect(isAbsolute(folder), folder).toBe(true)
})
