import { expect, test } from 'vitest'
import { boundedMarks, cleanText } from './clean-text.rules.ts'

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
