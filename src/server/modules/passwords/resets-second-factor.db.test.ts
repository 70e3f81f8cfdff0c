import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '#tests/support/app.ts'
import type { MailServer } from '#tests/support/mail-server.ts'
import { anEmail, fromAnywhere, linkFor, proveEmail, startMailingApp } from '#tests/support/mail.ts'
import { aPlayer, appCode, turnOnSecondFactor } from '#tests/support/players.ts'

let server: MailServer
let portal: TestApp
let end: () => Promise<void>
beforeAll(async () => {
  ;({ server, portal, end } = await startMailingApp())
})
afterAll(() => end())

const NEXT = 'mat-khau-moi-12'

const reset = (token: string, otp?: string) =>
  portal.call('POST', '/api/password/reset', {
    body: { token, password: NEXT, otp },
    headers: fromAnywhere(),
  })

test('a mailed link does not pass by the second factor, and stays good until its code comes', async () => {
  const player = await aPlayer(portal)
  const email = anEmail()
  await proveEmail(portal, server, { player, email })
  const token = (await linkFor(portal, server, { username: player.username, email })) as string
  const { secret } = await turnOnSecondFactor(portal, player.token)
  const login = (password: string) =>
    portal.call('POST', '/api/auth/login', {
      body: { username: player.username, password },
      headers: fromAnywhere(),
    })

  expect((await reset(token)).body.code).toBe('SECOND_FACTOR_REQUIRED')
  expect((await reset(token, '000000')).body.code).toBe('OTP_INVALID')
  // The old password is still the right one: it is what asks for the second factor.
  expect((await login(player.password)).body.code).toBe('SECOND_FACTOR_REQUIRED')

  const done = await reset(token, appCode(secret, 1))
  expect(done.status).toBe(200)
  expect((await login(player.password)).body.code).toBe('INVALID_CREDENTIALS')
  expect((await login(NEXT)).body.code).toBe('SECOND_FACTOR_REQUIRED')
})

test('nor does it by way of somebody else’s code or a link without one', async () => {
  const [player, stranger] = [await aPlayer(portal), await aPlayer(portal)]
  const email = anEmail()
  await proveEmail(portal, server, { player, email })
  const token = (await linkFor(portal, server, { username: player.username, email })) as string
  await turnOnSecondFactor(portal, player.token)
  const { secret } = await turnOnSecondFactor(portal, stranger.token)
  for (const otp of [appCode(secret, 1), '', undefined]) {
    expect(['OTP_INVALID', 'SECOND_FACTOR_REQUIRED']).toContain((await reset(token, otp)).body.code)
  }
  const stillMine = await portal.call('GET', '/api/auth/sessions', { token: player.token })
  expect(stillMine.status).toBe(200)
})
