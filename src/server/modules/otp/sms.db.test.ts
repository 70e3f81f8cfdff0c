import { sql } from 'kysely'
import { randomUUID, createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { buildApp } from '#server/app/app.ts'
import { startTestApp, useTestApp, SMS_SECRET } from '#tests/support/app.ts'
import {
  aPhone,
  codeIn,
  letTimePass,
  receiveCode,
  sendText,
  tryCode,
  type Texting,
} from '#tests/support/phones.ts'
import { aPlayer } from '#tests/support/players.ts'
import { removeOldMessages } from './otp.queries.ts'
import { repliesOf } from './sms.rules.ts'
import { logRatio } from './sms.service.ts'

const portal = useTestApp()

const replies = repliesOf('Tinh Hoa Ninja')

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

describe('a message to the short code', () => {
  test('known from the provider’s papers is answered with a code', async () => {
    const clock = { now: () => new Date(1_795_143_600_000) }
    const known = await startTestApp({
      environment: { SMS_MO_SECRET: 'another-one,sms-demo-secret' },
      overrides: { clock },
    })
    const answer = await known.app.inject({
      method: 'POST',
      url: '/api/sms/mo',
      headers: {
        'content-type': 'application/json',
        'x-sms-provider': 'gateway',
        'x-sms-timestamp': '1795143600',
        'x-sms-signature': 'v1=bc6359af1a5e6eced84fb6f17ac5a3d234ad32eee9815a9eaeccb619ff17f790',
      },
      payload:
        '{"message_id":"mo-0001","short_code":"7039","msisdn":"84901234567","text":"THN OTP",' +
        '"received_at":"2026-11-20T10:00:00+07:00","operator":"VIETTEL"}',
    })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      message_id: 'mo-0001',
      reply: expect.stringMatching(/^Ma OTP Tinh Hoa Ninja cua ban la \d{6}, co hieu luc trong 5 phut\./),
    })
    expect(answer.headers['cache-control']).toBe('no-store')
    await known.close()
  })

  test('brings a code for its sender, however the provider writes the number', async () => {
    for (const write of [(n: string) => `84${n}`, (n: string) => `0${n}`, (n: string) => `+84${n}`]) {
      const national = aPhone().slice(1)
      const code = await receiveCode(portal, write(national))
      expect((await tryCode(portal, { phone: `0${national}`, code })).body).toEqual({ verified: true })
    }
  })

  test('is answered alike whether an account has the number or not', async () => {
    const [known, unknown] = [aPhone(), aPhone()]
    await aPlayer(portal, { phone: known })
    const forms = []
    for (const phone of [known, unknown]) {
      const { status, reply, body } = await sendText(portal, phone)
      forms.push([status, reply.replace(/\d{6}/, '######'), Object.keys(body)])
    }
    expect(forms[0]).toEqual(forms[1])
  })

  test('with any other text gets one help reply and makes no code', async () => {
    const phone = aPhone()
    const code = await receiveCode(portal, phone)
    for (const text of ['', 'THN', 'OTP THN', 'xin chào', 'x'.repeat(1_000)]) {
      expect((await sendText(portal, phone, { text })).reply).toBe(replies.help)
    }
    expect((await tryCode(portal, { phone, code })).status).toBe(200)
  })

  test('that arrives more than 10 minutes late brings no code, and spends nothing of the phone’s limits', async () => {
    const phone = aPhone()
    expect((await sendText(portal, phone, { receivedAt: minutesAgo(11) })).reply).toBe(replies.late)
    expect(codeIn((await sendText(portal, phone, { receivedAt: minutesAgo(9) })).reply)).toBeDefined()
  })
})

describe('a repeat of a message', () => {
  test('gets the first answer byte for byte, whatever its text and however much later', async () => {
    const phone = aPhone()
    const messageId = randomUUID()
    const first = await sendText(portal, phone, { messageId })
    expect(codeIn(first.reply)).toBeDefined()
    await letTimePass(portal, phone, 3_600)
    for (const repeat of [
      {},
      { text: 'something else' },
      { body: { operator: 'MOBI', short_code: '8039' } },
      { receivedAt: minutesAgo(60) },
      { provider: 'TESTS' },
    ]) {
      expect((await sendText(portal, phone, { messageId, ...repeat })).text).toBe(first.text)
    }
    expect((await sendText(portal, aPhone(), { messageId })).text).toBe(first.text)
    // The code was made once, an hour ago.
    expect((await tryCode(portal, { phone, code: codeIn(first.reply)! })).status).toBe(422)
  })

  test('that was refused a code is refused it again; another provider’s of that name is another message', async () => {
    const phone = aPhone()
    await receiveCode(portal, phone)
    const messageId = randomUUID()
    const first = await sendText(portal, phone, { messageId })
    expect(codeIn(first.reply)).toBeUndefined()
    await letTimePass(portal, phone, 120)
    expect((await sendText(portal, phone, { messageId })).text).toBe(first.text)
    expect(codeIn((await sendText(portal, phone, { messageId, provider: 'other' })).reply)).toBeDefined()
  })

  test('64 at the same moment get one answer, and one code is made', async () => {
    const phone = aPhone()
    const messageId = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => sendText(portal, phone, { messageId })),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect((await tryCode(portal, { phone, code: codeIn(answers[0]!.reply)! })).status).toBe(200)
    const rows = await portal.db
      .selectFrom('sms_message')
      .select('outcome')
      .where('message_id', '=', messageId)
      .execute()
    expect(rows).toEqual([{ outcome: 'code' }])
  })
})

describe('the endpoint', () => {
  test('is closed to what is not signed, signed otherwise or at another time', async () => {
    const phone = aPhone()
    const refused: Texting[] = [
      { secret: 'another-secret' },
      { secret: ' ' },
      { signedAt: minutesAgo(6) },
      { signedAt: minutesAgo(-6) },
      { headers: { 'x-sms-signature': '' } },
      { headers: { 'x-sms-signature': `v1=${'0'.repeat(64)}` } },
      { headers: { 'x-sms-timestamp': '' } },
    ]
    for (const texting of refused) {
      expect(await sendText(portal, phone, texting)).toMatchObject({
        status: 401,
        body: { code: 'UNAUTHENTICATED' },
      })
    }
    // None of them counted.
    expect(codeIn((await sendText(portal, phone)).reply)).toBeDefined()
  })

  test('names the field that is wrong in what is signed', async () => {
    for (const [body, field] of [
      [{ msisdn: '' }, 'msisdn'],
      [{ message_id: null }, 'message_id'],
      [{ received_at: 'now' }, 'received_at'],
      [{ text: 7 }, 'text'],
    ] as const) {
      const answer = await sendText(portal, aPhone(), { body })
      expect([answer.status, answer.body['code'], Object.keys(answer.body['errors'] as object)]).toEqual([
        400,
        'BAD_REQUEST',
        [field],
      ])
    }
    expect((await sendText(portal, aPhone(), { provider: 'no such name' })).status).toBe(400)
  })

  test('takes small bodies of JSON by POST only', async () => {
    expect((await sendText(portal, aPhone(), { body: { more: 'x'.repeat(9_000) } })).status).toBe(413)
    const typed = await sendText(portal, aPhone(), { headers: { 'content-type': 'text/plain' } })
    expect(typed.status).toBe(400)
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      expect((await portal.call(method, '/api/sms/mo')).status).toBe(404)
    }
  })

  test('is not there for anybody while no secret is set', async () => {
    const app = await buildApp({ ...portal.deps, sms: null })
    const closed = { ...portal, app }
    expect(await sendText(closed, aPhone())).toMatchObject({ status: 503, body: { code: 'DISABLED' } })
    for (const endpoint of ['esms', '1pay']) {
      const answer = await app.inject({ method: 'GET', url: `/api/sms/mo/${endpoint}` })
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '600'])
    }
    await app.close()
  })
})

describe('what is stored and logged', () => {
  test('the log names a sender masked and holds no code; the tables hold neither', async () => {
    const phone = aPhone()
    const before = portal.logged().length
    const code = await receiveCode(portal, phone)
    await tryCode(portal, { phone, code })
    const lines = portal.logged().slice(before)
    expect(lines).toContain(`"msisdn":"84${phone.slice(1, 3)}****${phone.slice(-3)}"`)
    expect(lines).toContain('"event":"otp.sms"')
    expect(lines).toContain('"event":"otp.verified"')
    expect(lines).not.toContain(code)
    expect(lines).not.toContain(phone.slice(1))

    const { rows } = await sql<{ text: string }>`
      SELECT m::text || encode(m.sealed_reply, 'escape') AS text FROM sms_message m
      UNION ALL SELECT c::text FROM one_time_code c`.execute(portal.db)
    expect(rows.length).toBeGreaterThan(2)
    for (const { text } of rows) {
      expect(text).not.toContain(phone.slice(1))
      expect(text).not.toContain('Ma OTP')
    }
  })

  test('a message is forgotten after 30 days, and not before', async () => {
    const [old, young] = [aPhone(), aPhone()]
    await sendText(portal, old, { messageId: 'old' })
    await sendText(portal, young, { messageId: 'young' })
    await letTimePass(portal, old, 30 * 86_400 + 60)
    await letTimePass(portal, young, 30 * 86_400 - 60)
    expect(await removeOldMessages(portal.deps)).toBe(true)
    const left = await portal.db
      .selectFrom('sms_message')
      .select('message_id')
      .where('message_id', 'in', ['old', 'young'])
      .execute()
    expect(left).toEqual([{ message_id: 'young' }])
  })

  test('the hour’s line counts how many codes were made today and how many of them were verified', async () => {
    const own = await startTestApp()
    await logRatio(own.deps)
    const phones = [aPhone(), aPhone(), aPhone(), aPhone()]
    for (const phone of phones) {
      const code = await receiveCode(own, phone)
      if (phone === phones[0]) await tryCode(own, { phone, code })
    }
    await logRatio(own.deps)
    const lines = own
      .logged()
      .split('\n')
      .filter((line) => line.includes('otp.ratio'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines).toMatchObject([
      { sent: 0, verified: 0, ratio: null },
      { sent: 4, verified: 1, ratio: 0.25 },
    ])
    await own.close()
  })
})

describe('the adapters', () => {
  const replies = repliesOf('Tinh Hoa Ninja')

  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const canonical = (phone: string) => `84${phone.slice(1)}`

  async function deliver(endpoint: string, query: Record<string, string>) {
    const answer = await portal.app.inject({ method: 'GET', url: `/api/sms/mo/${endpoint}`, query })
    return { status: answer.statusCode, text: answer.body, headers: answer.headers }
  }

  type Wishes = {
    content?: string
    receivedAt?: Date
    id?: string
    secret?: string
    change?: Record<string, string>
  }

  /** `20261120100000` in the time zone of Vietnam. */
  const vietnamClock = (moment: Date) =>
    new Date(moment.getTime() + 7 * 3_600_000).toISOString().slice(0, 19).replaceAll(/\D/g, '')

  function askEsms(phone: string, { content = 'THN OTP', id = randomUUID(), ...wishes }: Wishes = {}) {
    const receiverTime = vietnamClock(wishes.receivedAt ?? new Date())
    const sign = createHash('md5')
      .update(`cp1${id}${content}${receiverTime}${wishes.secret ?? SMS_SECRET}`)
      .digest('hex')
    return deliver('esms', {
      sender: canonical(phone),
      content,
      serviceNumber: '7039',
      keyword: 'THN',
      sign,
      cpid: 'cp1',
      smsid: id,
      receiverTime,
      ...wishes.change,
    })
  }

  function askOnepay(phone: string, { content = 'THN OTP', id = randomUUID(), ...wishes }: Wishes = {}) {
    const pairs = {
      access_key: 'ak_demo',
      command: 'THN',
      mo_message: content,
      msisdn: canonical(phone),
      request_id: id,
      request_time: (wishes.receivedAt ?? new Date()).toISOString(),
      short_code: '7039',
    }
    const signed = Object.entries(pairs)
      .map(([name, value]) => `${name}=${value}`)
      .join('&')
    const signature = createHmac('sha256', wishes.secret ?? SMS_SECRET)
      .update(signed)
      .digest('hex')
    return deliver('1pay', { ...pairs, signature, ...wishes.change })
  }

  describe.each([
    ['eSMS', askEsms, { smsid: 'other' }],
    ['1pay', askOnepay, { request_id: 'other' }],
  ] as const)('the endpoint in the shape of %s', (_name, send, otherId) => {
    test('brings a code, once however often the message comes', async () => {
      const phone = aPhone()
      const id = randomUUID()
      const answers = await Promise.all(Array.from({ length: 16 }, () => send(phone, { id })))
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect(answers[0]!.headers['cache-control']).toBe('no-store')
      const code = codeIn(answers[0]!.text.replaceAll(/\d{7,}/g, ''))!
      await letTimePass(portal, phone, 120)
      expect((await send(phone, { id })).text).toBe(answers[0]!.text)
      expect((await tryCode(portal, { phone, code })).status).toBe(200)
    })

    test('refuses what is not signed so', async () => {
      const phone = aPhone()
      for (const wishes of [
        { secret: 'another-secret' },
        { change: otherId },
        { change: { sign: '', signature: '' } },
      ]) {
        expect((await send(phone, wishes)).status).toBe(401)
      }
    })

    test('answers a late message without a code and refuses one of the future', async () => {
      expect((await send(aPhone(), { receivedAt: minutesAgo(11) })).text).toContain(replies.late)
      expect((await send(aPhone(), { receivedAt: minutesAgo(-6) })).status).toBe(401)
    })

    test('helps who writes something else', async () => {
      expect((await send(aPhone(), { content: 'THN' })).text).toContain(replies.help)
    })

    test('refuses a right signature over an odd shape', async () => {
      expect((await send(aPhone(), { id: 'a b' })).status).toBe(400)
    })
  })

  test('eSMS is answered in its XML', async () => {
    const phone = aPhone()
    const { status, text, headers } = await askEsms(phone, { id: 'sms-1' })
    expect([status, headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8'])
    expect(text).toMatch(
      new RegExp(
        `^<\\?xml version="1.0" encoding="utf-8"\\?><ClientResponse><Message>Ma OTP [^<]* \\d{6}, [^<]*</Message>` +
          `<Smsid>sms-1</Smsid><Receiver>${canonical(phone)}</Receiver></ClientResponse>$`,
      ),
    )
  })

  test('1pay is answered in its JSON', async () => {
    const { status, text } = await askOnepay(aPhone())
    expect([status, JSON.parse(text)]).toEqual([
      200,
      { status: 1, sms: expect.stringMatching(/ \d{6}, /), type: 'text' },
    ])
  })

  test('a signed address of eSMS brings nothing new for another phone, nor cut apart elsewhere', async () => {
    const [phone, thief] = [aPhone(), aPhone()]
    const first = await askEsms(phone, { id: 'x1' })
    const replayed = await askEsms(phone, { id: 'x1', change: { sender: canonical(thief) } })
    const cut = await askEsms(phone, {
      id: 'x1',
      change: { sender: canonical(thief), cpid: 'cp1x', smsid: '1' },
    })
    for (const answer of [replayed, cut]) {
      expect(codeIn(answer.text.replaceAll(/\d{7,}/g, ''))).toBe(codeIn(first.text.replaceAll(/\d{7,}/g, '')))
    }
    const rows = await portal.db
      .selectFrom('sms_message')
      .selectAll()
      .where('message_id', '=', 'cp1x1')
      .execute()
    expect(rows).toHaveLength(1)
  })

  test('a value given twice counts as not given', async () => {
    const answer = await portal.app.inject({
      method: 'GET',
      url: '/api/sms/mo/esms?sender=84901234567&sender=84901234568&content=a&sign=a&sign=b&smsid=1&receiverTime=1',
    })
    expect(answer.statusCode).toBe(401)
  })
})
