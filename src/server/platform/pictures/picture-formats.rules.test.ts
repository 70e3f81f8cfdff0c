import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { pictureKind, pixelsOnly } from './picture-formats.rules.ts'

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

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunk(name: string, content = ''): Buffer {
  const body = Buffer.from(name + content, 'latin1')
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

const png = (...chunks: Buffer[]) => Buffer.concat([SIGNATURE, ...chunks])

test('texts, profiles, animation and data after the end are left out', () => {
  const chunks = [
    chunk('IHDR', 'a'),
    chunk('PLTE', 'b'),
    chunk('tRNS', 'c'),
    chunk('IDAT', 'd'),
    chunk('IEND'),
  ]
  const [header, palette, clear, pixels, end] = chunks as [Buffer, Buffer, Buffer, Buffer, Buffer]
  const full = png(
    header,
    chunk('zTXt', 'x'.repeat(1_000)),
    chunk('iCCP', 'x'),
    palette,
    clear,
    chunk('acTL', 'x'),
    pixels,
    chunk('fdAT', 'x'),
    pixels,
    end,
    chunk('IDAT', 'behind'),
    Buffer.from('<script>'),
  )
  expect(pixelsOnly(full)).toEqual(png(header, palette, clear, pixels, pixels, end))
})

test.each([
  ['no end', png(chunk('IHDR'))],
  ['half a chunk', png(chunk('IHDR'), chunk('IDAT', 'abc').subarray(0, 13), chunk('IEND'))],
  ['a chunk longer than the file', png(Buffer.from([0xff, 0xff, 0xff, 0xff, ...Buffer.from('IDAT1234')]))],
  ['nothing but the signature', png()],
])('a PNG with %s is none', (_, bytes) => {
  expect(pixelsOnly(bytes)).toBeNull()
})
