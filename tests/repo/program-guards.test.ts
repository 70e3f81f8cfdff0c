import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROGRAM_GUARDS } from '#tests/mutation/program/index.ts'
import { root } from './checkout-copy.ts'

/*
 * The guards of the program that `npm run mutation` removes one by one are where their list says, and each once: a guard
 * that was moved, changed or removed is moved, changed or removed there too.
 */
test('each guard is the one place of its file that reads so', async () => {
  const lost: string[] = []
  for (const removal of PROGRAM_GUARDS) {
    if ('sql' in removal) continue
    const text = await readFile(join(root, removal.file), 'utf8')
    const places = text.split(removal.text).length - 1
    if (places !== 1) lost.push(`${removal.guard}: ${places} places in ${removal.file}`)
  }
  expect(lost).toEqual([])
})

test('each guard has a name of its own, and tests that are there', async () => {
  const names = PROGRAM_GUARDS.map(({ guard }) => guard)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  for (const file of new Set(PROGRAM_GUARDS.flatMap(({ tests }) => tests))) {
    expect((await stat(join(root, file))).isFile(), file).toBe(true)
  }
})
