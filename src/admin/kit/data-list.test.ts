import { expect, test } from 'vitest'
import { filterOf } from './filter-bar.tsx'
import { type ListAddress, readAddress, writeAddress } from './list-address.ts'

const USUAL = ['id', 'DESC'] as const
const start: ListAddress = { sort: USUAL, page: 1, after: null, filter: {}, hidden: [] }

test.each<[string, Partial<ListAddress>]>([
  ['', {}],
  ['page=3', { page: 3 }],
  ['sort=amount', { sort: ['amount', 'ASC'] }],
  ['sort=-amount', { sort: ['amount', 'DESC'] }],
  ['status=paid&user=an', { filter: { status: 'paid', user: 'an' } }],
  ['page=401&after=TCX1', { page: 401, after: 'TCX1' }],
  ['hidden=rate%2Cstatus', { hidden: ['rate', 'status'] }],
])('the address %o is read, and written the same', (text, change) => {
  const address = { ...start, ...change }
  expect(readAddress(new URLSearchParams(text), USUAL)).toEqual(address)
  expect(writeAddress(address, USUAL).toString()).toBe(text)
})

test.each(['page=0', 'page=-1', 'page=1.5', 'page=x', 'sort=%3Cb%3E', 'status='])(
  'what is no address of a list (%s) counts for nothing',
  (text) => expect(readAddress(new URLSearchParams(text), USUAL)).toEqual(start),
)

test('a filter is sent as the type that its call needs', () => {
  const filters = [
    { name: 'q', label: '' },
    { name: 'amount', label: '', type: 'number' },
    { name: 'open', label: '', type: 'flag' },
    { name: 'shown', label: '', type: 'flag' },
  ] as const
  const values = { q: '10', amount: '10', open: 'true', shown: 'false', unlisted: '1' }
  expect(filterOf(filters, values)).toEqual({ q: '10', amount: 10, open: true, shown: false, unlisted: '1' })
})

test('where a choice is made for the reader, it is sent, and what they choose goes before it', () => {
  const usual = ({ q }: Record<string, string>) => (q ? 'all' : 'review')
  const filters = [{ name: 'state', label: '', options: [], usual }]
  expect(filterOf(filters, {})).toEqual({ state: 'review' })
  expect(filterOf(filters, { q: 'TCX' })).toEqual({ q: 'TCX', state: 'all' })
  expect(filterOf(filters, { state: 'all' })).toEqual({ state: 'all' })
  expect(filterOf(filters, { q: 'TCX', state: 'review' })).toEqual({ q: 'TCX', state: 'review' })
})
