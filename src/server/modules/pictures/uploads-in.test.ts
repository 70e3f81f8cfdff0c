import { expect, test } from 'vitest'
import { uploadsIn } from './pictures.service.ts'

const A = 'a'.repeat(32)
const B = 'b'.repeat(32)

test('uploaded pictures are found in text and cover, each once', () => {
  const html = `<p><img src="/uploads/${A}-640.webp" srcset="/uploads/${A}-320.webp 320w"></p>`
  expect(uploadsIn(html, `/uploads/${B}`)).toEqual([A, B])
})

test('nothing else is taken for one', () => {
  expect(
    uploadsIn(null, '/images/covers/a', `/uploads/${A}a`, `/uploads/${'A'.repeat(32)}-640.webp`),
  ).toEqual([])
})
