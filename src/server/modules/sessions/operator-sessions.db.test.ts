import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { grantRole, revokeRole } from '#server/modules/accounts/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { appCode, turnOnSecondFactor } from '#tests/support/second-factor.ts'
import { openSession } from './index.ts'
import { newToken } from './token.ts'

const portal = useTestApp()

const operate = (token: string) => portal.call('GET', '/api/operator/posts', { token })
const play = async (token: string) => (await portal.call('GET', '/api/auth/sessions', { token })).status

async function tokenOf({ username, password }: TestPlayer, otp?: string): Promise<string> {
  const answer = await portal.call('POST', '/api/auth/login', { body: { username, password, otp } })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return (answer.body as { access_token: string }).access_token
}

/** A holder of a role who has done nothing about it yet. */
async function aNewEditor(password: string): Promise<TestPlayer> {
  const player = await aPlayer(portal, { password })
  await grantRole(portal.db, { username: player.username, role: 'editor' })
  return player
}

describe('an operator call', () => {
  test('wants a session that has proved a second factor; as a player its holder goes on', async () => {
    const editor = await aNewEditor('mat-khau-dai-12')
    const refused = await operate(editor.token)
    expect([refused.status, refused.body.code]).toEqual([422, 'SECOND_FACTOR_REQUIRED'])
    expect(refused.body.message).toMatch(/^Người vận hành cần xác thực hai lớp/)
    expect(await play(editor.token)).toBe(200)

    const earlier = await tokenOf(editor)
    const { secret } = await turnOnSecondFactor(portal, editor.token)
    expect((await operate(editor.token)).status).toBe(200)
    expect((await operate(earlier)).body.code).toBe('SECOND_FACTOR_REQUIRED')
    expect((await operate(await tokenOf(editor, appCode(secret, 1)))).status).toBe(200)
  })

  test('is refused without the permission first, proved or not', async () => {
    const unproved = await aPlayer(portal)
    await grantRole(portal.db, { username: unproved.username, role: 'referee' })
    const proved = await anOperator(portal, 'referee')
    for (const { token } of [unproved, proved]) expect((await operate(token)).status).toBe(403)
  })

  test('wants a password of twelve characters or more', async () => {
    const editor = await aNewEditor('11-ki-tu-ma')
    await turnOnSecondFactor(portal, editor.token)
    const refused = await operate(editor.token)
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT'])
    expect(refused.body.message).toContain('ít nhất 12 kí tự')

    const change = (password: string) =>
      portal.call('POST', '/api/user/change-password', {
        token: editor.token,
        body: { current_password: editor.password, password },
      })
    const short = await change('mười-một-kt')
    expect([short.status, short.body.errors]).toEqual([
      422,
      { password: ['Mật khẩu của người vận hành phải có ít nhất 12 kí tự'] },
    ])
    expect((await change('mười-hai-kí-')).status).toBe(200)
    expect((await operate(editor.token)).status).toBe(200)
  })

  test('is logged when it is refused, with the reason', async () => {
    const editor = await aNewEditor('mat-khau-dai-12')
    await operate(editor.token)
    const line = portal
      .logged()
      .split('\n')
      .findLast((text) => text.includes('an operator call was refused'))
    expect(JSON.parse(line!)).toMatchObject({
      userId: editor.id,
      permission: 'posts.read',
      code: 'SECOND_FACTOR_REQUIRED',
    })
  })
})

describe('an operator’s session', () => {
  async function age(userId: string, { unused = '0 s', made = '0 s' }): Promise<void> {
    await sql`
      UPDATE sessions SET last_used_at = now() - ${unused}::interval, created_at = now() - ${made}::interval
       WHERE user_id = ${userId}::bigint`.execute(portal.db)
  }

  test('dies after thirty minutes without use', async () => {
    const { id, token } = await anOperator(portal, 'editor')
    await age(id, { unused: '29 minutes 50 seconds' })
    expect((await operate(token)).status).toBe(200)
    await age(id, { unused: '30 minutes' })
    expect([(await operate(token)).status, await play(token)]).toEqual([401, 401])
  })

  test('dies twelve hours after its login, used or not', async () => {
    const { id, token } = await anOperator(portal, 'editor')
    await age(id, { made: '11 hours 59 minutes' })
    expect((await operate(token)).status).toBe(200)
    await age(id, { made: '12 hours' })
    expect((await operate(token)).status).toBe(401)
  })

  test('has the limits of its role, not of the day it was opened', async () => {
    const player = await aPlayer(portal)
    await age(player.id, { unused: '6 days', made: '20 days' })
    expect(await play(player.token)).toBe(200)
    await age(player.id, { unused: '1 hour' })
    await grantRole(portal.db, { username: player.username, role: 'support' })
    expect(await play(player.token)).toBe(401)
    await revokeRole(portal.db, { username: player.username, role: 'support' })
    expect(await play(player.token)).toBe(200)
  })
})

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

  test('makes no operator call until its holder signs in by password', async () => {
    const player = await aPlayer(portal, { password: 'mat-khau-dai-12' })
    const { token } = await inTransaction(portal.db, (tx) =>
      openSession(portal.deps, tx, { userId: player.id, caller: caller() }),
    )
    await grantRole(portal.db, { username: player.username, role: 'editor' })
    await turnOnSecondFactor(portal, token)
    expect((await operate(token)).body.code).toBe('CONFLICT')
  })
})
