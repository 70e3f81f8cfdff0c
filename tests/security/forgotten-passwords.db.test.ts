import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { passwordHasher, setNewPasswordHash } from '#server/modules/accounts/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { TestAnswer } from '#tests/support/app.ts'
import { mailEnvironment } from '#tests/support/mail-server.ts'
import {
  aPhone,
  anEmail,
  deliverMail,
  fromAnywhere,
  linkFor,
  tokenIn,
  verifiedCode,
} from '#tests/support/mail.ts'
import { useMailingApp } from '#tests/support/fixtures.ts'
import { aPlayer } from '#tests/support/players.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import { startPortalProcess } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/purchases.ts'

const { server, portal, aPlayerWithEmail } = useMailingApp()

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  portal.call('POST', `/api/password/${path}`, { body, headers: { ...fromAnywhere(), ...headers } })
const reset = (token: string | null, password = 'mat-khau-moi-1') => post('reset', { token, password })

/** What an attacker sees of an answer, without request id and time. */
function visibleParts({ status, body, headers }: TestAnswer) {
  const { requestId: _, ...rest } = body as Record<string, unknown>
  const { date: _date, 'x-server-time': _time, 'x-request-id': _id, ...visible } = headers
  return { status, body: rest, headers: visible }
}

const tokenInvalid = { status: 422, body: expect.objectContaining({ code: 'TOKEN_INVALID' }) }

describe('known and unknown names', () => {
  test('security row 06: password/request answers alike in status, body, headers and length', async () => {
    const { player, email } = await aPlayerWithEmail()
    const [right, ...others] = [
      await post('request', { username: player.username, email }),
      await post('request', { username: player.username, email: anEmail() }),
      await post('request', { username: 'khongcoaica', email }),
      await post('request', { username: 'khong\0coai', email: anEmail() }),
    ].map(visibleParts)
    expect(right).toMatchObject({ status: 200, body: { message: expect.any(String), report: true } })
    for (const other of others) expect(other).toEqual(right)
  })

  test('security row 06: reset-via-phone answers alike, whatever is wrong', async () => {
    const phone = aPhone()
    const player = await aPlayer(portal, { phone })
    const stranger = await aPlayer(portal)
    const code = await verifiedCode(portal, phone)
    const wrong = code === '000000' ? '000001' : '000000'
    const body = { phone, password: 'mat-khau-moi', code }
    const [wrongCode, ...others] = [
      await post('reset-via-phone', { ...body, username: player.username, code: wrong }),
      await post('reset-via-phone', { ...body, username: stranger.username }),
      await post('reset-via-phone', { ...body, username: 'khongcoaica' }),
      await post('reset-via-phone', { ...body, username: 'khongcoaica', code: wrong }),
      await post('reset-via-phone', { ...body, username: player.username, phone: aPhone() }),
    ].map(visibleParts)
    expect(wrongCode).toMatchObject({ status: 422, body: { code: 'OTP_INVALID' } })
    for (const other of others) expect(other).toEqual(wrongCode)
  })

  test('security row 06: password/request and reset-via-phone take the same time for both', async () => {
    const { player, email } = await aPlayerWithEmail()
    const byMail = (username: string) => async (index: number) =>
      void (await post('request', { username, email: index % 30 === 0 ? email : anEmail() }))
    const byPhone = (username: string) => async () =>
      void (await post('reset-via-phone', {
        username,
        phone: aPhone(),
        password: 'mat-khau-moi',
        code: '123456',
      }))
    for (const call of [byMail, byPhone]) {
      const runs: Awaited<ReturnType<typeof medians>>[] = []
      const isAlike = () => runs.some(({ known, unknown }) => Math.abs(known - unknown) < allowance(unknown))
      // A real difference is there each time, one of a busy machine is not.
      while (!isAlike() && runs.length < 4) {
        runs.push(await medians(call(player.username), call('khongcoaica')))
      }
      expect(isAlike(), JSON.stringify(runs)).toBe(true)
    }
  })
})

const median = (times: number[]) => times.toSorted((one, other) => one - other)[times.length >> 1] ?? NaN
const allowance = (ms: number) => Math.max(5, ms / 10)

async function medians(known: (index: number) => Promise<void>, unknown: (index: number) => Promise<void>) {
  const times: [number[], number[]] = [[], []]
  for (let index = 0; index < 60; index++) {
    for (const [side, call] of [known, unknown].entries()) {
      const started = performance.now()
      await call(index)
      times[side]?.push(performance.now() - started)
    }
  }
  return { known: median(times[0]), unknown: median(times[1]) }
}

describe('the link that sets a new password', () => {
  test('security row 07: holds 256 random bits, each time others, and leads to the configured address whatever the Host header', async () => {
    const { player, email } = await aPlayerWithEmail()
    const tokens = new Set<string>()
    for (const host of ['ke-xau.test', 'ke-xau.test:3000', '127.0.0.1']) {
      const headers = { host, 'x-forwarded-host': host, forwarded: `host=${host}`, origin: `https://${host}` }
      await post('request', { username: player.username, email }, headers)
      await deliverMail(portal)
      const { text = '', html = '' } = server.to(email).at(-1) ?? {}
      const token = tokenIn(text) ?? ''
      expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
      tokens.add(token)
      expect(text).toContain(`${portal.deps.publicUrl}/password/${token}`)
      expect(text + html).not.toContain('ke-xau')
    }
    expect(tokens.size).toBe(3)
  })

  test('security row 07: opens once when 64 calls bring it at the same time', async () => {
    const { player, email } = await aPlayerWithEmail()
    const token = await linkFor(portal, server, { username: player.username, email })
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) => reset(token, `mat-khau-so-${index}`)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'TOKEN_INVALID')).toHaveLength(63)
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::integer AS count FROM sessions WHERE user_id = ${player.id}::bigint`.execute(portal.db)
    expect(rows[0]?.count).toBe(1)
  })

  test('security row 07: is invalid after thirty minutes', async () => {
    const { player, email } = await aPlayerWithEmail()
    const token = await linkFor(portal, server, { username: player.username, email })
    const age = (minutes: number) =>
      sql`UPDATE password_reset SET made_at = made_at - make_interval(mins => ${minutes}::integer)
           WHERE user_id = ${player.id}::bigint`.execute(portal.db)
    await age(30)
    expect(await reset(token)).toMatchObject(tokenInvalid)
    await age(-1)
    expect((await reset(token)).status).toBe(200)
  })

  test('security row 07: is invalid after a new request', async () => {
    const { player, email } = await aPlayerWithEmail()
    const first = await linkFor(portal, server, { username: player.username, email })
    const second = await linkFor(portal, server, { username: player.username, email })
    expect(await reset(first)).toMatchObject(tokenInvalid)
    expect((await reset(second)).status).toBe(200)
  })

  test('security row 07: is invalid after a password change of any kind', async () => {
    const { player, email } = await aPlayerWithEmail()
    const token = await linkFor(portal, server, { username: player.username, email })
    const hash = await passwordHasher.inLine(null, ({ hash: hashed }) => hashed('mat-khau-khac-1'))
    await inTransaction(portal.db, (tx) => setNewPasswordHash(tx, { userId: player.id, hash }))
    expect(await reset(token)).toMatchObject(tokenInvalid)
  })

  test('security row 07: is invalid after a password change that happens during its use', async () => {
    const { player, email } = await aPlayerWithEmail()
    const token = await linkFor(portal, server, { username: player.username, email })
    const hash = await passwordHasher.inLine(null, ({ hash: hashed }) => hashed('mat-khau-khac-2'))
    const late = await inTransaction(portal.db, async (tx) => {
      await setNewPasswordHash(tx, { userId: player.id, hash })
      const using = reset(token)
      // Long enough for the call to hash its password and wait for the account.
      await new Promise((resolve) => setTimeout(resolve, 500))
      return { using }
    })
    expect(await late.using).toMatchObject(tokenInvalid)
    const login = await portal.call('POST', '/api/auth/login', {
      body: { username: player.username, password: 'mat-khau-khac-2' },
      headers: fromAnywhere(),
    })
    expect(login.status).toBe(200)
  })

  test.each(['a'.repeat(43), '', 'x', `${'a'.repeat(42)}\0`, 'a'.repeat(512), "' OR 1=1 --"])(
    'security row 07: that was never made (%j) opens nothing',
    async (token) => {
      expect(await reset(token)).toMatchObject(tokenInvalid)
    },
  )

  test.runIf(hasAllCases)(
    'security row 07: against a running portal: from the request to the new password, and nothing of it in the log',
    async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-mail-'))
      const environment = { DEMO: '1', ...mailEnvironment(server) }
      const running = await startPortalProcess({ dataDir, environment })
      const call = async (path: string, body: object, token?: string) => {
        const answer = await fetch(`${running.url}/api${path}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          body: JSON.stringify(body),
        })
        return { status: answer.status, body: (await answer.json()) as { access_token: string } }
      }
      try {
        const username = 'thunguoiquen'
        const email = anEmail()
        const player = { username, email, phone: '0987654321', password: 'mat-khau-cu', name: username }
        const old = (await call('/auth/register', player)).body.access_token
        const byMail = performance.now()
        expect((await call('/password/request', { username, email })).status).toBe(200)
        await eventually(async () => expect(server.to(email)).toHaveLength(1), 10_000)
        expect(performance.now() - byMail).toBeLessThan(5_000)
        const text = server.to(email)[0]?.text ?? ''
        const token = tokenIn(text)
        expect(text).toContain(`${running.url}/password/${token}`)
        const done = await call('/password/reset', { token, password: 'mat-khau-moi' })
        expect(done.status).toBe(200)
        expect((await call('/auth/verify', { access_token: old })).status).toBe(401)
        expect((await call('/auth/verify', { access_token: done.body.access_token })).status).toBe(200)
        await eventually(async () => expect(server.to(email)).toHaveLength(2), 10_000)
        const log = running.output()
        expect(log).toContain('"event":"mail.sent"')
        expect(log).toContain('"event":"password.reset"')
        for (const secret of [token ?? '', email, 'mat-khau-moi', done.body.access_token, '987654321']) {
          expect(log).not.toContain(secret)
        }
      } finally {
        await running.end()
        await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
      }
    },
    60_000,
  )
})
