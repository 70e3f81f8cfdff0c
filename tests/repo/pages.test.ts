import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pages } from '#contract/pages.ts'
import { root } from './checkout-copy.ts'

const firstParts = new Set(Object.values(pages).flatMap(({ path }) => path.split('/')[1] ?? []))
const ADDRESS = new RegExp(`['"\`}](/(?:${[...firstParts].join('|')})(?![\\w.-])[^'"\`\\s]*)`, 'g')
/** Files with addresses below those of pages. */
const FILES = /^\/download\/qr\//

test('the address of a page stands in the table of pages and nowhere else', async () => {
  const found: string[] = []
  let count = 0
  for await (const file of glob('src/{web,server,ui}/**/*.{ts,tsx}', { cwd: root })) {
    if (/\.test\.tsx?$|\/testing\//.test(file)) continue
    count += 1
    const text = await readFile(join(root, file), 'utf8')
    for (const [, address = ''] of text.matchAll(ADDRESS))
      if (!FILES.test(address)) found.push(`${file}: ${address}`)
  }
  expect(count).toBeGreaterThan(300)
  expect('href="/home"').toMatch(ADDRESS)
  expect(found).toEqual([])
})
