import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sentenceOf } from './start-failure.ts'

const failed = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (error: unknown) => sentenceOf(error),
  )

test('a file of the program that is missing, cannot be read, or is made for another machine is a sentence', async () => {
  const folder = join(tmpdir(), `cong-ninja-not-whole-${process.pid}`)
  await mkdir(folder)
  const foreign = join(folder, 'foreign.node')
  await writeFile(foreign, 'machine code of another machine')
  await chmod(foreign, 0o755)
  const missing = join(folder, 'entry-server.js')
  const NOT_WHOLE =
    /^the program is not whole here, or may not be read by this user \([^\n]+\): run `npm ci` and [^\n]+$/
  expect(await failed(import(/* @vite-ignore */ missing))).toMatch(NOT_WHOLE)
  const load = async () => process.dlopen({ exports: {} }, foreign)
  expect(await failed(load())).toMatch(NOT_WHOLE)
  for (const text of [
    'Cannot find native binding. npm has a bug\nmore',
    'Could not load the "sharp" module using',
  ])
    expect(sentenceOf(new Error(text))).toMatch(NOT_WHOLE)
  const refused = Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'scandir', path: '/opt/x' })
  expect(sentenceOf(refused)).toMatch(/^this user may not read or write \/opt\/x: [^\n]+$/)
  expect(sentenceOf(new Error('something else'))).toMatch(/\n +at /)
  await rm(folder, { recursive: true })
})
