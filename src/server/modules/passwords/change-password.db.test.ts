import { trailRows } from '#tests/support/trail-rows.ts'
import { expect } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { testWith } from '#tests/support/fixtures.ts'
import { giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import type { TestPlayer } from '#tests/support/players.ts'

const portal = useTestApp()
const test = testWith(portal)

const NEXT = 'mat-khau-moi-12'

const change = (token: string, current_password: string, password = NEXT) =>
  portal.call('POST', '/api/user/change-password', { token, body: { current_password, password } })
const login = ({ username }: TestPlayer, password: string) =>
  portal.call('POST', '/api/auth/login', { body: { username, password } })
const isLive = async (token: string) =>
  (await portal.call('GET', '/api/auth/sessions', { token })).status === 200

test('a player sets a new password; this session goes on, every other one ends', async ({ player }) => {
  const other = (await login(player, player.password)).body.access_token as string
  const answer = await change(player.token, player.password)
  expect([answer.status, answer.body]).toEqual([
    200,
    { message: 'Đổi mật khẩu thành công. Các thiết bị khác đã được đăng xuất.', report: true },
  ])
  expect([await isLive(player.token), await isLive(other)]).toEqual([true, false])
  expect((await login(player, player.password)).body.code).toBe('INVALID_CREDENTIALS')
  expect((await login(player, NEXT)).status).toBe(200)
})

test('the current password has to be right, to the letter', async ({ player }) => {
  for (const wrong of ['sai-mat-khau', `${player.password} `, player.password.toUpperCase()]) {
    const { status, body } = await change(player.token, wrong)
    expect({ status, ...body }).toEqual({
      status: 422,
      code: 'INVALID_CREDENTIALS',
      message: 'Mật khẩu hiện tại không chính xác',
      errors: { current_password: ['Mật khẩu hiện tại không chính xác'] },
      report: true,
      requestId: expect.any(String),
    })
  }
  expect((await login(player, player.password)).status).toBe(200)
})

test('the new one may be neither common nor the name, nor too short', async ({ player }) => {
  for (const unfit of ['matkhau123', player.username, 'ngan']) {
    const { status, body } = await change(player.token, player.password, unfit)
    expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'VALIDATION', ['password']])
  }
  expect((await login(player, player.password)).status).toBe(200)
})

test('ten wrong ones in five minutes are enough; right ones do not count', async ({ player }) => {
  let current = player.password
  for (const next of ['doi-lan-1-ne', 'doi-lan-2-ne', 'doi-lan-3-ne']) {
    expect((await change(player.token, current, next)).status).toBe(200)
    current = next
  }
  for (let guess = 0; guess < 10; guess++) {
    expect((await change(player.token, 'sai-mat-khau')).body.code).toBe('INVALID_CREDENTIALS')
  }
  const refused = await change(player.token, current)
  expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(200)
})

test('of many changes at once one counts, and its password is the account’s', async ({ player }) => {
  const passwords = Array.from({ length: 5 }, (_, index) => `mat-khau-so-${index}`)
  const answers = await Promise.all(passwords.map((next) => change(player.token, player.password, next)))
  const won = passwords.filter((_, index) => answers[index]?.status === 200)
  expect(won).toHaveLength(1)
  expect((await login(player, won[0] as string)).status).toBe(200)
})

test('a login by the old password that comes at the same time leaves no session behind', async ({
  player,
}) => {
  const [changed, ...logins] = await Promise.all([
    change(player.token, player.password),
    ...Array.from({ length: 8 }, () => login(player, player.password)),
  ])
  expect(changed.status).toBe(200)
  const opened = logins.flatMap(({ body }) => (body.access_token ? [body.access_token as string] : []))
  expect(await Promise.all(opened.map(isLive))).toEqual(opened.map(() => false))
  expect(await isLive(player.token)).toBe(true)
})

test('the change is in the audit trail, in the log, and mailed to the verified address', async ({
  player,
}) => {
  await giveVerifiedEmail(portal, player.id, 'doi.mat.khau@example.com')
  await change(player.token, player.password)
  expect(await trailRows(portal, { id: player.id })).toEqual([
    expect.objectContaining({ action: 'users.change-password', actor_id: player.id, details: {} }),
  ])
  const [letter, ...more] = await lettersTo(portal, 'doi.mat.khau@example.com')
  expect([letter?.kind, more]).toEqual(['password-changed', []])
  const line = portal
    .logged()
    .split('\n')
    .find((text) => text.includes('"password.changed"') && text.includes(`"userId":"${player.id}"`))
  expect(JSON.parse(line!)).toMatchObject({ address: '127.0.0.1', requestId: expect.any(String) })
  for (const secret of [player.password, NEXT]) expect(portal.logged()).not.toContain(secret)
})
