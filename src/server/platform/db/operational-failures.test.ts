import { Client } from 'pg'
import { expect, test } from 'vitest'
import { freePort } from '#tests/support/network.ts'
import { operationalRefusal } from './operational-failures.ts'

test.each(['127.0.0.1', '/nowhere'])('a database that is away at %s is unavailable', async (host) => {
  const client = new Client({ host, port: await freePort(), user: 'portal', password: 'secret' })
  const error: unknown = await client.connect().catch((reason: unknown) => reason)
  expect(operationalRefusal(error)).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 1 })
})

test('of several failures each has to be one that repeating helps', () => {
  const busy = Object.assign(new Error('deadlock detected'), { code: '40P01' })
  const fault = new TypeError('x is undefined')
  expect(operationalRefusal(new AggregateError([busy, busy]))).toMatchObject({ code: 'UNAVAILABLE' })
  expect(operationalRefusal(new AggregateError([busy, fault]))).toBeNull()
  expect(operationalRefusal(new AggregateError([]))).toBeNull()
})
