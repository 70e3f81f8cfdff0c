import { describe, expect, test } from 'vitest'
import { createEventReader } from './event-stream.ts'

function read(...pieces: string[]): string[] {
  const events: string[] = []
  const push = createEventReader((data) => events.push(data))
  for (const piece of pieces) push(piece)
  return events
}

test('an event has its own id alone', () => {
  const events: (readonly [string, string | null])[] = []
  const push = createEventReader((data, id) => events.push([data, id]))
  push('id: 7\ndata: a\n\n: \n\ndata: b\n\ndata: c\nid:8\n\n')
  expect(events).toEqual([
    ['a', '7'],
    ['b', null],
    ['c', '8'],
  ])
})

describe('a stream of events', () => {
  test('gives one event per block, whatever comes beside the data', () => {
    expect(read('event: order\nid: 7\ndata: {"a":1}\n\ndata:{"a":2}\n\n')).toEqual(['{"a":1}', '{"a":2}'])
  })

  test('ignores heartbeats and blocks without data', () => {
    expect(read(': still here\n\n', 'retry: 2000\n\n', 'data: x\n\n')).toEqual(['x'])
  })

  test('may be cut anywhere, even within a line end', () => {
    const text = 'data: một\r\n\r\ndata: hai\r\n\r\n'
    for (let cut = 1; cut < text.length; cut += 1) {
      expect(read(text.slice(0, cut), text.slice(cut))).toEqual(['một', 'hai'])
    }
    expect(read(...text)).toEqual(['một', 'hai'])
  })

  test('joins the lines of one event, empty ones included', () => {
    expect(read('data: a\ndata\ndata: b\n\n')).toEqual(['a\n\nb'])
  })

  test('gives nothing of an event that is not finished', () => {
    expect(read('data: a\n')).toEqual([])
  })
})
