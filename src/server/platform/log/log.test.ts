import { execFile } from 'node:child_process'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type pino from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { gathering, openLog, writeRequestLines } from './log.ts'

function logged(write: (log: ReturnType<typeof openLog>) => void): string {
  let text = ''
  const destination = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString()
      done()
    },
  })
  write(openLog('info', destination as unknown as pino.DestinationStream))
  return text
}

test('secrets that come along with an object are cut out by name', () => {
  const text = logged((log) =>
    log.info(
      { password: 'bi-mat-1', body: { access_token: 'bi-mat-2', user: { phone: '0901234567' } } },
      'x',
    ),
  )
  expect(text).not.toMatch(/bi-mat|0901234567/)
})

test('an error is logged with its code, stack and cause, without what hangs on it', () => {
  const cause = new Error('the cause')
  const error = Object.assign(new Error('failed', { cause }), {
    code: '23505',
    detail: 'Key (phone)=(84901234567) already exists.',
    client: { password: 'bi-mat' },
  })
  const line = JSON.parse(logged((log) => log.error({ err: error }, 'x'))) as { err: Record<string, unknown> }
  expect(Object.keys(line.err).sort()).toEqual(['cause', 'code', 'message', 'stack', 'type'])
  expect(line.err).toMatchObject({ code: '23505', message: 'failed', cause: { message: 'the cause' } })
})

test('a line break in what is logged cannot forge a line', () => {
  const text = logged((log) => log.info({ route: 'x\n{"level":"info","msg":"forged"}' }, 'a\r\nb'))
  expect(text.trim().split('\n')).toHaveLength(1)
})

test('a second log adds no listener of the end of the process', () => {
  openLog('silent')
  const listeners = process.listenerCount('exit')
  openLog('silent')
  expect(process.listenerCount('exit')).toBe(listeners)
})

const REQUEST = {
  requestId: 'a',
  method: 'GET',
  route: '/*',
  status: 200,
  ms: 1,
  address: '10.0.0.1',
} as const

test.each([
  [{}, {}],
  [
    { userId: '7', refusal: 'RATE_LIMITED' },
    { userId: '7', refusal: 'RATE_LIMITED' },
  ],
  [{ address: 'no"body\\' }, { address: 'no"body\\' }],
])('the line of a request is what the log itself would write, %j', (more, expected) => {
  const fields = { ...REQUEST, ...more }
  const quick = JSON.parse(logged((log) => writeRequestLines(log)(fields))) as Record<string, unknown>
  const usual = JSON.parse(logged((log) => log.info({ ...REQUEST, ...expected }, 'request'))) as Record<
    string,
    unknown
  >
  expect(quick).toEqual({ ...usual, time: quick['time'] })
  expect(Object.keys(quick)).toEqual(Object.keys(usual))
})

test('lines wait 20 ms for others, and go out at once with a warning or when there are many', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const writes: string[] = []
  const log = openLog('info', gathering({ write: (text) => void writes.push(text) }))
  const messages = () => writes.map((text) => [...text.matchAll(/"msg":"(\w+)"/g)].map(([, word]) => word))
  log.info('one')
  writeRequestLines(log)(REQUEST)
  expect(writes).toEqual([])
  vi.advanceTimersByTime(20)
  expect(messages()).toEqual([['one', 'request']])
  log.info('two')
  log.warn('three')
  expect(messages().slice(1)).toEqual([['two', 'three']])
  writeRequestLines(log)(REQUEST)
  vi.advanceTimersByTime(19)
  expect(messages()).toHaveLength(2)
  for (let line = 0; line < 1_000; line++) log.info('x'.repeat(100))
  expect(messages()[2]?.[0]).toBe('request')
  expect(Math.max(...writes.map(({ length }) => length))).toBeLessThan(65 * 1024)
})

test('a process that fails writes the lines that still wait', async () => {
  const module = fileURLToPath(new URL('log.ts', import.meta.url))
  const program = `const { openLog } = await import(${JSON.stringify(module)})
openLog('info').info('the last line')
throw new Error('nobody catches this')`
  const { promise, resolve } = Promise.withResolvers<string>()
  execFile(process.execPath, ['--input-type=module', '--eval', program], (_error, output) => resolve(output))
  expect(await promise).toContain('the last line')
})
