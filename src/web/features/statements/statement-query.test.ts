import { describe, expect, test } from 'vitest'
import {
  apiQueryOf,
  changeView,
  EVERYTHING,
  filterCount,
  isFiltered,
  isReversed,
  readView,
  writeView,
  chipOf,
  daysOf,
} from './statement-query.ts'

const read = (text: string) => readView(new URLSearchParams(text))

describe('the view in the address', () => {
  test('survives writing and reading', () => {
    const view = {
      page: 3,
      sort: 'amount-asc',
      search: 'ngọc ánh & 5%',
      type: 'exchange',
      from: '2026-11-01',
      to: '2026-11-21',
    } as const
    expect(readView(new URLSearchParams(String(writeView(view))))).toEqual(view)
  })

  test('is empty for everything, the newest first', () => {
    expect(String(writeView(EVERYTHING))).toBe('')
    expect(read('')).toEqual(EVERYTHING)
  })

  test.each([
    'page=0',
    'page=-2',
    'page=1.5',
    'page=abc',
    'page=99999999999',
    'sort=balance-asc',
    'type=theft',
    'from=21/11/2026',
    'from=2026-02-31',
    'to=2026-13-01',
  ])('passes over %s, which makes no sense', (text) => {
    expect(read(text)).toEqual(EVERYTHING)
  })

  test('limits the search text', () => {
    expect(read(`search=${'a'.repeat(200)}`).search).toHaveLength(64)
  })
})

test('another filter starts at the first page, turning pages does not change the filter', () => {
  const view = read('type=recharge&page=4')
  expect(changeView(view, { search: 'x' })).toMatchObject({ type: 'recharge', search: 'x', page: 1 })
  expect(changeView(view, { page: 5 })).toMatchObject({ type: 'recharge', page: 5 })
})

test('the API receives its own names, and no filter that is not set', () => {
  expect(apiQueryOf(read('sort=amount-desc&type=gift&from=2026-11-01'))).toEqual({
    page: 1,
    items_per_page: 20,
    sort: 'amount',
    order: 'desc',
    search: undefined,
    filter_type: 'gift',
    filter_from: '2026-11-01',
    filter_to: undefined,
  })
})

test('a range that ends before it begins is noticed', () => {
  expect(isReversed(read('from=2026-11-02&to=2026-11-01'))).toBe(true)
  expect(isReversed(read('from=2026-11-01&to=2026-11-01'))).toBe(false)
  expect(isReversed(read('to=2026-11-01'))).toBe(false)
})

test('sorting and paging are no filters', () => {
  expect(isFiltered(read('sort=amount-asc&page=2'))).toBe(false)
  expect(isFiltered(read('search=x'))).toBe(true)
})

test('hidden filters are counted; days of a chip are not', () => {
  expect(filterCount(EVERYTHING, true)).toBe(0)
  expect(filterCount(read('from=2026-11-23'), true)).toBe(0)
  expect(filterCount(read('from=2026-11-20&to=2026-11-22&type=gift&search=x&sort=amount-asc'), false)).toBe(4)
})

/** Already the 23rd in Vietnam. */
const now_ms = Date.parse('2026-11-22T17:30:00Z')

test('a chip selects the days up to today in Vietnam', () => {
  expect(daysOf(1, now_ms)).toEqual({ from: '2026-11-23', to: '' })
  expect(daysOf(7, now_ms)).toEqual({ from: '2026-11-17', to: '' })
  expect(daysOf(30, now_ms)).toEqual({ from: '2026-10-25', to: '' })
  expect(daysOf(null, now_ms)).toEqual({ from: '', to: '' })
})

test('days in the address select their chip, and other days none', () => {
  for (const chip of [1, 7, 30, null] as const) expect(chipOf(daysOf(chip, now_ms), now_ms)).toBe(chip)
  expect(chipOf({ from: '2026-11-22', to: '' }, now_ms)).toBeUndefined()
  expect(chipOf({ from: '2026-11-23', to: '2026-11-23' }, now_ms)).toBeUndefined()
  expect(chipOf({ from: '', to: '2026-11-23' }, now_ms)).toBeUndefined()
})
