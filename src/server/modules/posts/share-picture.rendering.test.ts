import { expect, test } from 'vitest'
import { sealSheet, setTitle, titleSheet } from './share-picture.rendering.ts'

test('a short title is large, on one line', () => {
  expect(setTitle('Lễ hội đèn lồng')).toEqual({ size: 66, lines: ['Lễ hội đèn lồng'] })
})

test('no word of a long title is lost while it fits', () => {
  const title = 'Bảo trì máy chủ Trúc Lâm sáng thứ năm: thời gian, nội dung và quà đền bù cho người chơi'
  const { lines } = setTitle(title)
  expect(lines.length).toBeLessThanOrEqual(3)
  expect(lines.join(' ')).toBe(title)
})

test('the lines of a title are about as long as each other: no word is left alone', () => {
  expect(setTitle('Sự kiện và khuyến mãi: bài cũ hơn').lines).toEqual([
    'Sự kiện và khuyến',
    'mãi: bài cũ hơn',
  ])
})

test('a title without end is cut with an ellipsis, a word without end as well', () => {
  const { lines } = setTitle('thông báo '.repeat(60))
  expect(lines).toHaveLength(3)
  expect(lines.at(-1)).toMatch(/…$/)
  expect(setTitle('ă'.repeat(400)).lines).toHaveLength(1)
})

test('what the typeface cannot write is left out', () => {
  expect(setTitle('🎉 Sự kiện 漢字 mới 🎉').lines).toEqual(['Sự kiện mới'])
  expect(() => titleSheet('🎉🎉', '12+')).not.toThrow()
})

test('letters with marks are rendered, decomposed ones the same', () => {
  const composed = titleSheet('Ngọn đuốc Ổ Quạ', '12+')
  expect(titleSheet('Ngọn đuốc Ổ Quạ'.normalize('NFD'), '12+')).toEqual(composed)
  expect(composed.svg.match(/<path/g)).toHaveLength(2)
  expect(composed.svg).not.toEqual(titleSheet('Ngon duoc O Qua', '12+').svg)
})

test('every outline consists of numbers, at any position', () => {
  const { svg } = titleSheet('Ngọn đuốc Ổ Quạ: khai mở máy chủ “Hồng Nguyệt”, quà cho người mở đường', '12+')
  expect(svg).not.toContain('NaN')
})

test('the seal shows the age class, and every outline of it consists of numbers', () => {
  const seals = ['00+', '12+', '16+', '18+'].map((ageClass) => titleSheet('Lễ hội', ageClass).svg)
  expect(new Set(seals).size).toBe(4)
  for (const svg of seals) expect(svg).not.toContain('NaN')
  expect(sealSheet('16+')).not.toBe(sealSheet('18+'))
})
