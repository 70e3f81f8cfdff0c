import sharp from 'sharp'
import type { OperatorPicture } from '#contract/operator/posts.ts'
import { invariant } from '#server/platform/values/errors.ts'
import type { TestAnswer, TestApp } from './app.ts'
import { formOf } from './forms.ts'

/** A photo of one colour; another colour is another picture. */
export const aPhoto = (background = '#2f6f4f', size: { width?: number; height?: number } = {}) =>
  sharp({ create: { width: 1600, height: 900, channels: 3, background, ...size } })

type Upload = { bytes: Buffer; alt?: string; filename?: string; type?: string }

/** Uploads a picture as the console does. */
export async function uploadPicture(
  test: TestApp,
  { token }: { token: string },
  { bytes, alt = 'Cổng làng', filename = 'anh.jpg', type = 'image/jpeg' }: Upload,
): Promise<TestAnswer> {
  const form = formOf([
    { name: 'alt', value: alt },
    { name: 'reason', value: 'Tải ảnh lên' },
    { name: 'picture', value: bytes, filename, type },
  ])
  return test.call('POST', '/api/operator/pictures', { token, ...form })
}

export async function aPicture(
  test: TestApp,
  editor: { token: string },
  background?: string,
): Promise<OperatorPicture & { hash: string }> {
  const { status, body } = await uploadPicture(test, editor, {
    bytes: await aPhoto(background).jpeg().toBuffer(),
  })
  invariant(status === 201, `a picture is taken: ${JSON.stringify(body)}`)
  const picture = body as OperatorPicture
  return { ...picture, hash: /[0-9a-f]{32}/.exec(picture.urls[640] ?? '')?.[0] ?? '' }
}
