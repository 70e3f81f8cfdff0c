import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seedPosts } from '#seeds/posts.ts'
import { boundedMarks, cleanText } from './clean-text.rules.ts'
import { safeHtml, textOfHtml } from './safe-html.rules.ts'

import vectors from './xss.vectors.json' with { type: 'json' }

/** Written apart from the policy on purpose: what may be in the result, attribute by attribute. */
const ATTRIBUTES: Record<string, Record<string, RegExp>> = {
  a: {
    href: /^(?:\/(?![/\\])[^\s\\]*|https?:\/\/[^\s/@\\]+(?:[/?#][^\s\\]*)?|mailto:[^\s@]+@[^\s@]+|tel:\+?[0-9().-]+)$/,
    rel: /^noopener nofollow ugc$/,
    target: /^_blank$/,
  },
  img: {
    src: /^\/(?:images|uploads)\/[A-Za-z0-9_-][A-Za-z0-9/._-]*$/,
    srcset: /^(?:\/uploads\/[0-9a-f]{32}-\d{3,4}\.webp \d{3,4}w(?:, |$)){4}$/,
    sizes: /^[a-z0-9 :,()-]+$/,
    alt: /^[^"]*$/,
    width: /^\d{1,4}$/,
    height: /^\d{1,4}$/,
    loading: /^(?:lazy|eager)$/,
  },
  th: { colspan: /^\d{1,2}$/, rowspan: /^\d{1,3}$/, scope: /^[a-z]+$/ },
  td: { colspan: /^\d{1,2}$/, rowspan: /^\d{1,3}$/ },
}
const TAGS =
  /^(?:h[234]|p|[uo]l|li|table|caption|t(?:head|body|foot|[rhd])|strong|em|u|s|blockquote|code|pre|[hb]r|fig(?:ure|caption)|img|a)$/
const VOID = /^(?:img|hr|br)$/

/** Everything in the HTML that must not be there; a reader stricter than any browser. */
function faults(html: string): string[] {
  const found: string[] = []
  const open: string[] = []
  const rest = html.replace(
    /<(\/?)([a-z0-9]+)((?: [a-z]+="[^"<>]*")*)( \/)?>/g,
    (whole, closing, name, attributes) => {
      if (!TAGS.test(name as string)) found.push(`tag ${whole}`)
      if (closing === '/') {
        if (open.pop() !== name) found.push(`closes what is not open: ${whole}`)
      } else if (!VOID.test(name as string)) open.push(name as string)
      for (const [, key, value] of (attributes as string).matchAll(/ ([a-z]+)="([^"]*)"/g)) {
        const rule = ATTRIBUTES[name as string]?.[key as string]
        if (!rule?.test((value as string).replaceAll('&amp;', '&')))
          found.push(`attribute ${key} in ${whole}`)
      }
      return ''
    },
  )
  if (/[<>]/.test(rest)) found.push(`stray bracket in ${rest}`)
  if (open.length > 0) found.push(`left open: ${open.join(', ')}`)
  return found
}

describe('hostile HTML', () => {
  test('the corpus is large and has no repeats', () => {
    expect(vectors.length).toBeGreaterThanOrEqual(220)
    expect(new Set(vectors).size).toBe(vectors.length)
  })

  test.each(vectors)('is harmless: %j', (vector) => {
    const safe = safeHtml(vector)
    expect(faults(safe)).toEqual([])
    expect(safeHtml(safe)).toBe(safe)
  })

  test.each(vectors)('is harmless inside a post: %j', (vector) => {
    const safe = safeHtml(`<h2>Đầu</h2><ul><li>${vector}</li></ul><p>Cuối</p>`)
    expect(faults(safe)).toEqual([])
    expect(safeHtml(safe)).toBe(safe)
  })

  test('any pieces of vectors in any order are harmless', () => {
    const piece = fc
      .tuple(fc.constantFrom(...vectors), fc.nat(200), fc.nat(200))
      .map(([vector, from, length]) => vector.slice(from % vector.length).slice(0, length))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const safe = safeHtml(pieces.join(''))
        expect(faults(safe)).toEqual([])
        // A second reading may close a paragraph before a table, as browsers do; nothing comes back to life.
        expect(faults(safeHtml(safe))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  test('depth is bounded at 64 levels, and text, pictures and line breaks stay', () => {
    const picture = '<img src="/images/a.webp" alt="" loading="lazy" />'
    const safe = safeHtml(
      `${'<blockquote>'.repeat(500)}chữ<br>${picture}${'</blockquote>'.repeat(500)}<p>Cuối</p>`,
    )
    const levels = 64
    expect(safe).toBe(
      `${'<blockquote>'.repeat(levels)}chữ<br />${picture}${'</blockquote>'.repeat(levels)}<p>Cuối</p>`,
    )
    expect(safeHtml(safe)).toBe(safe)
  })

  test('what lies too deep closes nothing around it, and what is removed with its inside still is', () => {
    const [open, close] = ['<b>'.repeat(64), '</b>'.repeat(64)]
    const strong = ['<strong>'.repeat(64), '</strong>'.repeat(64)]
    expect(safeHtml(`${open}<b>a</b><i>b</i>c<script>d</script><p>e${close}<p>f</p><p>g</p>`)).toBe(
      `${strong[0]}abce${strong[1]}<p>f</p><p>g</p>`,
    )
  })

  test('list items without an end are not deep', () => {
    const items = '<li>a'.repeat(200)
    expect(safeHtml(`<ul>${items}</ul>`)).toBe(`<ul>${'<li>a</li>'.repeat(200)}</ul>`)
  })

  test('the checker itself finds what it should', () => {
    for (const bad of [
      '<script>',
      '<p onclick="x">a</p>',
      '<a href="javascript:x">a</a>',
      '<img src="//x/y.png" />',
      '<p>a',
      'a < b',
    ]) {
      expect(faults(bad)).not.toEqual([])
    }
  })
})

describe('ordinary HTML', () => {
  test.each(seedPosts.map((post) => [post.slug, post.content]))(
    '%s stays as it was written',
    (_, content) => {
      expect(safeHtml(content).replaceAll(' />', '>')).toBe(content)
    },
  )

  test('links out open elsewhere and carry no weight; links within stay plain', () => {
    expect(safeHtml('<a href="https://example.com/a b?x=1&amp;y=2" title="x">ra</a>')).toBe(
      '<a href="https://example.com/a%20b?x=1&amp;y=2" rel="noopener nofollow ugc" target="_blank">ra</a>',
    )
    expect(safeHtml('<a href="/download?os=ios#cài" target="_blank">vào</a>')).toBe(
      '<a href="/download?os=ios#cài">vào</a>',
    )
    expect(safeHtml('<a href="tel:+84912345678">gọi</a> <a href="mailto:a@example.com">thư</a>')).toBe(
      '<a href="tel:+84912345678">gọi</a> <a href="mailto:a@example.com">thư</a>',
    )
  })

  test('a link to an unsafe address is reduced to its text', () => {
    expect(safeHtml('<p>xem <a href="javascript:alert(1)"><em>ở đây</em></a> nhé</p>')).toBe(
      '<p>xem <em>ở đây</em> nhé</p>',
    )
  })

  test('what is taken out leaves its neighbours whole', () => {
    expect(safeHtml('<a href="javascript:x">a</a><p>b</p><img src="//x/y.png"><p>c</p>')).toBe(
      'a<p>b</p><p>c</p>',
    )
  })

  test('an editor’s b, i, h1 become what the page uses', () => {
    expect(safeHtml('<h1>A</h1><h6>B</h6><b>c</b><i>d</i><del>e</del><span>f</span><div>g</div>')).toBe(
      '<h2>A</h2><h4>B</h4><strong>c</strong><em>d</em><s>e</s>fg',
    )
  })

  test('a picture retains its size attributes and loads lazily by default', () => {
    expect(safeHtml('<img src="/uploads/2026/a.webp" alt="Cổng làng" width="640" height="360">')).toBe(
      '<img src="/uploads/2026/a.webp" alt="Cổng làng" width="640" height="360" loading="lazy" />',
    )
    expect(safeHtml('<img src="/images/a.webp" width="99999" height="50%" loading="eager">')).toBe(
      '<img src="/images/a.webp" alt="" loading="eager" />',
    )
  })
})

describe('an uploaded picture', () => {
  const hash = '0123456789abcdef'.repeat(2)

  test('is offered in all its widths, whatever its writer named', () => {
    const all = [320, 640, 960, 1280].map((width) => `/uploads/${hash}-${width}.webp ${width}w`).join(', ')
    const safe = safeHtml(
      `<img src="/uploads/${hash}-1280.webp" srcset="https://evil.example/a.png 1w" alt="Đèn" width="800" height="600">`,
    )
    expect(safe).toBe(
      `<img src="/uploads/${hash}-640.webp" srcset="${all}" sizes="(min-width: 48rem) 768px, 94vw" alt="Đèn" width="800" height="600" loading="lazy" />`,
    )
    expect(safeHtml(safe)).toBe(safe)
  })

  test('needs a hash and one of the widths to be one', () => {
    for (const src of [
      `/uploads/${hash}-641.webp`,
      `/uploads/${hash.slice(1)}-640.webp`,
      `/uploads/${hash}-640.png`,
    ]) {
      expect(safeHtml(`<img src="${src}" srcset="/uploads/${hash}-640.webp 640w">`)).not.toContain('srcset')
    }
  })
})

describe('the text of HTML', () => {
  test('come on one line, blocks apart and inline marks together', () => {
    const safe = safeHtml('<h2>Quà\n tân thủ</h2><p>Mỗi <strong>tài</strong>khoản &amp; một &lt;gói&gt;</p>')
    expect(textOfHtml(safe)).toBe('Quà tân thủ Mỗi tàikhoản & một <gói>')
  })

  test('is read no further than so many letters need', () => {
    const safe = safeHtml(`<p>Một &amp; hai</p>${'<p>ba</p>'.repeat(1_000)}`)
    expect(textOfHtml(safe, 7)).toMatch(/^Một & h/)
    expect(textOfHtml(safe, 7).length).toBeLessThan(20)
    expect(textOfHtml(safe).length).toBe('Một & hai'.length + 3 * 1_000)
  })

  test('escaped entities are read once', () => {
    expect(textOfHtml(safeHtml('<p>&amp;lt;b&amp;gt;</p>'))).toBe('&lt;b&gt;')
  })
})

test.each(['script', 'style'])('what is inside %s goes with it', (element) => {
  expect(safeHtml(`<p>chữ</p><${element}>body{}</${element}>`)).toBe('<p>chữ</p>')
})

test('so many marks over one letter that sorting them takes seconds are parted, and none is lost', () => {
  const text = `a${'\u0301\u0323'.repeat(50_000)}`
  const start = process.cpuUsage()
  const clean = cleanText(text)
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(500)
  expect(clean.match(/[\u0301\u0323\u1ea1]/g)?.length).toBe(100_000)
  expect(clean).not.toMatch(/[\p{M}--\u034f]{31}/v)
})

test.each(['Nguyễn Thị Ổi', 'กำลังใจดีที่สุด', 'हिन्दी में लिखा', 'שָׁלוֹם עֲלֵיכֶם', `e${'\u0301'.repeat(30)}`])(
  'the marks of an ordinary text stay as they are: %s',
  (text) => expect(boundedMarks(text)).toBe(text),
)
