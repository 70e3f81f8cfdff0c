import jsQR from 'jsqr'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { setSetting } from '#tests/support/settings.ts'

const portal = useTestApp()

const setLink = (key: string, value: string) => setSetting(portal, key, value)

const qrOf = (key: string, headers = {}) =>
  portal.app.inject({ method: 'GET', url: `/download/qr/${key}.svg`, headers })

test('the QR of a version reads as its link', async () => {
  const link = 'https://tai.example.com/thn.apk?ban=1.4.8'
  await setLink('android_auto', link)
  const answer = await qrOf('android_auto')
  expect(answer.headers['content-type']).toContain('image/svg+xml')
  const { data, info } = await sharp(Buffer.from(answer.body))
    .resize(400, 400, { kernel: 'nearest' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const read = jsQR(new Uint8ClampedArray(data), info.width, info.height)
  expect(read?.data).toBe(link)
})

test('an unchanged picture is not sent again, a changed link is', async () => {
  await setLink('pc', 'https://tai.example.com/1.zip')
  const { etag } = (await qrOf('pc')).headers
  expect((await qrOf('pc', { 'if-none-match': etag })).statusCode).toBe(304)
  await setLink('pc', 'https://tai.example.com/2.zip')
  expect((await qrOf('pc', { 'if-none-match': etag })).statusCode).toBe(200)
})

test('there is none of a version without a link, nor of any other setting', async () => {
  await setLink('ios', '')
  await setLink('fanpage_link', 'https://facebook.example.com/thn')
  for (const key of ['ios', 'fanpage_link', 'site_name', 'bank_account_acb', '__proto__']) {
    expect((await qrOf(key)).statusCode, key).toBe(404)
  }
})
