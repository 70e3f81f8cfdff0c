import { copyFile, link, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Log } from '../log/log.ts'
import { keepFiles, withKeptFiles } from './kept-files.ts'
import type { Site } from './site-files.ts'

// Modules that other files of this worker have imported have nothing replaced; those of this one are not for them.
vi.hoisted(() => vi.resetModules())
afterAll(() => vi.resetModules())
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  return { ...real, copyFile: vi.fn(real.copyFile), link: vi.fn(real.link), stat: vi.fn(real.stat) }
})

const HOUR_MS = 3_600_000
const SCRIPT = 'js/a-1.js'

let folder: string
const warn = vi.fn()
const log = { warn } as unknown as Log

const built = () => ({
  player: join(folder, 'built/player'),
  console: join(folder, 'built/console'),
  maps: join(folder, 'built/maps'),
})
const data = () => join(folder, 'data')
const inPlayer = (name: string) => join(data(), 'site-files/player', name)
const releases = () => join(data(), 'site-files/releases')

const keep = (now_ms = Date.now()) => keepFiles({ dataDir: data(), built: built(), log, now: () => now_ms })()

beforeEach(async () => {
  vi.clearAllMocks()
  folder = await mkdtemp(join(tmpdir(), 'cong-ninja-kept-'))
  await mkdir(dirname(join(built().player, SCRIPT)), { recursive: true })
  await writeFile(join(built().player, SCRIPT), 'script')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('what is kept is for this user alone', async () => {
  await keep()
  const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
  expect(await mode(releases())).toBe('700')
  expect(await mode(dirname(inPlayer(SCRIPT)))).toBe('700')
  for (const list of await readdir(releases())) expect(await mode(join(releases(), list))).toBe('600')
})

test('a kept file takes no room of its own, and is copied where it cannot be a second name', async () => {
  const inode = async (path: string) => (await stat(path)).ino
  await keep()
  expect(await inode(inPlayer(SCRIPT))).toBe(await inode(join(built().player, SCRIPT)))
  await rm(data(), { recursive: true })
  vi.mocked(link).mockRejectedValueOnce(new Error('EXDEV'))
  await keep()
  expect(await inode(inPlayer(SCRIPT))).not.toBe(await inode(join(built().player, SCRIPT)))
  expect(warn).not.toHaveBeenCalled()
})

test('a file has its name only when it is whole, and is kept once', async () => {
  await keep()
  await keep()
  expect(await readdir(dirname(inPlayer(SCRIPT)))).toEqual(['a-1.js'])
  expect(vi.mocked(link).mock.calls).toHaveLength(1)
  expect(vi.mocked(link).mock.calls[0]?.[1]).not.toBe(inPlayer(SCRIPT))
})

test('the list of a release is there before its files, which nobody then takes for leftovers', async () => {
  vi.mocked(link).mockRejectedValueOnce(new Error('full'))
  vi.mocked(copyFile).mockRejectedValueOnce(new Error('full'))
  await keep()
  expect(warn).toHaveBeenCalledOnce()
  expect(await readdir(releases())).toHaveLength(1)
})

test('a release whose files cannot be read is none without files', async () => {
  await rm(built().player, { recursive: true })
  await writeFile(built().player, 'no folder')
  await keep()
  expect(warn).toHaveBeenCalledOnce()
  await expect(readdir(releases())).rejects.toThrow('ENOENT')
})

test('a leftover that another process removes at the same moment stops no round', async () => {
  await keep()
  for (const name of ['b-1.js', 'b-2.js']) await writeFile(inPlayer(`js/${name}`), 'old')
  vi.mocked(stat).mockImplementation(async (path) => {
    const real = await vi.importActual<typeof import('node:fs/promises')>('node:fs/promises')
    if (String(path).endsWith('b-1.js')) throw new Error('ENOENT')
    return real.stat(path)
  })
  await keep(Date.now() + 2 * HOUR_MS)
  expect(await readdir(dirname(inPlayer(SCRIPT)))).not.toContain('b-2.js')
  expect(warn).not.toHaveBeenCalled()
})

const site = (isCached: boolean) =>
  ({
    isCached,
    builtFolder: built().player,
    console: { builtFolder: built().console },
  }) as unknown as Site

test('a portal keeps the files of its release while it listens, and tells hourly that it is there', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  try {
    const app = Fastify()
    const kept = await withKeptFiles(app, { config: { dataDir: data() }, log }, site(true))
    expect(kept.keptFolder).toBe(join(data(), 'site-files/player'))
    expect(((await stat(inPlayer(''))).mode & 0o777).toString(8)).toBe('700')
    await app.listen({ host: '127.0.0.1', port: 0 })
    const lastSeen = async () => {
      const [list = ''] = await readdir(releases()).catch(() => [])
      return list ? (await stat(join(releases(), list))).mtimeMs : undefined
    }
    const first_ms = await vi.waitUntil(lastSeen, { timeout: 20_000 })
    vi.advanceTimersByTime(HOUR_MS)
    // What is under way is finished by that.
    await app.close()
    expect(await lastSeen()).toBeGreaterThan(first_ms + HOUR_MS / 2)
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('a site in development keeps nothing, and one without a place for it goes on', async () => {
  const app = Fastify()
  const deps = { config: { dataDir: data() }, log }
  const inDevelopment = site(false)
  expect(await withKeptFiles(app, deps, inDevelopment)).toBe(inDevelopment)
  await expect(readdir(data())).rejects.toThrow('ENOENT')

  await writeFile(data(), 'a file')
  const withoutPlace = site(true)
  expect(await withKeptFiles(app, deps, withoutPlace)).toBe(withoutPlace)
  expect(warn).toHaveBeenCalledOnce()
  await app.close()
})
