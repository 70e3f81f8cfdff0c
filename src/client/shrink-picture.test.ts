import { expect, test } from 'vitest'
import { isPicture } from './shrink-picture.ts'

const JPEG = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16])
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])
const WEBP = new TextEncoder().encode('RIFFabcdWEBPVP8 ')

test.each(['', 'image/jpg', 'image/pjpeg', 'application/octet-stream', 'text/plain'])(
  'a picture is known by its content, whatever its type: %j',
  async (type) => {
    for (const bytes of [JPEG, PNG, WEBP])
      expect(await isPicture(new File([bytes], 'anh', { type }))).toBe(true)
  },
)

test.each([
  ['a text', 'hello'],
  ['nothing', ''],
  ['markup', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['a sound in the same container', 'RIFFabcdWAVEfmt '],
])('%s is no picture, whatever it is called', async (_what, content) => {
  expect(await isPicture(new File([content], 'anh.jpg', { type: 'image/jpeg' }))).toBe(false)
})
