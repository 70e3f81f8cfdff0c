import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { sessionCacheOf } from '#server/modules/sessions/session-cache.ts'
import { useTestApp } from '#tests/support/app.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPlayer } from '#tests/support/players.ts'

const portal = useTestApp()
let url: string
beforeAll(async () => {
  url = await portal.app.listen({ host: '127.0.0.1', port: 0 })
})

const status = async (token: string, path = '/api/auth/sessions') =>
  (await portal.call('GET', path, { token })).status

async function tokens(howMany: number): Promise<string[]> {
  const { username, password } = await aPlayer(portal)
  const made: string[] = []
  for (let n = 0; n < howMany; n++) {
    const answer = await portal.call('POST', '/api/auth/login', { body: { username, password } })
    made.push(answer.body.access_token as string)
  }
  return made
}

describe('security row 13: a token', () => {
  test('is 256 random bits, new at each login', async () => {
    const made = await tokens(60)
    expect(new Set(made).size).toBe(60)
    const bytes = made.map((token) => Buffer.from(token, 'base64url'))
    for (const [index, { length }] of bytes.entries()) {
      expect([length, made[index]!.length]).toEqual([32, 43])
    }
    // Each of the 256 bits is set in some and not in all: none encodes who or when.
    for (let bit = 0; bit < 256; bit++) {
      const set = bytes.filter((token) => token[bit >> 3]! & (1 << (bit & 7))).length
      expect(set, `bit ${bit}`).toBeGreaterThan(0)
      expect(set, `bit ${bit}`).toBeLessThan(60)
    }
  })

  test('is not stored in the database, only its SHA-256', async () => {
    const [token] = (await tokens(1)) as [string]
    const { rows: tables } = await sql<{ name: string }>`
      SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND has_table_privilege(oid, 'SELECT')`.execute(
      portal.db,
    )
    const foundIn = async (text: string) => {
      const found: string[] = []
      for (const { name } of tables) {
        const { rows } = await sql`
          SELECT FROM ${sql.table(name)} AS t WHERE strpos(t::text, ${text}) > 0 LIMIT 1`.execute(portal.db)
        if (rows.length > 0) found.push(name)
      }
      return found
    }
    expect(await foundIn(token)).toEqual([])
    expect(await foundIn(Buffer.from(token).toString('hex'))).toEqual([])
    expect(await foundIn(Buffer.from(token, 'base64url').toString('hex'))).toEqual([])
    expect(await foundIn(createHash('sha256').update(token).digest('hex'))).toEqual(['sessions'])
    expect(portal.logged()).not.toContain(token)
  })

  test('is not the hash, nor anything else that is stored', async () => {
    const [token] = (await tokens(1)) as [string]
    const digest = createHash('sha256').update(token).digest()
    for (const other of [digest.toString('hex'), digest.toString('base64url'), `${token}=`, token.slice(1)]) {
      expect(await status(other)).toBe(401)
    }
    expect(await status(token)).toBe(200)
  })
})

describe('security row 14: a session expires, whatever the browser does', () => {
  async function age(userId: string, change: { unused?: string; left?: string }) {
    const { unused = '0 s', left = '20 days' } = change
    await sql`
      UPDATE sessions SET last_used_at = now() - ${unused}::interval, expires_at = now() + ${left}::interval
       WHERE user_id = ${userId}::bigint`.execute(portal.db)
    sessionCacheOf(portal.deps).forgetAll()
  }

  test('an operator’s: after thirty minutes without use, and after twelve hours', async () => {
    const { id, token } = await anOperator(portal, 'editor')
    const operate = () => status(token, '/api/operator/posts')
    await age(id, { unused: '29 minutes' })
    expect([await operate(), await status(token)]).toEqual([200, 401])
    await age(id, { unused: '30 minutes' })
    expect(await operate()).toBe(401)
    const { rows } = await sql<{ hours: number }>`
      SELECT round(extract(epoch FROM expires_at - created_at) / 3600)::int AS hours FROM sessions
       WHERE user_id = ${(await anOperator(portal, 'editor')).id}::bigint AND kind = 'console'`.execute(
      portal.db,
    )
    expect(rows).toEqual([{ hours: 12 }])
    await age(id, { left: '0 s' })
    expect(await operate()).toBe(401)
  })
})

describe('security row 16: a token counts in the Authorization header and nowhere else', () => {
  const statusOf = async (path: string, init: RequestInit = {}) => (await fetch(url + path, init)).status

  test('not in the address, a cookie, a body, another header or under another scheme', async () => {
    const { token } = await aPlayer(portal)
    const path = '/api/auth/sessions'
    for (const name of ['access_token', 'token', 'authorization', 'bearer', 'api_token']) {
      expect(await statusOf(`${path}?${name}=${token}`), name).toBe(401)
      expect(await statusOf(path, { headers: { cookie: `${name}=${token}` } }), name).toBe(401)
      expect(await statusOf(path, { headers: { [`x-${name}`]: token } }), name).toBe(401)
    }
    expect(await statusOf(path, { headers: { cookie: `auth-react-v={"access_token":"${token}"}` } })).toBe(
      401,
    )
    for (const value of [token, `Basic ${token}`, `Bearer  ${token}x`, `Token ${token}`]) {
      expect(await statusOf(path, { headers: { authorization: value } }), value).toBe(401)
    }
    const inBody = { 'content-type': 'application/json' }
    const body = JSON.stringify({ access_token: token, token, current_password: 'x', password: 'y' })
    expect(await statusOf('/api/auth/logout', { method: 'POST', headers: inBody, body })).toBe(401)
    expect(await statusOf('/api/user/change-password', { method: 'POST', headers: inBody, body })).toBe(401)
    expect(await statusOf(path, { headers: { authorization: `Bearer ${token}` } })).toBe(200)
  })

  test('verify alone takes it in its body, and not in its header', async () => {
    const { id, token } = await aPlayer(portal)
    const verify = (body: unknown, headers: Record<string, string> = {}) =>
      portal.call('POST', '/api/auth/verify', { body, headers })
    expect((await verify({ access_token: token })).body.id).toBe(id)
    expect((await verify({}, { authorization: `Bearer ${token}` })).status).toBe(422)
    expect((await verify({ access_token: 'x' }, { authorization: `Bearer ${token}` })).status).toBe(401)
  })
})
