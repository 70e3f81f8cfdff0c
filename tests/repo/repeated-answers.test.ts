import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { seeded } from '../harness/numbers.ts'
import { RepeatingClient } from '../harness/client.ts'

type Answered = { status: number; body: object }

let server: Server | null = null
afterEach(() => void server?.close())

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/** Sends so many acts to a portal that answers a key for the first time, and again, as given here. */
async function sendActs(
  again: (first: { body: string; answer: Answered }, body: string) => Answered,
): Promise<RepeatingClient> {
  const known = new Map<string, { body: string; answer: Answered }>()
  server = createServer(async (request, response) => {
    const key = String(request.headers['idempotency-key'])
    const body = await bodyOf(request)
    const first = known.get(key)
    const answer = first ? again(first, body) : { status: 200, body: { transferId: String(known.size) } }
    if (!first) known.set(key, { body, answer })
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer.body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = new RepeatingClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, seeded(1))
  for (let act = 0; act < 40; act++) {
    const body = { amount: 1_000 }
    await client.untilDefinite({ method: 'POST', path: '/api/user/transfer', key: `key-${act}`, body })
  }
  return client
}

test('answers to repeated keys that are the first ones are right, and KEY_REUSED is for another body', async () => {
  const client = await sendActs((first, body) =>
    body === first.body ? first.answer : { status: 422, body: { code: 'KEY_REUSED' } },
  )
  expect(client.wrongAnswers).toEqual([])
  expect(client.answersCompared).toBeGreaterThan(20)
})

test.for([
  ['the act is done once more', () => ({ status: 200, body: { transferId: 'another' } }), /repeated got/],
  ['a repeat ends with 500', () => ({ status: 500, body: { code: 'INTERNAL' } }), /answered 500 INTERNAL/],
  ['the answer was not stored', () => ({ status: 200, body: {} }), /repeated got .* in place of/],
  ['a key is taken for any body', ({ answer }) => answer, /its key with another body got 200/],
] as [string, Parameters<typeof sendActs>[0], RegExp][])(
  'it is noticed when %s',
  async ([, again, message]) => {
    const { wrongAnswers } = await sendActs(again)
    expect(
      wrongAnswers.some((line) => message.test(line)),
      wrongAnswers.join('\n'),
    ).toBe(true)
  },
)
