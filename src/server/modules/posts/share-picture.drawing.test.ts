import { expect, test } from 'vitest'
import { setTitle, titleSheet } from './share-picture.drawing.ts'

test('a short title is large, on one line', () => {
  expect(setTitle('Lễ hội đèn lồng')).toEqual({ size: 66, lines: ['Lễ hội đèn lồng'] })
})

test('no word of a long title is lost while it fits', () => {
  const title = 'Bảo trì máy chủ Trúc Lâm sáng thứ năm: thời gian, nội dung và quà đền bù cho người chơi'
  const { lines } = setTitle(title)
  expect(lines.length).toBeLessThanOrEqual(3)
  expect(lines.join(' ')).toBe(title)
})

test('a title without end is cut with an ellipsis, a word without end as well', () => {
  const { lines } = setTitle('thông báo '.repeat(60))
  expect(lines).toHaveLength(3)
  expect(lines.at(-1)).toMatch(/…$/)
  expect(setTitle('ă'.repeat(400)).lines).toHaveLength(1)
})

test('what the typeface cannot write is left out', () => {
  expect(setTitle('🎉 Sự kiện 漢字 mới 🎉').lines).toEqual(['Sự kiện mới'])
  expect(() => titleSheet('🎉🎉')).not.toThrow()
})

test('letters with marks are drawn, decomposed ones the same', () => {
  const composed = titleSheet('Ngọn đuốc Ổ Quạ')
  expect(titleSheet('Ngọn đuốc Ổ Quạ'.normalize('NFD'))).toEqual(composed)
  expect(composed.svg.match(/<path/g)).toHaveLength(1)
  expect(composed.svg).not.toEqual(titleSheet('Ngon duoc O Qua').svg)
})

test('every outline consists of numbers, at any position', () => {
  const { svg } = titleSheet('Ngọn đuốc Ổ Quạ: khai mở máy chủ “Hồng Nguyệt”, quà cho người mở đường')
  expect(svg).not.toContain('NaN')
})
