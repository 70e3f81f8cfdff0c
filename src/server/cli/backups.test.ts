import { expect, test } from 'vitest'
import { backupOptions, fillOptions } from './backups.ts'
import { UsageError } from './with-portal.ts'

const words = (text: string) => text.split(' ').filter((word) => word !== '')

test('the numbers of players and entries are read, and a seed where one is given', () => {
  expect(fillOptions(words('--players 1000000 --entries 10'))).toEqual({
    players: 1_000_000,
    entries: 10,
    seed: 1,
  })
  expect(fillOptions(words('--seed 9 --entries 3 --players 5'))).toEqual({ players: 5, entries: 3, seed: 9 })
})

test.each([
  '',
  '--players 5',
  '--players 0 --entries 1',
  '--players x --entries 1',
  '--players 1.5 --entries 1',
  '--all',
])('anything else is a wrong call: %s', (text) => {
  expect(() => fillOptions(words(text))).toThrow(UsageError)
})

test('a number that no machine has room for is refused', () => {
  expect(() => fillOptions(words('--players 9000000 --entries 1'))).toThrow(
    '9000000 is more than fill makes: give at most 5000000',
  )
})

test('a backup goes into a file, or into a folder of which the newest are kept', () => {
  expect(backupOptions(words('/b/one'))).toMatchObject({ file: '/b/one', folder: undefined })
  expect(backupOptions(words('--into /b --keep 3'))).toEqual({ file: '', folder: '/b', keep: 3 })
  expect(backupOptions(words('--into /b'))).toEqual({ file: '', folder: '/b', keep: 14 })
})

test.each([
  '',
  '/b/one /b/two',
  '/b/one --into /b',
  '/b/one --keep 3',
  '--into /b --keep 0',
  '--into /b --all',
])('any other call of backup is a wrong one: %s', (text) => {
  expect(() => backupOptions(words(text))).toThrow(UsageError)
})
