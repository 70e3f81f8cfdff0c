import sharp from 'sharp'
import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { aPhoto, uploadPicture } from '#tests/support/uploads.ts'
import { animation, blackPng, impostors, polyglots, zlibBombs, type Hostile } from './hostile-pictures.ts'

const portal = useTestApp()
const { editor } = useOperators(portal, { editor: 'editor' })

const halfOf = async (kind: 'jpeg' | 'png' | 'webp'): Promise<Hostile> => {
  const whole = await aPhoto().toFormat(kind).toBuffer()
  return {
    what: `half a ${kind}`,
    bytes: whole.subarray(0, whole.length / 2),
    filename: `a.${kind}`,
    type: `image/${kind}`,
    payload: 'x',
  }
}

async function hostileFiles(): Promise<Hostile[]> {
  return [
    ...(await polyglots()),
    ...(await impostors()),
    ...zlibBombs(),
    ...(await Promise.all((['jpeg', 'png', 'webp'] as const).map(halfOf))),
    {
      what: 'an animation',
      bytes: await animation(),
      filename: 'a.webp',
      type: 'image/webp',
      payload: 'ANIM',
    },
    {
      what: '20,000 by 20,000 points',
      bytes: blackPng(20_000),
      filename: 'a.png',
      type: 'image/png',
      payload: 'x',
    },
  ]
}

/** Every file of a stored picture is that picture and nothing else. */
async function expectInert(urls: Record<string, string>, { what, payload }: Hostile): Promise<void> {
  for (const url of Object.values(urls)) {
    const { headers, rawPayload: bytes } = await portal.app.inject({ url })
    expect(headers['content-type'], what).toBe('image/webp')
    expect(bytes.includes(payload), what).toBe(false)
    const { format, pages = 1, exif, xmp, icc, iptc } = await sharp(bytes).metadata()
    expect({ format, pages, exif, xmp, icc, iptc }, what).toEqual({ format: 'webp', pages: 1 })
    // Its own length is that of the file: nothing follows the picture.
    expect(bytes.readUInt32LE(4) + 8, what).toBe(bytes.length)
  }
}

test('security row 32: hostile files in an editor’s hand are refused by name, or come out as pictures only', async () => {
  const files = await hostileFiles()
  expect(files.length).toBeGreaterThanOrEqual(21)
  const memory = process.resourceUsage().maxRSS
  const refused: unknown[] = []
  for (const file of files) {
    const start = performance.now()
    const { status, body } = await uploadPicture(portal, editor, file)
    expect(performance.now() - start, file.what).toBeLessThan(3_000)
    if (status === 201) await expectInert(body.urls, file)
    else refused.push([file.what, status, Object.keys(body.errors ?? {})])
  }
  expect(refused.length).toBeGreaterThan(8)
  expect(refused).toEqual(refused.map((one) => [(one as [string])[0], 422, ['picture']]))
  // Kilobytes.
  expect(process.resourceUsage().maxRSS - memory).toBeLessThan(200_000)
})

test('security row 32: more than 8 MB are refused beside the field', async () => {
  const bytes = Buffer.concat([await aPhoto().jpeg().toBuffer(), Buffer.alloc(8 * 1024 * 1024)])
  const { status, body } = await uploadPicture(portal, editor, { bytes })
  expect([status, body.errors]).toEqual([422, { picture: ['Ảnh lớn hơn 8 MB, vui lòng chọn ảnh nhỏ hơn'] }])
})
