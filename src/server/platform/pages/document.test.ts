import { createHash } from 'node:crypto'
import { createContext, runInContext } from 'node:vm'
import { dehydrate, QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { PageHead } from '#contract/rendered-page.ts'
import { CONSOLE_SCRIPT, pagePolicy } from './csp.ts'
import { documents, escapeState } from './document.ts'
import { criticalOf } from './site-files.ts'

const files = {
  script: '/static/js/e.js',
  preloads: ['/static/js/l.js'],
  parts: { posts: ['/static/js/p.js', '/static/js/q.js'] },
  styles: ['/static/assets/e.css'],
  critical: { '': 'p{color:red}', posts: 'b{color:red}' },
}

function documentWith(
  head: Partial<PageHead>,
  {
    isDemoPublic = false,
    part = undefined as string | undefined,
    isOfPlayers = false,
    structured = undefined as object[] | undefined,
    needsScripts = undefined as string | undefined,
  } = {},
): string {
  const documentOf = documents({ publicUrl: 'https://ninja.example.com', isDemoPublic, files })
  const { text } = documentOf(
    {
      status: 200,
      head: { title: 'Bài', siteName: 'Cổng', image: '/a.png', ...head },
      html: '<main></main>',
      part,
      isOfPlayers,
      structured,
      needsScripts,
      state: { queries: [] },
    },
    '/post/1',
  )
  return text
}

test.each(['</script><script>alert(1)</script>', '<!--', '\u2028', '\u2029', ']]>'])(
  'the state cannot break out of its element with %j and reads back the same',
  (evil) => {
    const text = escapeState({ title: evil })
    expect(text).not.toMatch(/[<>\u2028\u2029]/)
    expect(JSON.parse(text)).toEqual({ title: evil })
  },
)

test('every inline script and style of a document is listed in the policy by its hash', () => {
  const html = documentWith({}, { part: 'posts', structured: [{ name: '</script><b>' }] })
  const policy = pagePolicy(undefined, criticalOf(files, 'posts'))
  const scripts = [...html.matchAll(/<script(?<attributes>[^>]*)>(?<text>[^<]*)<\/script>/g)]
    .map(({ groups }) => groups)
    .filter((groups) => !/src=|application\/(ld\+)?json/.test(groups?.attributes ?? ''))
  expect(scripts).toHaveLength(2)
  const styles = [...html.matchAll(/<style>(?<text>[^<]*)<\/style>/g)].map(({ groups }) => groups)
  expect(styles.map((style) => style?.text)).toEqual(['b{color:red}'])
  for (const inline of [...scripts, ...styles]) {
    const hash = createHash('sha256')
      .update(inline?.text ?? '')
      .digest('base64')
    expect(policy).toContain(`'sha256-${hash}'`)
  }
  expect(policy).not.toContain('unsafe')
  expect(html).not.toMatch(/\sstyle=/)
})

/** What the scripts of a document do in a browser that has these globals. */
function runInBrowser(scripts: readonly string[], globals: object): string[] {
  const done: string[] = []
  const add = (what: string) => (name: string) => done.push(`${what} ${name}`)
  const self = createContext({
    ...globals,
    addEventListener: add('listens to'),
    setTimeout: () => done.push('waits'),
    navigator: { userAgent: '', maxTouchPoints: 0 },
    location: { href: '/' },
    localStorage: { getItem: () => '{"access_token":"a"}' },
    document: {
      currentScript: { dataset: { script: 'e.js', parts: '', visitors: '' } },
      documentElement: { dataset: {}, setAttribute: add('marks') },
      createElement: () => ({}),
      head: { append: ({ src }: { src: string }) => done.push(`loads ${src}`) },
    },
  })
  self['self'] = self
  for (const script of scripts) runInContext(script, self)
  return done
}

test('the scripts of a page and of the console begin in a browser of the floor, and in none below it', () => {
  const html = documentWith({})
  const scripts = [...html.matchAll(/<script(?: data-script[^>]*)?>([^<]*)<\/script>/g)].map(
    ([, text = '']) => text,
  )
  expect(scripts).toHaveLength(2)
  const begun = runInBrowser(scripts, { CSSLayerBlockRule: true })
  expect(begun).toEqual(
    expect.arrayContaining(['marks data-session', 'listens to load', 'listens to click', 'waits']),
  )
  expect(runInBrowser([CONSOLE_SCRIPT], { CSSLayerBlockRule: true })).toEqual(['loads e.js'])
  expect(runInBrowser([...scripts, CONSOLE_SCRIPT], {})).toEqual([])
  const withoutMethods = ['delete Array.prototype.findLast', ...scripts, CONSOLE_SCRIPT]
  expect(runInBrowser(withoutMethods, { CSSLayerBlockRule: true })).toEqual([])
})

test('an older browser is told so above the page, apart from what React takes over', () => {
  expect(documentWith({})).toMatch(/<p class="old-browser">Trình duyệt này quá cũ\..*<\/p><div id="root">/)
})

test('a page that needs scripts shows this without them, apart from what React takes over', () => {
  const html = documentWith({}, { needsScripts: 'Nạp <TCoin>' })
  expect(html).toMatch(
    /<noscript><p class="no-script">Trang “Nạp &lt;TCoin&gt;” cần JavaScript\..*<\/noscript><div id="root">/,
  )
  expect(documentWith({})).not.toContain('no-script')
})

test('what search engines read of a page is data that cannot break out of its element', () => {
  const name = '</script><script>alert(1)</script><!--\u2028'
  const html = documentWith({}, { structured: [{ '@type': 'Thing', name }] })
  const [, text = '', ...more] = html.split(/<script type="application\/ld\+json">(.*?)<\/script>/s)
  expect(JSON.parse(text)).toEqual({
    '@context': 'https://schema.org',
    '@graph': [{ '@type': 'Thing', name }],
  })
  expect(more.join('')).not.toContain('alert(1)')
  expect(documentWith({})).not.toContain('ld+json')
})

test('the style sheet that is not painted first, and every script, are named and not begun by the document', () => {
  const html = documentWith({})
  expect(html).toContain('<noscript><link rel="stylesheet" href="/static/assets/e.css"></noscript>')
  expect(html.replace(/<noscript>.*<\/noscript>/, '')).not.toMatch(
    /rel="(stylesheet|modulepreload)"|script src=/,
  )
  expect(html).toContain('data-script="/static/js/e.js" data-style="/static/assets/e.css"')
})

test('a page of which the build made no part is painted with the rules of all pages', () => {
  expect(documentWith({}, { part: 'sandbox' })).toContain('<style>p{color:red}</style>')
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
  const named = (html: string) => /data-parts="([^"]*)"/.exec(html)?.[1]?.split(' ')
  expect(named(documentWith({}))).toEqual(['/static/js/l.js'])
  expect(named(documentWith({}, { part: 'posts' }))).toEqual([
    '/static/js/l.js',
    '/static/js/p.js',
    '/static/js/q.js',
  ])
})

test('what visitors are shown in place of a page of players is named apart, so that players do not fetch it', () => {
  const html = documentWith({}, { part: 'posts', isOfPlayers: true })
  expect(html).toContain('data-parts="/static/js/l.js" data-visitors=" /static/js/p.js /static/js/q.js">')
  expect(documentWith({}, { part: 'posts' })).toContain('data-visitors="">')
})

function pageSaying(html: string, readAt_ms: number) {
  const head = { title: 'Bài', siteName: 'Cổng', image: '/a.png' }
  const client = new QueryClient()
  client.setQueryData(['open', '/settings'], { site_name: 'Cổng' }, { updatedAt: readAt_ms })
  return { status: 200, head, html, state: dehydrate(client) }
}

test('the tag of a document changes with its content, and not with the time when that was read', () => {
  const documentOf = documents({ publicUrl: 'https://ninja.example.com', isDemoPublic: false, files })
  const first = documentOf(pageSaying('<p>một</p>', 1), '/post/1')
  const again = documentOf(pageSaying('<p>một</p>', 2), '/post/1')
  expect(again.etag).toBe(first.etag)
  expect(again.text).toContain('"dataUpdatedAt":2')
  const changed = documentOf(pageSaying('<p>hai</p>', 3), '/post/1')
  expect(changed.etag).not.toBe(first.etag)
})
