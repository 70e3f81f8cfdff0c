import { expect, test } from 'vitest'
import { readAddress, writeAddress, type ListAddress } from '#admin/kit/list-address.ts'

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
