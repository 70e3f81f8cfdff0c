import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { ContentKind } from '#server/domain/content.ts'
import { createPageCache, type CachedPage, type PageCache } from './page-cache.ts'

type Page = CachedPage & { text: string }

function pageOf(text: string, shows: readonly ContentKind[] = ['posts']): Page {
  return { text, shows: new Set(shows), bytes: 3 * text.length }
}

const cacheable = (text: string) => ({ render: async () => pageOf(text), isCacheable: () => true })

function found(cache: PageCache<Page>, key: string): Page | undefined {
  const shown = cache.shown(key)
  return shown?.isFresh ? shown.page : undefined
}

test('a page is rendered once and then found', async () => {
  const cache = createPageCache<Page>()
  expect(found(cache, '/home')).toBeUndefined()
  await cache.make('/home', cacheable('one'))
  expect(found(cache, '/home')?.text).toBe('one')
})

test('requests during a rendering get the same page', async () => {
  const cache = createPageCache<Page>()
  let renders = 0
  const work = {
    render: async () => {
      renders += 1
      return pageOf(`render ${renders}`)
    },
    isCacheable: () => true,
  }
  const pages = await Promise.all([cache.make('/home', work), cache.make('/home', work)])
  expect(pages.map(({ text }) => text)).toEqual(['render 1', 'render 1'])
})

test('a rendering that started before a drop is not stored, nor shared by later requests', async () => {
  const cache = createPageCache<Page>()
  const gate = Promise.withResolvers<Page>()
  const old = cache.make('/home', { render: () => gate.promise, isCacheable: () => true })

  cache.drop(['posts'])
  const fresh = await cache.make('/home', cacheable('new'))
  gate.resolve(pageOf('old'))

  expect((await old).text).toBe('old')
  expect(fresh.text).toBe('new')
  expect(found(cache, '/home')?.text).toBe('new')
})

test('a drop removes what was stored', async () => {
  const cache = createPageCache<Page>()
  await cache.make('/home', cacheable('one'))
  cache.drop(['posts'])
  expect(found(cache, '/home')).toBeUndefined()
})

test('a drop leaves the pages that show other content, and those that were begun before it', async () => {
  const cache = createPageCache<Page>()
  const gate = Promise.withResolvers<Page>()
  await cache.make('/home', cacheable('posts'))
  await cache.make('/gem-calculator', {
    render: async () => pageOf('gems', ['settings']),
    isCacheable: () => true,
  })
  const begun = cache.make('/download', { render: () => gate.promise, isCacheable: () => true })
  cache.drop(['posts', 'legal'])
  gate.resolve(pageOf('files', ['settings']))
  await begun
  expect(['/home', '/gem-calculator', '/download'].map((path) => found(cache, path)?.text)).toEqual([
    undefined,
    'gems',
    'files',
  ])
})

test('a failed rendering is not stored', async () => {
  const cache = createPageCache<Page>()
  const broken = { render: () => Promise.reject(new Error('broken')), isCacheable: () => true }
  await expect(cache.make('/home', broken)).rejects.toThrow('broken')
  await expect(cache.make('/home', cacheable('mended'))).resolves.toMatchObject({ text: 'mended' })
})

test('a page that is not to be stored is rendered each time', async () => {
  const cache = createPageCache<Page>()
  await cache.make('/404', { ...cacheable('lost'), isCacheable: () => false })
  expect(found(cache, '/404')).toBeUndefined()
})

test('the least recently used page is removed first', async () => {
  const cache = createPageCache<Page>({ countMax: 2 })
  await cache.make('/a', cacheable('a'))
  await cache.make('/b', cacheable('b'))
  found(cache, '/a')
  await cache.make('/c', cacheable('c'))
  expect([found(cache, '/a')?.text, found(cache, '/b')?.text, found(cache, '/c')?.text]).toEqual([
    'a',
    undefined,
    'c',
  ])
})

test('all pages together stay under the limit of bytes, and one larger than that is not stored', async () => {
  const cache = createPageCache<Page>({ bytesMax: 30 })
  await cache.make('/a', cacheable('aaaaa'))
  await cache.make('/b', cacheable('bbbbb'))
  expect(found(cache, '/a')?.text).toBe('aaaaa')
  await cache.make('/c', cacheable('ccccc'))
  expect([found(cache, '/a')?.text, found(cache, '/b')?.text]).toEqual(['aaaaa', undefined])
  await cache.make('/huge', cacheable('x'.repeat(11)))
  expect(found(cache, '/huge')).toBeUndefined()
  expect(found(cache, '/a')?.text).toBe('aaaaa')
})

test('a page expires, so that the count of views it shows is nearly right', async () => {
  let now_ms = 0
  const cache = createPageCache<Page>({ ageMax_ms: 1_000 }, () => now_ms)
  await cache.make('/post/1', cacheable('7 lượt xem'))
  now_ms = 999
  expect(found(cache, '/post/1')).toBeDefined()
  now_ms = 1_000
  expect(found(cache, '/post/1')).toBeUndefined()
})

test('a page that has grown old is shown for a while, one whose content changed is not', async () => {
  let now_ms = 0
  const cache = createPageCache<Page>({ ageMax_ms: 1_000 }, () => now_ms)
  await cache.make('/post/1', cacheable('one'))
  now_ms = 1_000
  expect(cache.shown('/post/1')).toMatchObject({ page: { text: 'one' }, isFresh: false })
  cache.drop(['posts'])
  expect(cache.shown('/post/1')).toBeUndefined()
  await cache.make('/post/1', cacheable('two'))
  now_ms = 32_000
  expect(cache.shown('/post/1')).toBeUndefined()
})

test('the last good page is used for an hour, two seconds each time', async () => {
  let now_ms = 0
  const cache = createPageCache<Page>({}, () => now_ms)
  await cache.make('/home', cacheable('one'))
  cache.drop(['posts'])
  expect(cache.lastGood('/home')?.text).toBe('one')
  expect(found(cache, '/home')?.text).toBe('one')
  now_ms = 2_000
  expect(found(cache, '/home')).toBeUndefined()
  now_ms = 3_600_000
  expect(cache.lastGood('/home')).toBeUndefined()
})

test('a page grows old at the same pace when the clock of the machine is set back', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const cache = createPageCache<Page>({ ageMax_ms: 20 })
    await cache.make('/home', cacheable('one'))
    vi.setSystemTime(Date.now() - 3_600_000)
    await sleep(30)
    expect(found(cache, '/home')).toBeUndefined()
    expect(cache.lastGood('/home')?.text).toBe('one')
  } finally {
    vi.useRealTimers()
  }
})
