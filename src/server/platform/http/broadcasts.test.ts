import type { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { openLog } from '../log/log.ts'
import { BROADCAST_LIMITS, Broadcasts, type NumberedEvent } from './broadcasts.ts'

const LETTERS_MAX = 1_000
const limits = { ...BROADCAST_LIMITS, unreadBytes: LETTERS_MAX }

let opened: Broadcasts | undefined
afterEach(() => opened?.endAll())

/** Followers of one topic, whose events are added by the test. */
function aTopic() {
  const events: NumberedEvent[] = []
  const source = {
    lastOf: async () => events.length,
    eventsAfter: async (_topic: string, number: number) => events.filter((event) => event.number > number),
  }
  const broadcasts = new Broadcasts(source, { limits, log: openLog('fatal') })
  opened = broadcasts
  return {
    follow: (after = 0, address = '192.0.2.1') => broadcasts.open({ topic: '1', after, address }),
    tell(letters: number) {
      events.push({ number: events.length + 1, data: 'x'.repeat(letters) })
      broadcasts.hint('1')
    },
  }
}

/** The numbers of the events that have come, as they come. */
function read(follower: Readable): number[] {
  const numbers: number[] = []
  follower.on('data', (text: Buffer) => {
    for (const [, number] of text.toString().matchAll(/^id: (\d+)$/gm)) numbers.push(Number(number))
  })
  return numbers
}

test('a follower who leaves too much unread is disconnected; the others, and it when it comes back, miss nothing', async () => {
  const { follow, tell } = aTopic()
  const [slow, other] = [await follow(), await follow()]
  const numbers = read(other)
  for (const count of [1, 2, 3]) {
    tell(400)
    await expect.poll(() => numbers.length).toBe(count)
  }
  await expect.poll(() => slow.destroyed).toBe(true)
  expect(slow.readableLength).toBeLessThan(LETTERS_MAX)
  expect(numbers).toEqual([1, 2, 3])
  const again = read(await follow(2))
  await expect.poll(() => again).toEqual([3])
})

test('who has missed more than is sent at once is told to read everything again', async () => {
  const { follow, tell } = aTopic()
  const numbers = read(await follow())
  for (const count of [1, 2]) {
    tell(400)
    await expect.poll(() => numbers.length).toBe(count)
  }
  let text = ''
  const again = await follow(0)
  again.on('data', (piece: Buffer) => (text += piece.toString()))
  await expect.poll(() => text).toBe(': \n\nid: 2\ndata: {"isWhole":true}\n\n')
})

test('while many are told, the process does other work too, and each is told once', async () => {
  const { follow, tell } = aTopic()
  const followers = await Promise.all(
    Array.from({ length: 1_000 }, (_, n) => follow(0, `192.0.2.${n % 250}`)),
  )
  const numbers = followers.map(read)
  let turns = 0
  let turn = setImmediate(function again() {
    turns += 1
    turn = setImmediate(again)
  })
  const toldAt = numbers.map(() => 0)
  for (const [index, follower] of followers.entries())
    follower.on('data', (text: Buffer) => {
      if (text.includes('id: 1')) toldAt[index] = turns
    })
  tell(10)
  await expect.poll(() => numbers.every((one) => one.length === 1)).toBe(true)
  clearImmediate(turn)
  expect(new Set(toldAt).size).toBeGreaterThan(3)
  expect(numbers.flat().every((number) => number === 1)).toBe(true)
})
