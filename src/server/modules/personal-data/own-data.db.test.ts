import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { aPlayer, type TestPlayer, appCode, turnOnSecondFactor } from '#tests/support/players.ts'
import { exportPerson } from './index.ts'

const portal = useTestApp()

const download = ({ token, password }: TestPlayer, body: object = {}) =>
  portal.call('POST', '/api/user/personal-data', { token, body: { current_password: password, ...body } })

const ownActs = async ({ id }: TestPlayer) => {
  const acts = portal.db
    .selectFrom('audit_log')
    .select(['action', 'actor_kind', 'subject_id'])
    .where('actor_id', '=', id)
  return (await acts.execute()).filter(({ action }) => action === 'users.export-own-data')
}

test('a player downloads what portal export writes, as a file that nobody stores', async () => {
  const player = await aPlayer(portal)
  let text = ''
  const now = new Date()
  for await (const piece of await exportPerson({ db: portal.db, now }, player.username)) text += piece
  const { status, headers, body } = await download(player)
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-disposition': expect.stringMatching(
      /^attachment; filename="du-lieu-ca-nhan-\d{4}-\d\d-\d\d\.json"$/,
    ),
  })
  const { exported_at: _, acts_of_the_player, ...written } = JSON.parse(text)
  expect(body).toMatchObject(written)
  expect(body.account).toMatchObject([{ username: player.username }])
  // The download itself is recorded before the list is read.
  expect(acts_of_the_player).toHaveLength(body.acts_of_the_player.length - 1)
  expect(await ownActs(player)).toEqual([
    { action: 'users.export-own-data', actor_kind: 'user', subject_id: player.id },
  ])
})

test('the password is needed, and a code where the second factor is on; each code counts once', async () => {
  const player = await aPlayer(portal)
  const wrong = await download(player, { current_password: 'sai-mat-khau' })
  expect([wrong.status, wrong.body.code]).toEqual([422, 'INVALID_CREDENTIALS'])
  expect(wrong.body.errors).toHaveProperty('current_password')
  const { secret } = await turnOnSecondFactor(portal, player.token)
  expect((await download(player)).body.code).toBe('SECOND_FACTOR_REQUIRED')
  expect((await download(player, { otp: '000000' })).body.code).toBe('OTP_INVALID')
  expect(await ownActs(player)).toEqual([])
  const otp = appCode(secret, 1)
  expect((await download(player, { otp })).status).toBe(200)
  expect((await download(player, { otp })).body.code).toBe('OTP_INVALID')
  expect(await ownActs(player)).toHaveLength(1)
})

test('wrong passwords are counted together with those of a change of password', async () => {
  const player = await aPlayer(portal)
  for (let guess = 0; guess < 10; guess++)
    expect((await download(player, { current_password: 'sai-mat-khau' })).status).toBe(422)
  expect((await download(player)).status).toBe(429)
  const body = { current_password: player.password, password: 'mat-khau-moi-12' }
  const changed = await portal.call('POST', '/api/user/change-password', { token: player.token, body })
  expect(changed.status).toBe(429)
})

test('five downloads a day are enough', async () => {
  const player = await aPlayer(portal)
  for (let one = 0; one < 5; one++) expect((await download(player)).status).toBe(200)
  const refused = await download(player)
  expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED'])
  expect(await ownActs(player)).toHaveLength(5)
})
