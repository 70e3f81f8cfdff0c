import { Writable } from 'node:stream'
import type pino from 'pino'
import { expect, test } from 'vitest'
import { openLog } from './log.ts'

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
