import { deflateSync } from 'node:zlib'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { aReceipt } from '#tests/support/uploads.ts'

export type Hostile = {
  what: string
  bytes: Buffer
  /** What must not come out again. */
  payload: string
  filename?: string
  type?: string
}

const SCRIPT = '<script>alert(document.domain)</script>'
const PHP = '<?php system($_GET["c"]); ?>'
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48" onload="alert(1)"><script>alert(1)</script><rect width="64" height="48"/></svg>`
const HTML = `<!doctype html><title>x</title>${SCRIPT}`

const zip = (content: string) =>
  Buffer.concat([
    Buffer.from('PK\u0003\u0004', 'latin1'),
    Buffer.alloc(26),
    Buffer.from(content),
    Buffer.from('PK\u0005\u0006', 'latin1'),
    Buffer.alloc(18),
  ])

/** One chunk of a PNG. */
function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

const PNG_HEAD = 8 + 25

/** A PNG with more chunks behind its header. */
const withChunks = (png: Buffer, ...chunks: Buffer[]) =>
  Buffer.concat([png.subarray(0, PNG_HEAD), ...chunks, png.subarray(PNG_HEAD)])

/** A JPEG with a segment behind its first two bytes. */
function withSegment(jpeg: Buffer, marker: number, content: string): Buffer {
  const body = Buffer.from(content, 'latin1')
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)])
}

const small = { width: 64, height: 48 }

/** Files that are two things at once: a picture, and something that runs or unpacks. */
export async function polyglots(): Promise<Hostile[]> {
  const jpeg = await aReceipt(small).jpeg().toBuffer()
  const png = await aReceipt(small).png().toBuffer()
  const webp = await aReceipt(small).webp().toBuffer()
  const exif = await aReceipt(small)
    .withExif({ IFD0: { Artist: PHP, ImageDescription: SCRIPT } })
    .jpeg()
    .toBuffer()
  return [
    { what: 'GIF and JavaScript', bytes: Buffer.from('GIF89a/*\u0000*/=1;alert(1)//'), payload: 'alert(1)' },
    {
      what: 'BMP and JavaScript',
      bytes: Buffer.from('BM/*\u0000\u0000*/=1;alert(1)//'),
      payload: 'alert(1)',
    },
    { what: 'JPEG and HTML behind it', bytes: Buffer.concat([jpeg, Buffer.from(HTML)]), payload: SCRIPT },
    {
      what: 'JPEG and JAR behind it',
      bytes: Buffer.concat([jpeg, zip('META-INF/MANIFEST.MF')]),
      payload: 'META-INF',
    },
    {
      what: 'JPEG with a comment that is JavaScript',
      bytes: withSegment(jpeg, 0xfe, '*/=alert(1);/*'),
      payload: 'alert(1)',
    },
    {
      what: 'JPEG with a comment that is a PDF',
      bytes: withSegment(jpeg, 0xfe, '%PDF-1.4 /JS (app.alert)'),
      payload: '%PDF',
    },
    {
      what: 'PDF in front of a JPEG',
      bytes: Buffer.concat([Buffer.from('%PDF-1.4\n'), jpeg]),
      payload: '%PDF',
    },
    { what: 'JPEG with markup and PHP in its Exif', bytes: exif, payload: PHP },
    {
      what: 'PNG with PHP in a text chunk',
      bytes: withChunks(png, chunk('tEXt', Buffer.from(`Comment\u0000${PHP}`))),
      payload: PHP,
    },
    { what: 'PNG and HTML behind it', bytes: Buffer.concat([png, Buffer.from(HTML)]), payload: SCRIPT },
    {
      what: 'WebP with a chunk that is markup',
      bytes: Buffer.concat([webp, Buffer.from(`XMP \u0020\u0000\u0000\u0000${SCRIPT}`)]),
      payload: SCRIPT,
    },
    {
      what: 'MP4 that claims to be a WebP',
      bytes: Buffer.from(`RIFF\u0020\u0000\u0000\u0000WEBPftypisom${SCRIPT}`),
      payload: SCRIPT,
    },
  ]
}

/** Files that are no picture of a kind that is taken, whatever they are called; some a decoder could well draw. */
export const impostors = async (): Promise<Hostile[]> => [
  { what: 'GIF called PNG', bytes: await aReceipt(small).gif().toBuffer(), payload: 'GIF' },
  { what: 'TIFF called PNG', bytes: await aReceipt(small).tiff().toBuffer(), payload: 'II' },
  { what: 'SVG', bytes: Buffer.from(SVG), payload: 'alert', filename: 'a.svg', type: 'image/svg+xml' },
  { what: 'SVG called PNG', bytes: Buffer.from(SVG), payload: 'alert', filename: 'a.png', type: 'image/png' },
  { what: 'HTML', bytes: Buffer.from(HTML), payload: 'alert', filename: 'a.html', type: 'text/html' },
  {
    what: 'HTML called JPEG',
    bytes: Buffer.from(HTML),
    payload: 'alert',
    filename: 'a.jpg',
    type: 'image/jpeg',
  },
  { what: 'ZIP', bytes: zip('a'.repeat(1_000)), payload: 'PK', filename: 'a.zip', type: 'application/zip' },
  { what: 'nothing', bytes: Buffer.alloc(0), payload: 'x', filename: 'a.png', type: 'image/png' },
  { what: 'the first bytes of a JPEG', bytes: Buffer.from([0xff, 0xd8, 0xff]), payload: 'x' },
]

/** A PNG of that many black points: some kilobytes, however many they are. */
export function blackPng(side: number, ...more: Buffer[]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.writeUInt8(1, 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...more,
    chunk('IDAT', deflateSync(Buffer.alloc(side * (Math.ceil(side / 8) + 1)), { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Texts and colour profiles of a PNG that unpack to a thousand times their size. */
export function zlibBombs(): Hostile[] {
  const zeros = deflateSync(Buffer.alloc(128 * 1024 * 1024), { level: 9 })
  const text = Buffer.concat([Buffer.from('Comment\u0000\u0000', 'latin1'), zeros])
  const profile = Buffer.concat([Buffer.from('icc\u0000\u0000', 'latin1'), zeros])
  return [
    { what: 'text', bytes: blackPng(64, chunk('zTXt', text)), payload: 'Comment' },
    { what: 'colour profile', bytes: blackPng(64, chunk('iCCP', profile)), payload: 'iCCP' },
    {
      what: 'thousand texts',
      bytes: blackPng(64, ...Array.from({ length: 20 }, () => chunk('zTXt', text))),
      payload: 'Comment',
    },
  ]
}

export const animation = async (): Promise<Buffer> => {
  const frames = await Promise.all(
    ['#c8371f', '#1f37c8'].map((background) =>
      sharp({ create: { width: 64, height: 48, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  return sharp(frames, { join: { animated: true } })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer()
}
