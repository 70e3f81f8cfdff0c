import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { POISONED_ELSEWHERE, POISONED_LOOPS, WITHOUT_ROWS } from '#tests/support/poisoned-loops.ts'
import { root } from './checkout-copy.ts'

/** Those that the worker starts: the loops of `start` and of the connections are no jobs. */
async function loopsOfJobs(): Promise<string[]> {
  const files = await readdir(join(root, 'src/server'), { recursive: true })
  const sources = files.filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|^start\/|^platform\/db\//.test(file),
  )
  const texts = await Promise.all(sources.map((file) => readFile(join(root, 'src/server', file), 'utf8')))
  return texts
    .filter((text) => /\b(?:startLoops|startSendingPool)\(/.test(text))
    .flatMap((text) => [...text.matchAll(/\bname: '([^']+)',\s+pauseMs|\bJOB = '([^']+)'/g)])
    .map(([, loop, pool]) => loop ?? pool ?? '')
}

test('every loop of the worker has its poisoned row, or none to poison', async () => {
  const known = [...POISONED_LOOPS.map(({ job }) => job), ...Object.keys(POISONED_ELSEWHERE), ...WITHOUT_ROWS]
  const loops = await loopsOfJobs()
  expect(loops.length).toBeGreaterThan(55)
  expect([...new Set(loops)].sort()).toEqual([...new Set(known)].sort())
})

test('rows that are poisoned in tests of their own are', async () => {
  for (const [job, file] of Object.entries(POISONED_ELSEWHERE)) {
    const text = await readFile(join(root, file), 'utf8')
    expect(text, job).toContain(`job: '${job}'`)
    expect(text, job).toContain('poison')
  }
})
