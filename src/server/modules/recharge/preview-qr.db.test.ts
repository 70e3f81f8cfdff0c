import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { anOperator } from '#tests/support/operators.ts'
import { decodeVietQr } from './vietqr.rules.ts'

const portal = useTestApp()

test('an operator sees the QR of a receiving account as a player would, before it counts', async () => {
  const owner = await anOperator(portal, 'owner')
  const value = JSON.stringify({ bin: '970436', number: '0123456789', name: 'CONG TY NINJA' })
  const { status, body } = await portal.call('POST', '/api/operator/settings/preview-qr', {
    token: owner.token,
    body: { value },
  })
  expect(status).toBe(200)
  expect(decodeVietQr(body.qr)).toMatchObject({
    ok: true,
    qr: { bin: '970436', account: '0123456789', amount: body.amount, memo: body.memo },
  })
  expect(body.qr_svg).toMatch(/^<svg/)
  for (const wrong of ['', 'x', '{"bin":"1"}']) {
    const refused = await portal.call('POST', '/api/operator/settings/preview-qr', {
      token: owner.token,
      body: { value: wrong },
    })
    expect(refused.body).toMatchObject({ code: 'VALIDATION', errors: { value: [expect.any(String)] } })
  }
})
