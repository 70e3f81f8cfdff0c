import { expect, test } from 'vitest'
import { openLog, UnusableRows } from './log.ts'
import { dateTimeOf, momentOf, readNames, readNumber, readSmallNumber } from './values.ts'
import type { Schema } from './schema.ts'
import { readLevel } from './sources.ts'
import { columnsBehind } from './views.ts'
import { indexStatement, missingIndexes } from './tables.ts'
import { listOf } from './database.ts'

test('numbers are read whatever their column is, and not where they are none', () => {
  expect([7, '7', '7.00', null, '', '-1', '2147483648'].map(readNumber)).toEqual([
    7, 7, 7, 0, 0, -1, 2_147_483_648,
  ])
  for (const none of ['9007199254740993', '7x', '7.5', 1.5, '1e9', {}])
    expect(readNumber(none)).toBeUndefined()
  expect([-1, 3, 100_001, 'x', null].map(readSmallNumber)).toEqual([0, 3, 0, 0, 0])
})

test('lists of names are read from JSON, and are none where they are broken', () => {
  expect(readNames('["kiemgia","tansinh","kiemgia"]')).toEqual(['kiemgia', 'tansinh'])
  expect(readNames(Buffer.from('["kiếm"]'))).toEqual(['kiếm'])
  for (const empty of [null, '', ' ', '[]']) expect(readNames(empty)).toEqual([])
  for (const broken of ['["kiem', '{}', '[1]', '[""]', '"kiem"', '[{"name":"x"}]', 7]) {
    expect(readNames(broken)).toBeUndefined()
  }
})

test('moments go to the database and back in UTC', () => {
  const iso = '2026-11-26T01:02:03.450Z'
  expect(momentOf(dateTimeOf(new Date(iso)))).toBe(iso)
  expect(momentOf('2026-11-26 01:02:03')).toBe('2026-11-26T01:02:03.000Z')
  expect([null, undefined, '0000', 7].map(momentOf)).toEqual([null, null, null, null])
})

test('an index that begins with the wanted columns will do, and long texts are indexed by their beginning', () => {
  const wanted = { table: 'Ninja', columns: ['Name'], name: 'portal_Name' }
  const column = {
    name: 'name',
    type: 'varchar',
    fullType: 'varchar(255)',
    length: 255,
    charset: '',
    collation: '',
    isCounted: false,
  }
  const having = (...indexes: string[][]): Schema => ({
    database: 'game',
    tables: [
      {
        database: 'game',
        name: 'ninja',
        path: 'ninja',
        engine: 'InnoDB',
        rows: 1,
        columns: new Map([['name', column]]),
        indexes: indexes.map((columns) => ({ columns, isUnique: false, isPrimary: false })),
        behind: null,
      },
    ],
  })
  expect(missingIndexes(having(['name', 'level']), [wanted])).toEqual([])
  expect(missingIndexes(having(['level', 'name']), [wanted])).toEqual([wanted])
  expect(missingIndexes(having(), [wanted])).toEqual([wanted])
  expect(indexStatement(having(), wanted)).toBe('CREATE INDEX `portal_Name` ON `Ninja` (`Name`(64))')
})

test('a level is the number of thresholds that were reached, and none in a game without levels', () => {
  const power = { column: 'power', thresholds: [0, 1_000, 100_000_000_000] }
  const levels = ['-5', 0, '999', 1_000, '99999999999', '100000000000', 2e12].map((value) =>
    readLevel(power, value),
  )
  expect(levels).toEqual([0, 1, 1, 2, 2, 3, 3])
  expect(readLevel(null, 7)).toBeNull()
  expect(readLevel('level', 7)).toBe(7)
})

test('a view says where its columns stand, under another name and in another database', () => {
  const definition =
    'select `a`.`id` AS `id`,`a`.`ten``s` AS `Name`,`p`.`luong` AS `luong`,lower(`a`.`ten`) AS `small` ' +
    'from (`web`.`tai_khoan` `a` join `game`.`p` on((`a`.`id` = `game`.`p`.`id`)))'
  expect([...columnsBehind(definition)]).toEqual([
    ['id', { database: 'web', table: 'tai_khoan', column: 'id' }],
    ['name', { database: 'web', table: 'tai_khoan', column: 'ten`s' }],
    ['luong', { database: 'game', table: 'p', column: 'luong' }],
  ])
})

test('lists of values have few lengths', () => {
  expect(listOf([1, 2, 3])).toEqual({ marks: '?, ?, ?, ?', padded: [1, 2, 3, 3] })
  expect(listOf([1]).padded).toEqual([1])
})

test('an unusable row is reported once, and of an error its message and code only', () => {
  const lines: string[] = []
  const log = openLog((line) => void lines.push(line))
  const rows = new UnusableRows(log)
  rows.report('broken', ['a', 'b', 'c', 'd', 'a'])
  rows.report('broken', ['d', 'a'])
  rows.report('broken', ['e'])
  log.error(
    'failed',
    Object.assign(new Error('no connection'), { code: 'ECONNREFUSED', sql: 'SELECT secret' }),
  )
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: 'warn', event: 'broken', count: 4, first: ['a', 'b', 'c'] },
    { count: 1, first: ['e'] },
    { level: 'error', event: 'failed', code: 'ECONNREFUSED', message: 'no connection' },
  ])
  expect(lines.join('')).not.toContain('SELECT')
})
