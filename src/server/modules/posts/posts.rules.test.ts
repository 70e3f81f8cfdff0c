import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanLine, cleanText } from '#server/platform/html/clean-text.rules.ts'
import { safeHtml } from '#server/platform/html/safe-html.rules.ts'
import { excerptOf, EXCERPT_MAX, isCover, isId, shorten, publishMoment } from './posts.rules.ts'

describe('excerpts', () => {
  test('a short text is its own excerpt', () => {
    expect(excerptOf('<p>Chợ đã mở.</p>')).toBe('Chợ đã mở.')
  })

  test('a long one ends at a word, without the comma before the ellipsis', () => {
    expect(shorten('một hai ba, bốn năm', 12)).toBe('một hai ba…')
    expect(shorten('một hai ba bốn', 11)).toBe('một hai ba…')
    expect(shorten('một hai bar bốn', 11)).toBe('một hai…')
  })

  test('a text of one endless word is cut all the same', () => {
    expect(shorten('a'.repeat(300), 200)).toBe(`${'a'.repeat(199)}…`)
  })

  test('captions and tables stay out unless there is nothing else', () => {
    const figure = '<figure><img src="/images/a.webp" alt="" /><figcaption>Chú thích</figcaption></figure>'
    expect(excerptOf(`${figure}<p>Thân bài.</p>`)).toBe('Thân bài.')
    expect(excerptOf(figure)).toBe('Chú thích')
  })

  test('are never longer than allowed and never hold half a character', () => {
    const text = fc.array(fc.constantFrom('rồng', '🐉', 'a', ' ', ',', 'ngọc\u0301', '<em>x</em>'), {
      maxLength: 400,
    })
    fc.assert(
      fc.property(text, (parts) => {
        const excerpt = excerptOf(safeHtml(`<p>${parts.join('')}</p>`))
        expect([...excerpt].length).toBeLessThanOrEqual(EXCERPT_MAX)
        expect(excerpt.isWellFormed()).toBe(true)
      }),
    )
  })
})

describe('text that is stored', () => {
  test('has no characters that PostgreSQL or XML would refuse', () => {
    expect(cleanText('a\u0000b\u0008c\ud800d\ufffee')).toBe('abc\ufffdde')
    expect(cleanText('giữ\nxuống dòng\tvà tab')).toBe('giữ\nxuống dòng\tvà tab')
  })

  test('has one form for letters with marks', () => {
    expect(cleanLine('  Hồng   Nguyệt \n'.normalize('NFD'))).toBe('Hồng Nguyệt'.normalize('NFC'))
  })
})

test('only decimal ids the database can hold name a post', () => {
  expect(['1', '42', '999999999999999999'].every(isId)).toBe(true)
  expect(
    ['', '0', '-1', '01', '1.0', '1e3', ' 1', '1;', 'abc', '9999999999999999999', '١'].filter(isId),
  ).toEqual([])
})

test('only pictures of our own are covers', () => {
  expect(isCover('/images/covers/le-hoi')).toBe(true)
  expect(
    [null, '', 'https://evil.example/x', '/images/../x', '/images/"onerror=', '//x/y'].filter(isCover),
  ).toEqual([])
})

const now = new Date('2026-11-22T12:00:00Z')
const past = new Date('2026-11-01T00:00:00Z')
const later = new Date('2026-12-01T00:00:00Z')
const shown = { published: true, publish_at: past }
const scheduled = { published: true, publish_at: later }
const hidden = { published: false, publish_at: past }

test.each([
  ['a new post', undefined, null, null],
  ['a new post with a moment', later.toISOString(), null, later],
  ['a shown post, nothing given', undefined, shown, past],
  ['a shown post, null', null, shown, past],
  ['a shown post put off', later.toISOString(), shown, later],
  ['a scheduled post, nothing given', undefined, scheduled, later],
  ['a scheduled post, null', null, scheduled, null],
  ['a hidden post', undefined, hidden, null],
])('%s', (_, given, before, moment) => {
  expect(publishMoment(given, before, now)).toEqual(moment)
})
