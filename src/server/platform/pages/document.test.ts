import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { PageHead } from '#contract/rendered-page.ts'
import { pagePolicy } from './csp.ts'
import { documentOf, escapeState } from './document.ts'

const files = {
  script: '/static/js/e.js',
  preloads: ['/static/js/l.js'],
  parts: { posts: ['/static/js/p.js', '/static/js/q.js'] },
  styles: ['/static/assets/e.css'],
  fonts: [],
}

function documentWith(
  head: Partial<PageHead>,
  { state = {} as unknown, isDemoPublic = false, part = undefined as string | undefined } = {},
): string {
  return documentOf(
    {
      status: 200,
      head: { title: 'Bài', siteName: 'Cổng', image: '/a.png', ...head },
      html: '<main></main>',
      part,
      state,
    },
    { path: '/post/1', publicUrl: 'https://ninja.example.com', isDemoPublic, files },
  )
}

test.each(['</script><script>alert(1)</script>', '<!--', '\u2028', '\u2029', ']]>'])(
  'the state cannot break out of its element with %j and reads back the same',
  (evil) => {
    const text = escapeState({ title: evil })
    expect(text).not.toMatch(/[<>\u2028\u2029]/)
    expect(JSON.parse(text)).toEqual({ title: evil })
  },
)

test('every inline script of a document is listed in the policy by its hash, and there is no inline style', () => {
  const html = documentWith({})
  const scripts = [...html.matchAll(/<script(?<attributes>[^>]*)>(?<text>[^<]*)<\/script>/g)]
    .map(({ groups }) => groups)
    .filter((groups) => !/src=|application\/json/.test(groups?.attributes ?? ''))
  expect(scripts).toHaveLength(1)
  for (const script of scripts) {
    const hash = createHash('sha256')
      .update(script?.text ?? '')
      .digest('base64')
    expect(pagePolicy()).toContain(`'sha256-${hash}'`)
  }
  expect(pagePolicy()).not.toContain('unsafe')
  expect(html).not.toMatch(/<style|\sstyle=/)
})

test('a title is escaped everywhere', () => {
  const html = documentWith({ title: '"><script>alert(1)</script>', description: `'&<b>` })
  expect(html).not.toContain('<script>alert(1)')
  expect(html).toContain('<title>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; — Cổng</title>')
  expect(html).toContain('<meta name="description" content="&#39;&amp;&lt;b&gt;">')
})

test('shared links carry the address, the picture and the kind of the page', () => {
  const html = documentWith({
    description: 'Tóm tắt',
    image: '/images/covers/a-og.jpg',
    kind: 'article',
    publishedAt: '2026-11-20T00:00:00.000Z',
  })
  expect(html).toContain('<html lang="vi">')
  expect(html).toContain('<link rel="canonical" href="https://ninja.example.com/post/1">')
  expect(html).toContain(
    '<meta property="og:image" content="https://ninja.example.com/images/covers/a-og.jpg">',
  )
  expect(html).toContain('<meta property="og:type" content="article">')
  expect(html).toContain('<meta property="article:published_time" content="2026-11-20T00:00:00.000Z">')
  expect(html).toContain('<meta name="twitter:card" content="summary_large_image">')
})

test('a page that is not for search engines has noindex and no canonical address', () => {
  const html = documentWith({ isIndexable: false })
  expect(html).toContain('<meta name="robots" content="noindex">')
  expect(html).not.toContain('canonical')
})

test('a public demo is marked on every page, a real portal never', () => {
  expect(documentWith({}, { isDemoPublic: true })).toContain('Bản dùng thử')
  expect(documentWith({})).not.toContain('Bản dùng thử')
})

test('the code of a page that is apart from the entry is fetched beside it, and no other page’s', () => {
  const preloaded = (html: string) =>
    [...html.matchAll(/<link rel="modulepreload" href="([^"]+)"/g)].map(([, file]) => file)
  expect(preloaded(documentWith({}))).toEqual(['/static/js/l.js'])
  expect(preloaded(documentWith({}, { part: 'posts' }))).toEqual([
    '/static/js/l.js',
    '/static/js/p.js',
    '/static/js/q.js',
  ])
})
