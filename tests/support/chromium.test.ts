import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findChromium, findFallbackFont } from './chromium.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'chromium-'))
})
afterEach(() => rm(dir, { recursive: true }))

async function aBrowser(name: string, script: string): Promise<string> {
  const path = join(dir, name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return path
}

test('the browser named by CHROMIUM_PATH is taken before any other', async () => {
  const named = await aBrowser('mine', 'echo Chromium 140.0.1')
  await aBrowser('bin/chromium', 'echo Chromium 139.0.1')
  expect(await findChromium({ CHROMIUM_PATH: named, PATH: join(dir, 'bin') })).toBe(named)
})

test('a CHROMIUM_PATH that does not run is an error, not a reason to take another browser', async () => {
  const broken = await aBrowser('mine', 'echo "libnss3.so: cannot open" >&2; exit 127')
  await aBrowser('bin/chromium', 'echo Chromium 139.0.1')
  const search = findChromium({ CHROMIUM_PATH: broken, PATH: join(dir, 'bin') })
  await expect(search).rejects.toThrow('libnss3.so: cannot open')
})

test('a browser on PATH is found by any of its names, and one that does not start is passed over', async () => {
  await aBrowser('first/chromium', 'exit 1')
  const works = await aBrowser('second/google-chrome', 'echo Google Chrome 140.0.1')
  expect(await findChromium({ PATH: `${join(dir, 'first')}:${join(dir, 'second')}` })).toBe(works)
})

test('where there are both, the shell is taken before the whole browser', async () => {
  await aBrowser('bin/chromium', 'echo Chromium 140.0.1')
  const shell = await aBrowser('bin/chromium-headless-shell', 'echo Chromium 140.0.1')
  expect(await findChromium({ PATH: join(dir, 'bin') })).toBe(shell)
})

test('as a command it prints the path, or the reason with exit code 1', async () => {
  const script = new URL('./chromium.ts', import.meta.url).pathname
  const command = (path: string) =>
    spawnSync(process.execPath, [script], { env: { CHROMIUM_PATH: path, PATH: dir }, encoding: 'utf8' })
  const found = command(await aBrowser('mine', 'echo Chromium 140.0.1'))
  expect([found.status, found.stdout.trim()]).toEqual([0, join(dir, 'mine')])
  const missing = command(join(dir, 'nowhere'))
  expect(missing.status).toBe(1)
  expect(missing.stderr).toContain('nowhere')
})

test('a machine that has a font of a phone gets no other', async () => {
  const printed = vi.spyOn(process.stderr, 'write')
  try {
    for (const [folder, font] of [
      ['debian', 'truetype/liberation/LiberationSans-Regular.ttf'],
      ['android', 'Roboto-Regular.ttf'],
      ['windows', 'arial.ttf'],
    ] as const) {
      const file = join(dir, folder, font)
      await mkdir(join(file, '..'), { recursive: true })
      await writeFile(file, '')
      await findFallbackFont([join(dir, 'nowhere'), join(dir, folder)])
    }
    expect(printed).not.toHaveBeenCalled()
  } finally {
    printed.mockRestore()
  }
})
