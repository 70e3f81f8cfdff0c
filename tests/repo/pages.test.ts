import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pages } from '#contract/pages.ts'
import { root } from './checkout-copy.ts'

/** Texts that look like an address: `'/home'`, `${url}/post/${id}`. */
const ADDRESS = /['"`}](\/[\w*][^'"`\s?#]*)/g

/** The path of a call, which the compiler compares with the contract: `ownQuery<typeof listOrders>('/recharge/orders'`. */
const CALL = /<typeof \w+>\(\s*'[^']*'/g

const patterns = Object.values(pages)
  .filter(({ path }) => path !== '*')
  .map(({ path }) => new RegExp(`^${path.replace(/\/:\w+\?/g, '(/[^/]+)?').replace(/:\w+/g, '[^/]+')}$`))

const pagesIn = (text: string) =>
  [...text.replaceAll(CALL, '').matchAll(ADDRESS)]
    .map(([, address = '']) => address)
    .filter((address) => patterns.some((pattern) => pattern.test(address)))

test('the address of a page is written only in the table of pages', async () => {
  const found: string[] = []
  let count = 0
  for await (const file of glob('src/{web,server,ui}/**/*.{ts,tsx}', { cwd: root })) {
    if (/\.test\.tsx?$|\/testing\//.test(file)) continue
    count += 1
    const text = await readFile(join(root, file), 'utf8')
    found.push(...pagesIn(text).map((address) => `${file}: ${address}`))
  }
  expect(count).toBeGreaterThan(300)
  expect(pagesIn('href="/home" `${url}/post/${id}` "/download/qr/7"')).toEqual(['/home', '/post/${id}'])
  expect(pagesIn("ownQuery<typeof listOrders>('/recharge/orders') && navigate('/recharge')")).toEqual([
    '/recharge',
  ])
  expect(found).toEqual([])
})
