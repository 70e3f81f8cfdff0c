import { beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, useTestApp } from '#tests/support/app.ts'
import { aPhone, codeIn, tryCode } from '#tests/support/phones.ts'
import { freePort } from '#tests/support/network.ts'
import { sandboxSms } from './sandbox.service.ts'
import { repliesOf } from './sms.rules.ts'

// The sandbox texts the address that the configuration has.
const port = await freePort()
const portal = useTestApp({ mode: 'demo', environment: { PORT: String(port) } })
let url: string
beforeAll(async () => {
  url = await portal.app.listen({ host: '127.0.0.1', port })
})

const send = (body: unknown) => portal.call('POST', '/api/sandbox/sms', { body })

describe('the sandbox', () => {
  test('sends a text through the public endpoint and shows the reply', async () => {
    const phone = aPhone()
    const answer = await send({ phone, text: 'thn otp' })
    expect([answer.status, Object.keys(answer.body), answer.headers['cache-control']]).toEqual([
      200,
      ['reply'],
      'no-store',
    ])
    const code = codeIn(answer.body.reply)!
    expect((await tryCode(portal, { phone, code })).status).toBe(200)
    expect((await send({ phone, text: 'xin chào' })).body).toEqual({
      reply: repliesOf('Tinh Hoa Ninja').help,
    })
    expect((await send({ phone: '+12025550123', text: 'THN OTP' })).body).toEqual({ reply: '' })
  })

  test('refuses what is no phone and what is no message', async () => {
    for (const [body, field] of [
      [{ phone: 'abc', text: 'THN OTP' }, 'phone'],
      [{ phone: '', text: 'THN OTP' }, 'phone'],
      [{ phone: aPhone(), text: '' }, 'text'],
      [{ phone: aPhone(), text: 'x'.repeat(161) }, 'text'],
    ] as const) {
      const answer = await send(body)
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
    }
  })

  test('answers the command line what the portal answered', async () => {
    const message = { phone: aPhone(), text: 'THN OTP' }
    const refused = await sandboxSms({ sms: { secrets: ['another-secret'] }, portalUrl: url }, message)
    expect(refused.status).toBe(401)
    const answered = await sandboxSms({ sms: portal.deps.sms!, portalUrl: url }, message)
    expect([answered.status, codeIn((JSON.parse(answered.text) as { reply: string }).reply)]).toEqual([
      200,
      expect.any(String),
    ])
  })

  test('does not exist outside a demo', async () => {
    const live = await startTestApp({ mode: 'live' })
    const answer = await live.call('POST', '/api/sandbox/sms', { body: { phone: aPhone(), text: 'THN OTP' } })
    expect(answer.status).toBe(404)
    await live.close()
  })
})
