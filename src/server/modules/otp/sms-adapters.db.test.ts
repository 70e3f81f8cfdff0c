import { createHash, createHmac, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { SMS_SECRET, useTestApp } from '#tests/support/app.ts'
import { aPhone, codeIn, letTimePass, tryCode } from '#tests/support/phones.ts'
import { repliesOf } from './sms.rules.ts'

const replies = repliesOf('Tinh Hoa Ninja')

const portal = useTestApp()

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
const canonical = (phone: string) => `84${phone.slice(1)}`

async function ask(endpoint: string, query: Record<string, string>) {
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
  return ask('esms', {
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
  return ask('1pay', { ...pairs, signature, ...wishes.change })
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
