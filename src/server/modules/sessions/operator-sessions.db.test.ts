import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { permissionsOf } from '#contract/operator/roles.ts'
import { grantRole, revokeRole } from '#server/modules/accounts/index.ts'
import { dropSecondFactor } from '#server/modules/second-factor/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp, type TestAnswer } from '#tests/support/app.ts'
import { anOperator, anOperatorWithoutProof } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer, appCode, turnOnSecondFactor } from '#tests/support/players.ts'
import { endConsoleSessionsOf, openSession } from './index.ts'
import { newToken } from '#server/platform/values/crypto.ts'

const portal = useTestApp()

const open = (
  { username, password }: Pick<TestPlayer, 'username' | 'password'>,
  otp?: string,
): Promise<TestAnswer> => portal.call('POST', '/api/operator/session', { body: { username, password, otp } })
const operate = async (token: string) => (await portal.call('GET', '/api/operator/posts', { token })).status
const refusalOf = async (token: string) =>
  (await portal.call('GET', '/api/operator/posts', { token })).body.code
const play = async (token: string) => (await portal.call('GET', '/api/auth/sessions', { token })).status
const stepUpBy = (token: string, otp: string) =>
  portal.call('POST', '/api/operator/step-up', { token, body: { otp } })

/** A holder of a role who has done nothing about it yet. */
async function aNewEditor(password = 'mat-khau-dai-12'): Promise<TestPlayer> {
  const player = await aPlayer(portal, { password })
  await grantRole(portal.db, { username: player.username, role: 'editor' })
  return player
}

describe('a console session', () => {
  test('opens with password and second factor, and makes operator calls only', async () => {
    const editor = await aNewEditor()
    const { secret } = await turnOnSecondFactor(portal, editor.token)
    expect((await open(editor)).body.code).toBe('SECOND_FACTOR_REQUIRED')
    expect((await open(editor, '000000')).body.code).toBe('OTP_INVALID')
    const opened = await open(editor, appCode(secret, 1))
    expect(opened.status).toBe(201)
    const { access_token: token } = opened.body as { access_token: string }
    expect([await operate(token), await play(token)]).toEqual([200, 401])
    const verified = await portal.call('POST', '/api/auth/verify', { body: { access_token: token } })
    expect(verified.status).toBe(401)
    expect([await operate(editor.token), await play(editor.token)]).toEqual([401, 200])
  })

  test('differs in nothing from a player’s in calls that need none: it counts as no session', async () => {
    const { token } = await anOperator(portal, 'owner')
    const answer = await portal.call('GET', '/api/exchange', { token })
    expect([answer.status, answer.body.characters]).toEqual([200, []])
  })

  test('is refused without a second factor, a long password or a role', async () => {
    const unproved = await open(await aNewEditor())
    expect([unproved.status, unproved.body.code]).toEqual([422, 'SECOND_FACTOR_REQUIRED'])
    expect(unproved.body.message).toMatch(/^Người vận hành cần xác thực hai lớp/)

    const short = await aNewEditor('11-ki-tu-ma')
    const { secret } = await turnOnSecondFactor(portal, short.token)
    const refused = await open(short, appCode(secret, 1))
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT'])
    expect(refused.body.message).toContain('ít nhất 12 ký tự')

    const player = await aPlayer(portal, { password: 'mat-khau-dai-12' })
    expect((await open(player)).body).toMatchObject({
      code: 'CONFLICT',
      message: 'Tài khoản này không có quyền vào trang vận hành',
    })
    expect((await open({ ...player, password: 'khong-phai-no' })).body.code).toBe('INVALID_CREDENTIALS')
  })

  test('shows who is signed in and what they may do', async () => {
    const { id, username, token, secret } = await anOperatorWithoutProof(portal, 'editor')
    const me = async () => (await portal.call('GET', '/api/operator/me', { token })).body
    expect(await me()).toEqual({
      id,
      username,
      roles: ['editor'],
      permissions: permissionsOf(['editor']),
      step_up_until: null,
    })
    const { until } = (await stepUpBy(token, appCode(secret, 1))).body as { until: string }
    expect((await me()).step_up_until).toBe(until)
  })

  test('is locked after thirty minutes without a call, until a code of the second factor is entered', async () => {
    const { id, token, secret } = await anOperator(portal, 'editor')
    await age(id, { unused: '29 minutes 50 seconds' })
    expect(await operate(token)).toBe(200)
    await age(id, { unused: '30 minutes' })
    expect([await operate(token), await operate(token)]).toEqual([401, 401])
    expect(await refusalOf(token)).toBe('SESSION_LOCKED')
    expect((await stepUpBy(token, '000000')).body.code).toBe('OTP_INVALID')
    expect(await operate(token)).toBe(401)
    expect((await stepUpBy(token, appCode(secret, 1))).status).toBe(200)
    expect(await operate(token)).toBe(200)
  })

  test('is over twelve hours after it was opened, used or not, and no code opens it again', async () => {
    const { id, token, secret } = await anOperator(portal, 'editor')
    await age(id, { left: '1 second' })
    expect(await operate(token)).toBe(200)
    await age(id, { left: '0 s' })
    // Also while it was locked: the console has to show the sign-in, not the code.
    await age(id, { left: '0 s', unused: '1 hour' })
    expect(await refusalOf(token)).toBe('UNAUTHENTICATED')
    const refused = await stepUpBy(token, appCode(secret, 1))
    expect([refused.status, refused.body.code]).toEqual([401, 'UNAUTHENTICATED'])
    const fresh = await anOperator(portal, 'editor')
    const { rows } = await sql<{ hours: number }>`
      SELECT extract(epoch FROM expires_at - created_at) / 3600 AS hours FROM sessions
       WHERE user_id = ${fresh.id}::bigint AND kind = 'console'`.execute(portal.db)
    expect(rows.map(({ hours }) => Number(hours))).toEqual([12])
  })

  test('is ended by its holder, also when it is locked', async () => {
    const { id, token } = await anOperator(portal, 'editor')
    await age(id, { unused: '1 hour' })
    expect((await portal.call('DELETE', '/api/operator/session', { token })).status).toBe(204)
    expect((await portal.call('DELETE', '/api/operator/session', { token })).status).toBe(401)
  })

  test('has the permissions of the roles its holder has now', async () => {
    const { username, token } = await anOperator(portal, 'editor')
    await revokeRole(portal.db, { username, role: 'editor' })
    expect(await operate(token)).toBe(403)
    await grantRole(portal.db, { username, role: 'owner' })
    expect(await operate(token)).toBe(200)
  })

  test('ends when the second factor is taken away, and with every session when the password changes', async () => {
    const { id, token, playerToken } = await anOperator(portal, 'editor')
    await dropSecondFactor({ ...portal.deps, endConsoleSessionsOf }, id)
    expect([await operate(token), await play(playerToken)]).toEqual([401, 200])
    const other = await anOperator(portal, 'editor')
    const change = (password: string) =>
      portal.call('POST', '/api/user/change-password', {
        token: other.playerToken,
        body: { current_password: other.password, password },
      })
    expect((await change('mười-một-kt')).body.errors).toEqual({
      password: ['Mật khẩu của người vận hành phải có ít nhất 12 ký tự'],
    })
    expect((await change('mười-hai-ký-')).status).toBe(200)
    expect(await operate(other.token)).toBe(401)
  })

  test('is logged when it may not, or when it is locked, with the permission', async () => {
    const { id, token } = await anOperator(portal, 'support')
    await operate(token)
    expect(lastRefusal()).toMatchObject({ userId: id, permission: 'posts.read' })
    await age(id, { unused: '1 hour' })
    await operate(token)
    expect(lastRefusal()).toMatchObject({ userId: id, permission: 'posts.read', isLocked: true })
  })
})

async function age(userId: string, { unused = '0 s', left = '12 hours' }): Promise<void> {
  await sql`
    UPDATE sessions SET last_used_at = now() - ${unused}::interval, expires_at = now() + ${left}::interval
     WHERE user_id = ${userId}::bigint AND kind = 'console'`.execute(portal.db)
}

function lastRefusal(): unknown {
  const line = portal
    .logged()
    .split('\n')
    .findLast((text) => text.includes('an operator call was refused'))
  return JSON.parse(line ?? 'null')
}

describe('a session opened otherwise than by password', () => {
  const caller = () => ({
    log: portal.deps.log,
    address: '127.0.0.1',
    userAgent: undefined,
    deviceToken: newToken().token,
  })

  test('is refused to an account with a second factor, and what it belongs to is undone', async () => {
    const player = await aPlayer(portal)
    await turnOnSecondFactor(portal, player.token)
    const reset = inTransaction(portal.db, async (tx) => {
      await tx.updateTable('users').set({ server_id: '2' }).where('id', '=', player.id).execute()
      return openSession(portal.deps, tx, { userId: player.id, caller: caller() })
    })
    await expect(reset).rejects.toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' })
    const { server_id } = await portal.db
      .selectFrom('users')
      .select('server_id')
      .where('id', '=', player.id)
      .executeTakeFirstOrThrow()
    expect(server_id).toBe('1')
  })
})
