import type { APIRequestContext } from '@playwright/test'
import { anAddress } from '#tests/support/players.ts'
import type { MailServer } from '#tests/support/mail-server.ts'
import { expect, freshUsername, PASSWORD, type Player } from './fixtures.ts'
import { withDatabase } from './portal-database.ts'

/** Makes every message of a phone a minute older: a phone may request one code a minute. */
export const letAMinutePass = () =>
  withDatabase((database) =>
    database.query(`UPDATE sms_message SET received_at = received_at - interval '61 seconds'`),
  )

/** A new account with the contacts it is given, neither of them proved. */
export async function registerWith(
  request: APIRequestContext,
  contacts: { phone: string; email?: string; referral_id?: string },
): Promise<Player> {
  const username = freshUsername()
  const answer = await request.post('/api/auth/register', {
    headers: { 'x-forwarded-for': anAddress() },
    data: { username, name: username, password: PASSWORD, server_id: '1', ...contacts },
  })
  expect(answer.status(), await answer.text()).toBe(201)
  const { access_token } = (await answer.json()) as { access_token: string }
  return { username, password: PASSWORD, token: access_token }
}

/** What the player's phone gets back for its message. */
export async function textForCode(request: APIRequestContext, phone: string): Promise<string> {
  const answer = await request.post('/api/sandbox/sms', { data: { phone, text: 'THN OTP' } })
  const { reply } = (await answer.json()) as { reply: string }
  const code = /\b\d{6}\b/.exec(reply)?.[0]
  expect(code, reply).toBeDefined()
  return code!
}

/** Waits for a mail with this text; each later one must be newer. */
export async function letterTo(mail: MailServer, address: string, pattern: RegExp): Promise<string> {
  const found = () =>
    mail
      .to(address)
      .map(({ text }) => pattern.exec(text ?? '')?.[1])
      .findLast((words) => words !== undefined)
  await expect.poll(found, { timeout: 20_000 }).toBeDefined()
  return found()!
}

export const CODE_IN_LETTER = /Mã OTP: (\d{6})/

export async function statusOf(request: APIRequestContext, token: string): Promise<number> {
  return (await request.post('/api/auth/verify', { data: { access_token: token } })).status()
}

export async function userOf(request: APIRequestContext, token: string) {
  const answer = await request.post('/api/auth/verify', { data: { access_token: token } })
  return (await answer.json()) as {
    email: string | null
    email_verified: boolean
    phone: string | null
    phone_verified: boolean
  }
}

/** Not the code. */
export const wrongCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** Luong for the first character; the id of its delivery. */
export async function buyLuong(request: APIRequestContext, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const known = await request.get('/api/exchange', { headers })
  const { characters } = (await known.json()) as { characters: { id: string }[] }
  const bought = await request.post('/api/exchange/store', {
    headers,
    data: { character_id: characters[0]?.id, amount: 10_000 },
  })
  expect(bought.status(), await bought.text()).toBe(200)
  return ((await bought.json()) as { delivery: { id: string } }).delivery.id
}
