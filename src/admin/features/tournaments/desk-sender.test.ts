import { afterEach, expect, test, vi } from 'vitest'
import { CallError } from '#client/call.ts'
import { createStore } from '#client/store.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { OperatorTournament } from '#contract/operator/tournaments.ts'
import { type DeskAct, EMPTY_QUEUE, refusedActs, type Taken, waitingActs, withAct } from './desk-queue.ts'
import { openStoredQueue, sendQueue } from './desk-sender.ts'

afterEach(() => vi.unstubAllGlobals())

const tournament = { updated_at: 't0', matches: [] } as unknown as OperatorTournament
const taken = { updated_at: 't1', changed: [] } as unknown as Taken
const noAnswer = new CallError(0, null)
const refusedAs = (status: number, code: ErrorCode, present?: unknown) =>
  new CallError(status, { code, message: code, present, requestId: '1' })

const result: DeskAct = { kind: 'result', match: '1', games1: 1, games2: 0, absent: [] }
const next: DeskAct = { kind: 'next-round', round: 1 }

const withOne = (act: DeskAct) =>
  withAct(EMPTY_QUEUE, { key: 'k1', act, reason: 'r', at: 'now', shown: 'm0' })!

/** Sends one act through the given answers; stops when the queue has nothing to send, or nobody may send. */
async function sendThrough(act: DeskAct, answers: (Taken | CallError)[], maySend = () => true) {
  const store = createStore(withOne(act))
  const leaving = new AbortController()
  const sent: [key: string, version: string][] = []
  const waits: number[] = []
  store.subscribe(() => {
    if (waitingActs(store.get()).length === 0) leaving.abort()
  })
  const tools = {
    send: async ({ key }: { key: string }, version: string) => {
      sent.push([key, version])
      const answer = answers.shift() ?? taken
      if (answer instanceof CallError) throw answer
      return answer
    },
    shown: () => tournament,
    maySend,
    onTaken: async () => {},
    onRefused: () => {},
    wait: async (ms: number) => {
      waits.push(ms)
      if (waits.length > 9) leaving.abort()
    },
    messageOf: (error: unknown) => (error as Error).message,
    unsent: 'chưa gửi',
  }
  await sendQueue(store, tools, leaving.signal)
  return { sent, waits, queue: store.get() }
}

test('what gets no answer is sent again with the same key and version, each time later', async () => {
  const { sent, waits, queue } = await sendThrough(result, [
    noAnswer,
    refusedAs(503, 'UNAVAILABLE'),
    refusedAs(429, 'RATE_LIMITED'),
    refusedAs(409, 'IN_PROGRESS'),
  ])
  expect(sent).toEqual(Array.from({ length: 5 }, () => ['k1', 'm0']))
  expect(waits).toEqual([1_000, 2_000, 4_000, 5_000])
  expect(queue).toEqual(EMPTY_QUEUE)
})

test('nothing is sent without network or session', async () => {
  const { sent, queue } = await sendThrough(result, [], () => false)
  expect(sent).toEqual([])
  expect(waitingActs(queue)).toHaveLength(1)
})

test('what is refused is kept with its reason and the match as it is', async () => {
  const present = { id: '1', round: 1, team1_win_count: 2 }
  const { queue } = await sendThrough(result, [refusedAs(409, 'CONFLICT', present)])
  expect(refusedActs(queue).map(({ refused }) => refused)).toEqual([{ message: 'CONFLICT', present }])
})

test('an act on the whole tournament that another referee has overtaken is sent upon the present state', async () => {
  const present = { phase: 'running', current_round: 1, paused_at: null, updated_at: 't7' }
  const { sent, queue } = await sendThrough(next, [refusedAs(409, 'CONFLICT', present)])
  expect(sent).toEqual([
    ['k1', 't0'],
    [expect.not.stringMatching('k1'), 't7'],
  ])
  expect(queue).toEqual(EMPTY_QUEUE)
})

test('but not when the round it opens is open already', async () => {
  const present = { phase: 'running', current_round: 2, paused_at: null, updated_at: 't7' }
  const { queue } = await sendThrough(next, [refusedAs(409, 'CONFLICT', present)])
  expect(refusedActs(queue)).toHaveLength(1)
})

test('the queue outlives the page, and leaves nothing behind when it is empty', () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  })
  openStoredQueue('desk-1-7').set(withOne(result))
  const reopened = openStoredQueue('desk-1-7')
  expect(reopened.get()).toEqual(withOne(result))
  reopened.set(EMPTY_QUEUE)
  expect([...stored.keys()]).toEqual([])
  stored.set('desk-1-7', '{"acts":')
  expect(openStoredQueue('desk-1-7').get()).toEqual(EMPTY_QUEUE)
})
