import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test as it } from 'vitest'
import { buildApp } from '#server/app/app.ts'
import { SEPAY_SECRET, type TestApp, useTestApp } from '#tests/support/app.ts'
import { PAYMENT_ENVIRONMENT, paymentsWith } from '#tests/support/payment-keys.ts'
import {
  aNotification,
  balanceOf,
  deliver,
  openAccounts,
  payment,
  signatureOf,
  storedEvents,
} from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { expectReconciled } from '#tests/support/ledger.ts'

const test = useTestApp()
const others: TestApp[] = []
beforeAll(async () => {
  await openAccounts(test)
})
afterEach(() => expectReconciled(test))
afterAll(async () => {
  for (const other of others) await other.app.close()
})

/** The same portal with other keys at the door. */
async function withKeys(sepay: Record<string, string>): Promise<TestApp> {
  const { SEPAY_WEBHOOK_SECRET: _, ...beside } = PAYMENT_ENVIRONMENT
  const other = {
    ...test,
    app: await buildApp({ ...test.deps, payments: paymentsWith({ ...beside, ...sepay }) }),
  }
  others.push(other)
  return other
}

async function aPayment() {
  const { player, order } = await payment(test)
  return { player, notification: aNotification({ content: order.code }) }
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
const hashOf = (notification: unknown) =>
  createHash('sha256').update(JSON.stringify(notification)).digest('hex')

describe('a notification without a right signature is refused, and nothing of it is stored', () => {
  const signed = (notification: unknown) => signatureOf(Buffer.from(JSON.stringify(notification)))

  it.each<[string, (notification: unknown) => Record<string, string>]>([
    ['without a signature', () => ({})],
    [
      'with a signature and no time',
      (body) => ({ 'x-sepay-signature': signed(body)['x-sepay-signature'] ?? '' }),
    ],
    [
      'signed with another secret',
      (body) => signatureOf(Buffer.from(JSON.stringify(body)), 'another-secret'),
    ],
    ['signed over another body', () => signed({ id: 1 })],
    [
      'signed over the body written differently',
      (body) => signatureOf(Buffer.from(JSON.stringify(body, null, 1))),
    ],
    [
      'with its time moved on',
      (body) => {
        const headers = signed(body)
        return { ...headers, 'x-sepay-timestamp': String(Number(headers['x-sepay-timestamp']) + 1) }
      },
    ],
    ['with a key where signatures are required', () => ({ authorization: `Apikey ${SEPAY_SECRET}` })],
    ['with the empty key', () => ({ authorization: 'Apikey ' })],
  ])('%s', async (_what, headers) => {
    const { player, notification } = await aPayment()
    const answer = await deliver(test, notification, { headers: headers(notification) })
    expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
    expect(answer.body).not.toHaveProperty('report')
    expect(await storedEvents(test, notification)).toEqual([])
    expect(await balanceOf(test, player)).toBe(0)
    expect(test.logged()).toContain(hashOf(notification))
  })

  it('with one figure of the amount altered on the way', async () => {
    const { player, notification } = await aPayment()
    const headers = signed(notification)
    const altered = { ...notification, transferAmount: 50_000_000 }
    expect((await deliver(test, altered, { headers })).status).toBe(401)
    expect(await balanceOf(test, player)).toBe(0)
  })
})

describe('a right signature over an old time', () => {
  it('is stored for an operator and refused, and credits nothing', async () => {
    const { player, notification } = await aPayment()
    const late = await deliver(test, notification, { signedAt: minutesAgo(6) })
    expect(late).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
    expect(await storedEvents(test, notification)).toMatchObject([
      { provider_event_id: `${notification.id}#stale`, signature: 'stale', status: 'stale', state: null },
    ])
    await deliver(test, notification, { signedAt: minutesAgo(60) })
    expect(await storedEvents(test, notification)).toHaveLength(1)
    expect(await balanceOf(test, player)).toBe(0)
  })

  it('does not stand in the way of the same notification, freshly signed', async () => {
    const { player, notification } = await aPayment()
    await deliver(test, notification, { signedAt: minutesAgo(6) })
    expect((await deliver(test, notification)).status).toBe(200)
    expect(await balanceOf(test, player)).toBe(50_000)
    expect((await storedEvents(test, notification)).map((event) => event.status)).toEqual([
      'stale',
      'applied',
    ])
    expect((await deliver(test, notification, { signedAt: minutesAgo(6) })).status).toBe(401)
    expect(await balanceOf(test, player)).toBe(50_000)
  })

  it.each([
    [4.9, 200],
    [-4.9, 200],
    [-6, 401],
  ])('%d minutes old is answered %d', async (minutes, status) => {
    const { notification } = await aPayment()
    expect((await deliver(test, notification, { signedAt: minutesAgo(minutes) })).status).toBe(status)
  })
})

describe('what may open the door', () => {
  it('is the new secret and the old one, while it is being changed', async () => {
    const changing = await withKeys({ SEPAY_WEBHOOK_SECRET: `the-new-secret,${SEPAY_SECRET}` })
    for (const secret of ['the-new-secret', SEPAY_SECRET]) {
      const { player, notification } = await aPayment()
      expect((await deliver(changing, notification, { secret })).status).toBe(200)
      expect(await balanceOf(test, player)).toBe(50_000)
    }
    const { notification } = await aPayment()
    expect((await deliver(changing, notification, { secret: 'an-older-secret' })).status).toBe(401)
  })

  it('is the API key, where that is the mode; a signature then opens nothing', async () => {
    const keyed = await withKeys({ SEPAY_API_KEY: 'sepay-key-new,sepay-key-old' })
    for (const key of ['sepay-key-new', 'sepay-key-old']) {
      const { player, notification } = await aPayment()
      const answer = await deliver(keyed, notification, { headers: { authorization: `Apikey ${key}` } })
      expect([answer.status, answer.text]).toEqual([200, '{"success":true}'])
      expect(await balanceOf(test, player)).toBe(50_000)
    }
    const { player, notification } = await aPayment()
    expect((await deliver(keyed, notification)).status).toBe(401)
    expect(
      (await deliver(keyed, notification, { headers: { authorization: 'Apikey sepay-key' } })).status,
    ).toBe(401)
    expect(await balanceOf(test, player)).toBe(0)
  })

  it('is the signature alone where there is one, with a right key beside it or not', async () => {
    const both = await withKeys({ SEPAY_WEBHOOK_SECRET: SEPAY_SECRET, SEPAY_API_KEY: 'sepay-key-new' })
    const { player, notification } = await aPayment()
    const wrong = signatureOf(Buffer.from('{}'))
    const headers = { ...wrong, authorization: 'Apikey sepay-key-new' }
    expect((await deliver(both, notification, { headers })).status).toBe(401)
    expect(await balanceOf(test, player)).toBe(0)
  })

  it('is nothing while nothing is configured', async () => {
    const closed = await withKeys({})
    const { player, notification } = await aPayment()
    expect(await deliver(closed, notification)).toMatchObject({ status: 503, body: { code: 'DISABLED' } })
    expect(await storedEvents(test, notification)).toEqual([])
    expect(await balanceOf(test, player)).toBe(0)
  })
})

describe('a request of another shape', () => {
  it.each(['GET', 'PUT', 'DELETE', 'PATCH'] as const)('by %s is unknown', async (method) => {
    const answer = await test.app.inject({ method, url: '/api/webhooks/sepay' })
    expect(answer.statusCode).toBe(404)
  })

  it.each([64 * 1024, 2 * 1024 * 1024])('of more than %d bytes is refused unread', async (size) => {
    const raw = Buffer.from(JSON.stringify(aNotification({ description: 'x'.repeat(size) })))
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/webhooks/sepay',
      headers: { 'content-type': 'application/json', ...signatureOf(raw) },
      payload: raw,
    })
    expect([answer.statusCode, answer.json()]).toMatchObject([413, { code: 'PAYLOAD_TOO_LARGE' }])
  })

  it('in a form is refused without a signature', async () => {
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/webhooks/sepay',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'id=1',
    })
    expect(answer.statusCode).toBe(401)
  })
})

describe('what comes again', () => {
  it('with another body is answered like the first, changes nothing, and is logged', async () => {
    const { player, notification } = await aPayment()
    await deliver(test, notification)
    const other = { ...notification, transferAmount: 60_000 }
    expect((await deliver(test, other)).status).toBe(200)
    expect(await balanceOf(test, player)).toBe(50_000)
    expect(test.logged()).toContain('came again with another body')
    expect(test.logged()).toContain(hashOf(other))
  })
})

describe('what could not be stored', () => {
  it('is not acknowledged, and is credited when it comes again', async () => {
    const { player, notification } = await aPayment()
    await asOwner(test, 'REVOKE INSERT ON payment_event_body FROM portal_app')
    const answer = await deliver(test, notification)
    expect(answer.status).toBe(500)
    expect(await storedEvents(test, notification)).toEqual([])
    await asOwner(test, 'GRANT INSERT ON payment_event_body TO portal_app')
    expect((await deliver(test, notification)).status).toBe(200)
    expect(await balanceOf(test, player)).toBe(50_000)
  })
})

describe('the log', () => {
  it('holds neither memos nor secrets', async () => {
    const { notification } = await aPayment()
    await deliver(test, { ...notification, content: `${String(notification.content)} NGUYEN THI BI MAT` })
    await deliver(test, { ...notification, content: 'NGUYEN THI BI MAT' }, { secret: 'another-secret' })
    expect(test.logged()).not.toContain('BI MAT')
    expect(test.logged()).not.toContain(SEPAY_SECRET)
  })
})

it('a notification that the database has no time for is to be sent again', async () => {
  const { player, notification } = await aPayment()
  await asOwner(
    test,
    `CREATE FUNCTION no_time() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'canceling statement due to lock timeout' USING ERRCODE = '55P03'; END $$;
     CREATE TRIGGER no_time BEFORE INSERT ON payment_event FOR EACH ROW EXECUTE FUNCTION no_time()`,
  )
  const refused = await deliver(test, notification)
  expect([refused.status, refused.body.code]).toEqual([503, 'UNAVAILABLE'])
  await asOwner(test, 'DROP TRIGGER no_time ON payment_event; DROP FUNCTION no_time')
  expect((await deliver(test, notification)).status).toBe(200)
  expect(await balanceOf(test, player)).toBeGreaterThan(0)
})
