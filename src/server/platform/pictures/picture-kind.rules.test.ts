import { expect, test } from 'vitest'
import { pictureKind } from './picture-kind.rules.ts'

test.each([
  [[0xff, 0xd8, 0xff, 0xe0], 'jpeg'],
  [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0], 'png'],
  [[...Buffer.from('RIFF1234WEBPVP8 ')], 'webp'],
  [[...Buffer.from('RIFF1234WAVEfmt ')], null],
  [[...Buffer.from('GIF89a')], null],
  [[...Buffer.from('<svg xmlns=')], null],
  [[0x00, 0xff, 0xd8, 0xff], null],
  [[0xff, 0xd8], null],
  [[], null],
] as const)('bytes %# are known for what they are', (bytes, kind) => {
  expect(pictureKind(Uint8Array.from(bytes))).toBe(kind)
})
