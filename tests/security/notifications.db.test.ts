import { createHmac, randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { PAYMENT_VENDORS } from '#server/modules/payment-providers/registry.ts'
import { anOrder, balanceOf, openAccounts } from '#tests/support/bank.ts'
import { listProblems } from '#tests/support/hand-lists.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { MOMO } from '#tests/support/payment-keys.ts'
import { setSetting } from '#tests/support/settings.ts'
import {
  storedCounts,
  aTransfer,
  sign,
  fieldsOf,
  type Fields,
  type SignedNotification,
  type Sender,
} from '#tests/support/signed-notifications.ts'
import { SMS_SECRET, useTestApp } from '#tests/support/app.ts'
import { aPhone } from '#tests/support/phones.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { sendRequest, type Answer } from './send-request.ts'
import { databasePicture } from './database-picture.ts'

const portal = useTestApp()
beforeAll(async () => {
  await openAccounts(portal)
  await setSetting(portal, 'bank_account_momo', JSON.stringify(MOMO))
})
afterEach(() => expectReconciled(portal))

/** The codes of a player's open orders, at a bank and at MoMo. */
type Codes = { bank: string; momo: string }

async function openOrders(player: TestPlayer): Promise<Codes> {
  const [bank, momo] = [await anOrder(portal, player), await anOrder(portal, player, { channel: 1 })]
  return { bank: bank.code, momo: momo.code }
}

type Signing = { at?: Date; secret?: string }

type Webhook = {
  name: string
  success: number
  /** The header of the signature; null where it is in the body. */
  header: string | null
  /** Whether the signature has a time. */
  isTimed: boolean
  /** The fields of a notification that has an effect. */
  fieldsFor(codes: Codes): Fields
  sign(fields: Fields, signing?: Signing): SignedNotification
  /** What of it is signed. */
  signed(fields: Fields): Fields
}

const payments = (provider: Sender, rest: Pick<Webhook, 'success' | 'isTimed' | 'header'>): Webhook => ({
  name: provider,
  fieldsFor: ({ bank, momo }) => fieldsOf(provider, aTransfer({ memo: provider === 'momo' ? momo : bank })),
  sign: (fields, signing) => sign({ provider, fields, at: new Date(), ...signing }),
  // Around its data payOS signs nothing, and nothing there counts.
  signed: (fields) => (provider === 'payos' ? (fields.data as Fields) : fields),
  ...rest,
})

const messages: Webhook = {
  name: 'sms',
  success: 200,
  header: 'x-sms-signature',
  isTimed: true,
  fieldsFor: () => ({
    message_id: randomUUID(),
    short_code: '7039',
    msisdn: `84${aPhone().slice(1)}`,
    text: 'THN OTP',
    received_at: new Date().toISOString(),
    operator: 'VIETTEL',
  }),
  sign(fields, { at = new Date(), secret = SMS_SECRET } = {}) {
    const body = JSON.stringify(fields)
    const time = String(Math.floor(at.getTime() / 1000))
    const made = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
    const headers = {
      'content-type': 'application/json',
      'x-sms-provider': 'tests',
      'x-sms-timestamp': time,
      'x-sms-signature': `v1=${made}`,
    }
    return { url: '/api/sms/mo', headers, body }
  },
  signed: (fields) => fields,
}

const WEBHOOKS: Webhook[] = [
  payments('sepay', { success: 200, isTimed: true, header: 'x-sepay-signature' }),
  payments('casso', { success: 200, isTimed: true, header: 'x-casso-signature' }),
  payments('payos', { success: 200, isTimed: false, header: null }),
  payments('momo', { success: 204, isTimed: false, header: null }),
  messages,
]

test('every payment provider is attacked here', () => {
  const found = PAYMENT_VENDORS.map(({ name }) => name)
  const listed = WEBHOOKS.map(({ name }) => name).filter((name) => name !== messages.name)
  expect(listProblems({ found, listed }, 'WEBHOOKS of tests/security/notifications.db.test.ts')).toEqual([])
})

const send = ({ url, headers, body }: SignedNotification): Promise<Answer> =>
  sendRequest(portal, { method: 'POST', path: url, headers, raw: body })

function signatureOf({ header }: Webhook, { headers, body }: SignedNotification): string {
  return header === null ? ((JSON.parse(body) as Fields).signature as string) : (headers[header] ?? '')
}

/** The same notification with another signature, or without one. */
function withSignature(
  { header }: Webhook,
  notification: SignedNotification,
  signature?: string,
): SignedNotification {
  if (header === null) {
    const { signature: _, ...fields } = JSON.parse(notification.body) as Fields
    return {
      ...notification,
      body: JSON.stringify(signature === undefined ? fields : { ...fields, signature }),
    }
  }
  const { [header]: _, ...headers } = notification.headers
  return { ...notification, headers: signature === undefined ? headers : { ...headers, [header]: signature } }
}

const digitsOf = (signature: string) => /[0-9a-f]*$/.exec(signature)?.[0] ?? ''

/** Every field changed in its turn, at any depth, its signature being what it was. */
function altered(webhook: Webhook, notification: SignedNotification): [string, SignedNotification][] {
  const places: string[][] = []
  const collect = (value: unknown, place: string[]) => {
    if (typeof value !== 'object' || value === null) return places.push(place)
    for (const [name, inner] of Object.entries(value)) collect(inner, [...place, name])
  }
  const body = JSON.parse(notification.body) as Fields
  collect(webhook.signed(body), webhook.name === 'payos' ? ['data'] : [])
  return places.map((place) => {
    const fields = structuredClone(body)
    const holder = place.slice(0, -1).reduce((inner, name) => inner[name] as Fields, fields)
    const last = place.at(-1) as string
    const value = holder[last]
    holder[last] = typeof value === 'number' ? value + 1 : `${String(value ?? '')}1`
    return [`with another ${place.join('.')}`, { ...notification, body: JSON.stringify(fields) }]
  })
}

/** Attacks by someone without the secret who has a correct notification of this or another provider. */
function forgeries(webhook: Webhook, fields: Fields, codes: Codes): [string, SignedNotification][] {
  const right = webhook.sign(fields)
  const signature = signatureOf(webhook, right)
  const digits = digitsOf(signature)
  const put = (text?: string) => withSignature(webhook, right, text)
  const others = WEBHOOKS.filter(({ name }) => name !== webhook.name)
  const foreign = others.map((other) => other.sign(other.fieldsFor(codes)))
  return [
    ['without a signature', put()],
    ['with an empty signature', put('')],
    ['with another signature', put(signature.replace(digits, '0'.repeat(digits.length)))],
    ['with one digit changed', put(signature.slice(0, -1) + (signature.endsWith('0') ? '1' : '0'))],
    ['with a digit too few', put(signature.slice(0, -1))],
    ['with a byte too few', put(signature.slice(0, -2))],
    ['with half of the digits', put(signature.slice(0, -digits.length / 2))],
    ['with a digit too many', put(`${signature}0`)],
    ['with the signature twice', put(`${signature}, ${signature}`)],
    ['signed with another secret', webhook.sign(fields, { secret: 'another-secret-altogether' })],
    ['signed with no secret', webhook.sign(fields, { secret: '' })],
    [
      'signed over something else',
      withSignature(webhook, right, signatureOf(webhook, webhook.sign(webhook.fieldsFor(codes)))),
    ],
    ...altered(webhook, right),
    ...others.map((other, at): [string, SignedNotification] => [
      `with the signature of ${other.name}`,
      put(signature.replace(digits, digitsOf(signatureOf(other, foreign[at]!)))),
    ]),
    ...foreign.map((notification, at): [string, SignedNotification] => [
      `with what ${others[at]!.name} sends`,
      { ...notification, url: right.url },
    ]),
  ]
}

describe.each(WEBHOOKS)('at the webhook of $name', (webhook) => {
  let player: TestPlayer
  let stranger: TestPlayer
  let strangers: Codes
  let fields: Fields
  beforeAll(async () => {
    player = await aPlayer(portal)
    stranger = await aPlayer(portal)
    strangers = await openOrders(stranger)
    fields = webhook.fieldsFor(await openOrders(player))
  })

  test('security row 22: what is not rightly signed is refused, and nothing of it is stored or credited', async () => {
    const tried = forgeries(webhook, fields, strangers)
    const before = await databasePicture(portal)
    for (const [what, notification] of tried) {
      const { status, body } = await send(notification)
      expect([what, status, body?.code]).toEqual([what, 401, 'UNAUTHENTICATED'])
    }
    expect(await databasePicture(portal)).toEqual(before)
    expect(await balanceOf(portal, player)).toBe(0)
  })

  test('security row 22: another method or too long a body is refused unread, and another type opens to no forgery', async () => {
    const before = await databasePicture(portal)
    const { url } = webhook.sign(fields)
    const forged = webhook.sign(fields, { secret: 'another-secret-altogether' })
    const isSms = webhook.name === 'sms'
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])
      expect((await sendRequest(portal, { method, path: url })).status, method).toBe(404)
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/xml',
    ])
      expect(
        (await send({ ...forged, headers: { ...forged.headers, 'content-type': type } })).status,
        type,
      ).toBe(isSms ? 400 : 401)
    const long = webhook.sign({ ...fields, padding: 'x'.repeat(2 * 1024 * 1024) })
    expect((await send(long)).status).toBe(413)
    expect(await databasePicture(portal)).toEqual(before)
  })

  test('security row 22: a replay is answered like the first, and leaves nothing but a row that says so', async () => {
    const notification = webhook.sign(fields)
    const first = await send(notification)
    expect(first.status, first.text).toBe(webhook.success)
    expect(await balanceOf(portal, player)).toBe(webhook.name === 'sms' ? 0 : 50_000)
    const before = await withoutEvents()
    for (const again of [notification, webhook.sign(fields)]) {
      const answer = await send(again)
      expect([answer.status, answer.text]).toEqual([webhook.success, first.text])
    }
    expect(await withoutEvents()).toEqual(before)
    const repeated = await portal.db
      .selectFrom('payment_event')
      .select(['status', 'bank_transaction_id'])
      .where('reason', '=', 'repeated')
      .where('provider', '=', webhook.name)
      .execute()
    const told = { status: 'duplicate', bank_transaction_id: null }
    expect(repeated).toEqual(webhook.name === 'sms' ? [] : [told, told])
  })

  test('security row 22: no bytes break it, signed or not, and none are credited', async () => {
    const { url, headers } = webhook.sign(fields)
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.json().map((text) => Buffer.from(text)),
    )
    await fc.assert(
      fc.asyncProperty(noise, async (raw) => {
        const { status } = await sendRequest(portal, { method: 'POST', path: url, headers, raw })
        expect([400, 401]).toContain(status)
      }),
      { numRuns: 20 },
    )
    const plain = webhook.fieldsFor(strangers)
    const names = Object.keys(webhook.signed(plain))
    const change = fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 })
    await fc.assert(
      fc.asyncProperty(change, async (changed) => {
        const { status } = await send(webhook.sign(changedIn(plain, changed, webhook)))
        expect([webhook.success, 400, 401]).toContain(status)
      }),
      { numRuns: 20 },
    )
    expect(await balanceOf(portal, stranger)).toBe(0)
  })
})

// Where no time is signed there is nothing to be late by: what comes again is known by its id alone.
test('security row 22: many wrong signatures are refused each time and do not fill the log', async () => {
  const payos = WEBHOOKS.find(({ name }) => name === 'payos')!
  const lines = () =>
    portal
      .logged()
      .split('\n')
      .filter((line) => line.includes('"provider":"payos"')).length
  const before = lines()
  const forged = payos.sign(payos.fieldsFor({ bank: 'TCX', momo: 'TCX' }), {
    secret: 'somebody else’s secret',
  })
  for (let knock = 0; knock < 100; knock++) expect((await send(forged)).status).toBe(401)
  // Those of the tests before are of the same minute.
  expect(lines() - before).toBeLessThanOrEqual(61)
  expect(portal.logged()).toContain('more bad signatures are refused without a word for a while')
})

describe.each(WEBHOOKS.filter(({ isTimed }) => isTimed))('at the webhook of $name', (webhook) => {
  test('security row 22: a right signature of ten minutes ago, or of ten minutes hence, is refused', async () => {
    const player = await aPlayer(portal)
    const fields = webhook.fieldsFor(await openOrders(player))
    const before = await storedCounts(portal)
    for (const minutes of [-10, 10]) {
      const notification = webhook.sign(fields, { at: new Date(Date.now() + minutes * 60_000) })
      expect((await send(notification)).status).toBe(401)
    }
    const { events, transactions } = await storedCounts(portal)
    // A stale payment is stored for operators all the same; a late text message is sent again.
    expect([events - before.events, transactions - before.transactions]).toEqual([
      webhook.name === 'sms' ? 0 : 1,
      0,
    ])
    expect(await balanceOf(portal, player)).toBe(0)
  })
})

/** Every table but those in which each notification has a row of its own, whatever became of it. */
async function withoutEvents(): Promise<Record<string, string>> {
  const picture = await databasePicture(portal)
  const names = ['payment_event', 'payment_event_body', 'payment_event_seal'].map((name) => `public.${name}`)
  return Object.fromEntries(Object.entries(picture).filter(([name]) => !names.includes(name)))
}

/** Changes the texts inside the data where they are there, and removes the order. */
function changedIn(fields: Fields, changed: Fields, webhook: Webhook): Fields {
  const spoilt = JSON.parse(JSON.stringify(fields).replace(/TCX[A-Z0-9]{10}/g, 'KHONGCOMA')) as Fields
  if (webhook.name === 'payos') return { ...spoilt, data: { ...(spoilt.data as Fields), ...changed } }
  return { ...spoilt, ...changed }
}
