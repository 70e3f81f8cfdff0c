import { expect, test } from 'vitest'
import { FairLine } from './fair-queue.ts'

const lineOf = (...keys: string[]) => {
  const line = new FairLine<string>()
  for (const [index, key] of keys.entries()) line.add(key, `${key}${index}`)
  return line
}

const rest = (line: FairLine<string>) => Array.from({ length: line.size }, () => line.next())

test('keys are served in turn, those of one key in their order', () => {
  const line = lineOf('a', 'a', 'a', 'b', 'c', 'c')
  expect(line.size).toBe(6)
  expect(rest(line)).toEqual(['a0', 'b3', 'c4', 'a1', 'c5', 'a2'])
  expect(line.next()).toBeUndefined()
})

test('who left is not served', () => {
  const line = lineOf('a', 'a', 'b')
  line.remove('a', 'a0')
  line.remove('a', 'a0')
  line.remove('b', 'b2')
  expect(line.size).toBe(1)
  expect(rest(line)).toEqual(['a1'])
})

test('how many are served before one more is told by what really is', () => {
  for (const keys of ['', 'a', 'aaab', 'abab', 'aabbbbc', 'abc']) {
    for (const key of ['a', 'b', 'z']) {
      const line = lineOf(...keys)
      const ahead = line.aheadOf(key)
      line.add(key, 'the one')
      expect([keys, key, ahead]).toEqual([keys, key, rest(line).indexOf('the one')])
    }
  }
})

test('the last of the longest line makes room for a shorter one, and for none that would be as long', () => {
  const line = lineOf('a', 'a', 'a', 'b')
  expect(line.lastOfLongest('c')).toBe('a2')
  expect(line.lastOfLongest('b')).toBe('a2')
  expect(line.lastOfLongest('a')).toBeUndefined()
  line.add('b', 'b4')
  expect(line.lastOfLongest('b')).toBeUndefined()
  expect(lineOf().lastOfLongest('a')).toBeUndefined()
})
