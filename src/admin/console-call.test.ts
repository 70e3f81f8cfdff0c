import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { operatorAlarms } from '#contract/operator/alarms.ts'
import { savedFilters } from '#contract/operator/session.ts'
import { consoleCall, readFile, readListPage } from './console-call.ts'
import { requestStepUp, sessionRefused } from './session/console-session.ts'
import { saveToken } from './session/plain-call.ts'

// Modules that other files of this worker have imported have nothing replaced; those of this one are not for them.
vi.hoisted(() => vi.resetModules())
afterAll(() => vi.resetModules())
// The dialog for the code, and the screens of a session that is over.
vi.mock('./session/console-session.ts', () => ({ requestStepUp: vi.fn(), sessionRefused: vi.fn() }))

const refusal = (status: number, code: string) =>
  Response.json({ code, message: code, requestId: '1' }, { status })

/** Whose each request was, by its token. */
let senders: (string | null)[]

/** Answers one request after the other, after `meanwhile`. */
function answer(answers: Response[], meanwhile = () => {}) {
  vi.stubGlobal('fetch', async (_url: string, { headers }: RequestInit) => {
    senders.push(new Headers(headers).get('authorization'))
    meanwhile()
    return answers.shift()
  })
}

beforeEach(() => {
  senders = []
  vi.mocked(sessionRefused).mockReset()
  saveToken('lan')
})

afterEach(() => {
  vi.unstubAllGlobals()
  saveToken(null)
})

const act = () => consoleCall(savedFilters.remove, { params: { id: '1' } })

test('an act that needs fresh proof is sent again when it was given', async () => {
  answer([refusal(403, 'STEP_UP_REQUIRED'), Response.json({ id: '1' })])
  vi.mocked(requestStepUp).mockResolvedValue(true)
  await act()
  expect(senders).toEqual(['Bearer lan', 'Bearer lan'])
})

test('an act is not sent again when another operator has signed in while the proof was asked for', async () => {
  answer([refusal(403, 'STEP_UP_REQUIRED'), Response.json({ id: '1' })])
  vi.mocked(requestStepUp).mockImplementation(async () => {
    saveToken('minh')
    return true
  })
  await expect(act()).rejects.toThrow('STEP_UP_REQUIRED')
  expect(senders).toEqual(['Bearer lan'])
})

const calls = {
  act,
  list: () => readListPage(operatorAlarms.list, {}),
  file: () => readFile('/operator/users.csv'),
}

for (const [name, call] of Object.entries(calls)) {
  test(`a refused session ends, and another one that has begun meanwhile does not: ${name}`, async () => {
    answer([refusal(401, 'UNAUTHENTICATED')])
    await expect(call()).rejects.toThrow('UNAUTHENTICATED')
    expect(sessionRefused).toHaveBeenCalledOnce()

    answer([refusal(401, 'UNAUTHENTICATED')], () => saveToken('minh'))
    await expect(call()).rejects.toThrow('UNAUTHENTICATED')
    expect(sessionRefused).toHaveBeenCalledOnce()
  })
}

test('a request that was answered leaves no timer', async () => {
  vi.useFakeTimers()
  try {
    answer([Response.json([]), refusal(422, 'VALIDATION')])
    await consoleCall(savedFilters.list, { query: { list: 'users' } })
    await expect(act()).rejects.toThrow('VALIDATION')
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
