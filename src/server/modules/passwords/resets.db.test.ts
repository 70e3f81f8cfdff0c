import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grantRole } from '#server/modules/accounts/index.ts'
import { consumeAll } from '#server/platform/limits/limits.ts'
import type { TestApp } from '#tests/support/app.ts'
import type { MailServer } from '#tests/support/mail-server.ts'
import {
  anEmail,
  deliverMail,
  fromAnywhere,
  linkFor,
  proveEmail,
  startMailingApp,
} from '#tests/support/mail.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { RESETS_PER_ADDRESS } from './link-requests.service.ts'
import { removeOldLinks } from './resets.service.ts'

let server: MailServer
let portal: TestApp
let end: () => Promise<void>
beforeAll(async () => {
  ;({ server, portal, end } = await startMailingApp())
})
afterAll(() => end())

const post = (path: string, body: object) =>
  portal.call('POST', `/api/password/${path}`, { body, headers: fromAnywhere() })
const reset = (token: string | null, password = 'mat-khau-moi-1') => post('reset', { token, password })
const isAlive = async (token: string) =>
  (await portal.call('POST', '/api/auth/verify', { body: { access_token: token } })).status === 200
const login = ({ username }: TestPlayer, password: string) =>
  portal.call('POST', '/api/auth/login', { body: { username, password }, headers: fromAnywhere() })

async function aPlayerWithEmail(): Promise<{ player: TestPlayer; email: string; token: string }> {
  const player = await aPlayer(portal)
  const email = anEmail()
  await proveEmail(portal, server, { player, email })
  const token = await linkFor(portal, server, { username: player.username, email })
  return { player, email, token: token! }
}

const tokenInvalid = {
  status: 422,
  body: expect.objectContaining({
    code: 'TOKEN_INVALID',
    message: 'Yêu cầu không hợp lệ, vui lòng gửi một yêu cầu mới',
    report: true,
  }),
}

describe('a forgotten password, by e-mail', () => {
  test('cannot be reset without a token: a new request is needed', async () => {
    for (const body of [{ password: 'mat-khau-moi-1' }, { password: 'mat-khau-moi-1', token: null }]) {
      expect(await post('reset', body)).toMatchObject({
        status: 422,
        body: { errors: { token: ['Yêu cầu không hợp lệ, vui lòng gửi một yêu cầu mới'] } },
      })
    }
  })

  test('is set by the mailed link; the player is signed in and all other sessions end', async () => {
    const { player, email, token } = await aPlayerWithEmail()
    const other = (await login(player, player.password)).body.access_token
    const answer = await reset(token)
    expect(answer).toMatchObject({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        message: 'Đặt lại mật khẩu thành công. Các thiết bị khác đã được đăng xuất.',
      },
    })
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(await Promise.all([answer.body.access_token, player.token, other].map(isAlive))).toEqual([
      true,
      false,
      false,
    ])
    expect((await login(player, player.password)).body.code).toBe('INVALID_CREDENTIALS')
    expect((await login(player, 'mat-khau-moi-1')).status).toBe(200)
    await deliverMail(portal)
    const notice = server.to(email).find(({ subject }) => subject === 'Mật khẩu của bạn vừa được đặt lại')
    expect(notice?.text).toContain(player.username)
  })

  test('a link says whether it still opens anything, without being used up', async () => {
    const { token } = await aPlayerWithEmail()
    const isValid = async (asked: string) => (await post('check-link', { token: asked })).body
    expect(await isValid(token)).toEqual({ is_valid: true })
    expect(await isValid(token)).toEqual({ is_valid: true })
    expect((await reset(token)).status).toBe(200)
    expect(await isValid(token)).toEqual({ is_valid: false })
    expect(await isValid('khong-phai-ma')).toEqual({ is_valid: false })
  })

  test('may be asked for by an address that was never proved, whatever the case of its letters', async () => {
    const player = await aPlayer(portal)
    const email = anEmail()
    await portal.db.updateTable('user_contacts').set({ email }).where('user_id', '=', player.id).execute()
    await post('request', { username: player.username.toUpperCase(), email: email.toUpperCase() })
    await deliverMail(portal)
    expect(server.to(email).at(-1)?.text).toContain('/password/')
  })

  test('brings no letter when name and address do not belong together', async () => {
    const { player, email } = await aPlayerWithEmail()
    const other = await aPlayerWithEmail()
    const before = server.letters.length
    for (const asked of [
      { username: player.username, email: other.email },
      { username: player.username, email: anEmail() },
      { username: 'khongcoai', email },
    ]) {
      expect((await post('request', asked)).status).toBe(200)
    }
    await deliverMail(portal)
    expect(server.letters).toHaveLength(before)
    expect(await portal.db.selectFrom('password_request').select('id').execute()).toEqual([])
  })

  test('keeps the old password when the new one does not fit, and the link still opens', async () => {
    const { player, token } = await aPlayerWithEmail()
    for (const password of ['12345', 'password', player.username]) {
      const answer = await reset(token, password)
      expect(answer).toMatchObject({
        status: 422,
        body: { code: 'VALIDATION', errors: { password: expect.any(Array) } },
      })
    }
    expect((await login(player, player.password)).status).toBe(200)
    expect((await reset(token)).status).toBe(200)
  })

  test('opens nothing when the account has another address by now', async () => {
    const { player, token } = await aPlayerWithEmail()
    await portal.db
      .updateTable('user_contacts')
      .set({ email: anEmail() })
      .where('user_id', '=', player.id)
      .execute()
    expect(await reset(token)).toMatchObject(tokenInvalid)
  })

  test('wants twelve characters of an operator', async () => {
    const { player, token } = await aPlayerWithEmail()
    await grantRole(portal.db, { username: player.username, role: 'editor' })
    const short = await reset(token, 'mười-một-ch')
    expect(short.body).toMatchObject({
      code: 'VALIDATION',
      errors: { password: ['Mật khẩu của người vận hành phải có ít nhất 12 kí tự'] },
    })
    expect((await reset(token, 'mười-hai-chữ')).status).toBe(200)
  })

  test('leaves its row in the trail', async () => {
    const { player, token } = await aPlayerWithEmail()
    await reset(token)
    const row = await portal.db
      .selectFrom('audit_log')
      .select(['actor_id', 'details', 'request_id'])
      .where('subject_id', '=', player.id)
      .where('action', '=', 'users.reset-password')
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      actor_id: player.id,
      details: { way: 'email', sessions_ended: 1 },
      request_id: expect.any(String),
    })
  })

  test('of the links, those that open nothing any more are cleared away', async () => {
    const { player, token } = await aPlayerWithEmail()
    expect(await removeOldLinks(portal.deps)).toBe(false)
    const count = async () =>
      (
        await portal.db
          .selectFrom('password_reset')
          .select('user_id')
          .where('user_id', '=', player.id)
          .execute()
      ).length
    expect(await count()).toBe(1)
    await sql`UPDATE password_reset SET made_at = made_at - interval '31 minutes'`.execute(portal.db)
    await removeOldLinks(portal.deps)
    expect(await count()).toBe(0)
    expect(await reset(token)).toMatchObject(tokenInvalid)
  })
})

describe('requests for a link', () => {
  test('are five an hour for one name and address, and for those that do not exist as well', async () => {
    const { player, email } = await aPlayerWithEmail()
    for (const [asked, first] of [
      [{ username: player.username, email }, 1],
      [{ username: 'khongcoaica', email: anEmail() }, 0],
    ] as const) {
      const statuses = []
      for (let count = first; count < 6; count++) statuses.push((await post('request', asked)).status)
      expect(statuses).toEqual([...Array.from({ length: 5 - first }, () => 200), 429])
    }
  })

  test('for the same mailbox send five mails an hour, and do not report that there are no more', async () => {
    const email = anEmail()
    const players = []
    for (let count = 0; count < 7; count++) {
      const player = await aPlayer(portal)
      await portal.db.updateTable('user_contacts').set({ email }).where('user_id', '=', player.id).execute()
      players.push(player)
    }
    for (const { username } of players) expect((await post('request', { username, email })).status).toBe(200)
    await deliverMail(portal)
    expect(server.to(email)).toHaveLength(5)
    expect(await portal.db.selectFrom('password_request').select('id').execute()).toEqual([])
  })

  test('are limited by where they come from', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const ask = (count: number) =>
      portal.call('POST', '/api/password/request', {
        body: { username: `nguoi${count}`, email: `nguoi${count}@thu.test` },
        headers,
      })
    expect((await ask(0)).status).toBe(200)
    for (let count = 1; count < 1_000; count++) {
      await consumeAll(portal.deps.limits, RESETS_PER_ADDRESS, '203.0.113.7')
    }
    const limited = await ask(1)
    expect(limited).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    expect(limited.headers['retry-after']).toBeDefined()
    await portal.db.deleteFrom('password_request').execute()
  })

  test('lie sealed until they are looked at, and only for half an hour', async () => {
    const asked = { username: 'mainguyet', email: anEmail() }
    await post('request', asked)
    const [row] = await portal.db.selectFrom('password_request').select('sealed').execute()
    for (const secret of [asked.username, asked.email]) {
      expect(row?.sealed.toString('latin1')).not.toContain(secret)
    }
    await sql`UPDATE password_request SET created_at = created_at - interval '31 minutes', sealed = 'x'`.execute(
      portal.db,
    )
    await deliverMail(portal)
    expect(await portal.db.selectFrom('password_request').select('id').execute()).toEqual([])
    expect(portal.logged()).toContain('password.request-dropped')
  })

  test('link and token are in no table and no log', async () => {
    const { token } = await aPlayerWithEmail()
    const { rows } = await sql<{ hash: string }>`
      SELECT encode(token_hash, 'hex') AS hash FROM password_reset`.execute(portal.db)
    expect(rows.map(({ hash }) => hash)).toContain(createHash('sha256').update(token).digest('hex'))
    await reset(token)
    expect(portal.logged()).not.toContain(token)
  })
})
