import { getSchema } from '@tiptap/core'
import type { Node, NodeType, Schema } from '@tiptap/pm/model'
import fc from 'fast-check'
import { parseFragment } from 'parse5'
import { beforeAll, describe, expect, test } from 'vitest'
import { htmlOf } from '#admin/features/posts/editor/use-post-text.ts'
import { postExtensions } from '#admin/features/posts/editor/post-extensions.ts'
import { POST_ELEMENTS } from '#contract/post-html.ts'
import { safeHtml } from '#server/platform/html/safe-html.rules.ts'
import vectors from '#server/platform/html/xss.vectors.json' with { type: 'json' }
import { useTestApp } from '#tests/support/app.ts'
import { anOperator } from '#tests/support/operators.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import type { TestPlayer } from '#tests/support/players.ts'

const schema: Schema = getSchema(postExtensions)

const HASH = '0123456789abcdef'.repeat(2)
const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
  fc.constantFrom(
    'Lễ hội đèn lồng',
    '<b>&amp;',
    '"\'',
    'a < b && c > d',
    '<script>alert(1)</script>',
    '\u00a0',
    ...vectors.slice(0, 40),
  ),
)
const digits = fc.option(fc.integer({ min: -1, max: 5000 }).map(String), { nil: null })
const href = fc.oneof(
  fc.constantFrom(
    '/download',
    'https://example.com/a b?x=1&y="2"',
    'javascript:alert(1)',
    '//evil.example',
    'tel:+84912345678',
    'mailto:a@example.com',
    'https://a@evil.example',
  ),
  fc.webUrl(),
)
const picture = fc.record({
  src: fc.constantFrom(
    `/uploads/${HASH}-640.webp`,
    `/uploads/${HASH}-1280.webp`,
    '/images/covers/a-640.webp',
  ),
  alt: fc.option(text, { nil: null }),
  width: digits,
  height: digits,
  loading: fc.constantFrom('lazy', 'eager', 'x', null),
})
const span = fc.record({ colspan: digits, rowspan: digits, scope: fc.constantFrom('col', 'row', 'x', null) })

const make = (type: string, content: readonly Node[] = [], attrs: object | null = null): Node =>
  (schema.nodes[type] as NodeType).createChecked(attrs as never, content)

const MARKS = ['bold', 'italic', 'underline', 'strike', 'code'] as const

const inlineText = fc
  .tuple(text, fc.subarray([...MARKS]), fc.option(href, { nil: null }))
  .map(([words, names, to]) => {
    let marks = (names as string[]).map((name) => schema.mark(name))
    // What the editor's own reading of a link would take.
    if (to !== null && safeHtml(`<a href="${to.replaceAll('"', '&quot;')}">x</a>`).startsWith('<a'))
      marks.push(schema.mark('link', { href: to }))
    marks = marks.reduce<typeof marks>((set, mark) => [...mark.addToSet(set)], [])
    return schema.text(words, marks)
  })
const inline = fc
  .array(fc.oneof({ weight: 4, arbitrary: inlineText }, { weight: 1, arbitrary: fc.constant(null) }), {
    maxLength: 5,
  })
  .map((nodes) => nodes.map((node) => node ?? make('hardBreak')))

const paragraph = inline.map((nodes) => make('paragraph', nodes))

/** Any block of the schema, down to a few levels. */
const { block } = fc.letrec<{ block: Node }>((tie) => {
  const blocks = fc.array(tie('block'), { minLength: 1, maxLength: 2 })
  const items = fc.array(fc.tuple(paragraph, fc.array(tie('block'), { maxLength: 1 })), {
    minLength: 1,
    maxLength: 3,
  })
  const list = (type: string) =>
    items.map((rows) =>
      make(
        type,
        rows.map(([first, more]) => make('listItem', [first, ...more])),
      ),
    )
  const cell = fc
    .tuple(fc.constantFrom('tableCell', 'tableHeading'), blocks, span)
    .map(([type, content, { scope, ...spans }]) =>
      make(type, content, type === 'tableHeading' ? { ...spans, scope } : spans),
    )
  const rows = fc.array(
    fc.array(cell, { minLength: 1, maxLength: 3 }).map((cells) => make('tableRow', cells)),
    { minLength: 1, maxLength: 2 },
  )
  const part = (type: string) =>
    fc.option(
      rows.map((content) => make(type, content)),
      { nil: null },
    )
  const table = fc
    .tuple(
      fc.option(
        inline.map((nodes) => make('tableCaption', nodes)),
        { nil: null },
      ),
      part('tableHead'),
      rows,
      part('tableFoot'),
    )
    .map(([caption, head, body, foot]) =>
      make(
        'table',
        [caption, head, make('tableBody', body), foot].filter((one) => one !== null),
      ),
    )
  const shown = picture.map((attrs) => make('picture', [], attrs))
  return {
    block: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      paragraph,
      fc.tuple(fc.constantFrom(2, 3, 4), inline).map(([level, nodes]) => make('heading', nodes, { level })),
      shown,
      fc
        .tuple(shown, fc.option(inline, { nil: null }))
        .map(([inside, caption]) =>
          make('figure', caption === null ? [inside] : [inside, make('caption', caption)]),
        ),
      text.map((words) => make('codeBlock', [schema.text(words)])),
      fc.constant(null).map(() => make('horizontalRule')),
      blocks.map((content) => make('blockquote', content)),
      list('bulletList'),
      list('orderedList'),
      table,
    ),
  }
})

const documents = fc.array(block, { minLength: 1, maxLength: 5 }).map((content) => make('doc', content))

test('what the editor writes is what the sanitiser leaves, for many documents', () => {
  const distinct = new Set<string>()
  fc.assert(
    fc.property(documents, (document) => {
      const html = htmlOf(document)
      for (const [, tag = ''] of html.matchAll(/<([a-z0-9]+)/g)) distinct.add(tag)
      expect(safeHtml(html)).toBe(html)
    }),
    { numRuns: hasAllCases ? 1_000 : 250 },
  )
  // Every element a post may have was among them, and none besides.
  expect([...distinct].sort()).toEqual(Object.keys(POST_ELEMENTS).sort())
}, 180_000)

/** What a reader's browser would make of HTML, besides the elements and attributes of posts. */
function strangers(html: string): string[] {
  const found: string[] = []
  const walk = (node: any): void => {
    const allowed = (POST_ELEMENTS as Record<string, readonly string[]>)[node.nodeName]
    if (node.tagName !== undefined && allowed === undefined) found.push(node.tagName)
    for (const { name, value } of node.attrs ?? []) {
      if (!allowed?.includes(name) || /^\s*(?:javascript|data|vbscript):/i.test(value))
        found.push(`${name}=${value}`)
    }
    for (const child of node.childNodes ?? []) walk(child)
  }
  walk(parseFragment(html))
  return found
}

describe('hostile HTML through the editor’s calls', () => {
  const portal = useTestApp()
  let editor: TestPlayer
  beforeAll(async () => {
    editor = await anOperator(portal, 'editor')
  })
  const act = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) =>
    portal.call(method, `/api/operator${path}`, {
      token: editor.token,
      ...(body === undefined ? {} : { body }),
    })

  test('is harmless in the draft, the preview, the post, its revision and on the site', async () => {
    const post = (await act('POST', '/posts', { title: 'Bài', content: '<p></p>', reason: 'Kiểm tra' })).body
    const shown: string[] = []
    // Several at a time; each alone is tested beside the sanitiser.
    for (let from = 0; from < vectors.length; from += 12) {
      const content = `<p>Đầu</p>${vectors.slice(from, from + 12).join('<p>giữa</p>')}`
      const { body: now } = await act('GET', `/posts/${post.id}`)
      const draft = await act('PUT', `/posts/${post.id}/draft`, {
        title: content.slice(0, 200),
        content,
        updated_at: now.updated_at,
      })
      const preview = await act('GET', `/posts/${post.id}/preview`)
      // A draft may hold a link to a stranger's site; a post with it is refused.
      const outside = vectors.slice(from, from + 12).filter((one) => /<a href="https?:/.test(safeHtml(one)))
      const kept = outside.reduce((text, vector) => text.replace(vector, ''), content)
      const saved = await act('PUT', `/posts/${post.id}`, { title: 'Bài', content: kept, reason: 'Kiểm tra' })
      expect([draft.status, preview.status, saved.status]).toEqual([200, 200, 200])
      const site = await portal.call('GET', `/api/posts/${post.id}`)
      shown.push(draft.body.content, preview.body.content, saved.body.content, site.body.content)
    }
    const { body: revisions } = await act('GET', `/posts/${post.id}/revisions`)
    const old = await act('GET', `/posts/${post.id}/preview?revision=${revisions.at(-2).revision}`)
    for (const html of [...shown, old.body.content]) expect(strangers(html)).toEqual([])
  })

  test('would be found by this test', () => {
    expect(strangers('<p onclick="x">a</p><script>x</script><a href="javascript:x">a</a>')).toEqual([
      'onclick=x',
      'script',
      'href=javascript:x',
    ])
  })
})
