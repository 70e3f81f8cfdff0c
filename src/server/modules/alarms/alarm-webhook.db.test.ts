import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Alarm } from '#contract/operator/alarms.ts'
import { verifyTimedSignature } from '#server/platform/values/crypto.ts'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { eventually } from '#tests/support/purchases.ts'
import { PROVOKED } from '#tests/support/provoked-alarms.ts'
import { startAlarmJobs, noticeAlarms, sendMessages, type AlarmWebhook } from './alarm-webhook.service.ts'
const SECRET = 'the secret of the receiver'

type Received = { headers: IncomingMessage['headers']; raw: Buffer; message: Record<string, unknown> }

/** What the owner runs: a real server that receives messages, and refuses or hangs where a test sets it. */
let receiver: Server
let webhook: AlarmWebhook
let received: Received[]
let answers: (number | 'hangs')[]

const portal = useTestApp()
beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const raw = Buffer.concat(chunks)
      received.push({
        headers: request.headers,
        raw,
        message: JSON.parse(raw.toString()) as Received['message'],
      })
      const answer = answers.shift() ?? 200
      if (answer !== 'hangs') response.writeHead(answer).end()
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  webhook = { url: `http://127.0.0.1:${port}/alarms?key=1`, secret: SECRET, timeoutMs: 500 }
})
afterAll(() => {
  receiver.close()
  receiver.closeAllConnections()
})
beforeEach(() => {
  received = []
  answers = []
})
afterEach(() => asOwner(portal, 'DELETE FROM alarm_notice'))

let minutes = 0
/** The portal at a moment so many minutes later. */
const deps = () => ({
  ...portal.deps,
  clock: { now: () => new Date(Date.now() + minutes * 60_000) },
})
const compare = (count: number, everySeconds = 0) => {
  const alarm: Alarm = {
    name: 'parked-deliveries',
    count: count + 1,
    late: count,
    oldest: null,
    amount: null,
    runbook: 'deliveries.md',
    place: null,
  }
  return noticeAlarms(deps(), count > 0 ? [alarm] : [], { everySeconds })
}
const send = () => sendMessages(deps(), webhook)
const events = () => received.map(({ message: { event, count } }) => [event, count])
const waiting = () =>
  portal.db
    .selectFrom('alarm_notice')
    .select(['name', 'attempt', 'next_attempt_at'])
    .where('message', 'is not', null)
    .execute()
const due = () => asOwner(portal, `UPDATE alarm_notice SET next_attempt_at = now() - interval '1 second'`)

describe('an alarm is sent', () => {
  test('signed, with what it is about, where to read on, and an id', async () => {
    await compare(3)
    await send()
    expect(received).toHaveLength(1)
    const [{ headers, raw, message }] = received as [Received]
    expect(message).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      event: 'begins',
      alarm: 'parked-deliveries',
      count: 3,
      began_at: expect.any(String) as string,
      oldest: null,
      at: expect.any(String) as string,
      runbook: 'docs/runbooks/deliveries.md',
      portal: portal.deps.publicUrl,
    })
    const signed = {
      prefix: 'sha256=',
      timestamp: headers['x-portal-timestamp'] as string,
      signature: headers['x-portal-signature'] as string,
      now: new Date(),
      toleranceSeconds: 60,
    }
    expect(verifyTimedSignature({ ...signed, secrets: [SECRET], raw })).toBe('valid')
    expect(verifyTimedSignature({ ...signed, secrets: ['another secret'], raw })).toBe('bad')
    expect(verifyTimedSignature({ ...signed, secrets: [SECRET], raw: Buffer.from(`${raw} `) })).toBe('bad')
    expect(await waiting()).toEqual([])
  })

  test('when it begins, grows, goes on for an hour, and ends; not between', async () => {
    for (const [later, count] of [
      [0, 1],
      [1, 5],
      [12, 5],
      [13, 9],
      [22, 9],
      [81, 9],
      [82, 9],
      [83, 0],
      [84, 0],
    ] as const) {
      minutes = later
      await compare(count)
      await send()
    }
    minutes = 0
    expect(events()).toEqual([
      ['begins', 1],
      ['grows', 5],
      ['grows', 9],
      ['repeats', 9],
      ['ends', 0],
    ])
    expect(new Set(received.map(({ message: { began_at } }) => began_at)).size).toBe(1)
  })
})

describe('a receiver that does not take it', () => {
  test.each([500, 301, 'hangs'] as const)('(%s) is sent again later, under the same id', async (answer) => {
    answers = [answer]
    await compare(2)
    await send()
    await send()
    expect(received).toHaveLength(1)
    const [left] = await waiting()
    expect(left).toMatchObject({ name: 'parked-deliveries', attempt: 1 })
    expect(left?.next_attempt_at.getTime()).toBeGreaterThan(Date.now() + 2_000)
    expect(portal.logged()).toContain('alarm.not-sent')
    await due()
    await send()
    expect(received).toHaveLength(2)
    expect(received[1]?.message).toEqual(received[0]?.message)
    expect(await waiting()).toEqual([])
  })

  test('is sent in the end only what is true by then', async () => {
    answers = [500]
    await compare(2)
    await send()
    await compare(0)
    await send()
    expect(events()).toEqual([
      ['begins', 2],
      ['ends', 0],
    ])
    expect(await waiting()).toEqual([])
  })

  test('is given up after many attempts', async () => {
    answers = [500]
    await compare(2)
    await asOwner(portal, 'UPDATE alarm_notice SET attempt = 39')
    await send()
    expect(await waiting()).toEqual([])
    expect(portal.logged()).toContain('alarm.given-up')
  })

  test('that is never there costs no more than one message for each alarm', async () => {
    answers = Array<number>(20).fill(503)
    for (minutes = 0; minutes < 600; minutes += 60) await compare(minutes + 1)
    minutes = 0
    expect(await waiting()).toHaveLength(1)
  })
})

describe('several workers', () => {
  test('compare and send once', async () => {
    await Promise.all([compare(1, 45), compare(1, 45), compare(1, 45)])
    await compare(0, 45)
    await Promise.all([send(), send(), send()])
    expect(events()).toEqual([['begins', 1]])
  })

  test('compare and send by themselves', async () => {
    await PROVOKED['parked-deliveries'](portal)
    const loops = [1, 2].flatMap(() => startAlarmJobs({ ...portal.deps, alarmWebhook: webhook }))
    try {
      await eventually(async () => expect(events()).toEqual([['begins', 1]]), 15_000)
    } finally {
      await Promise.all(loops.map((loop) => loop.stop()))
    }
    expect(events()).toEqual([['begins', 1]])
  })
})
