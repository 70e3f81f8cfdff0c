import { expect, test } from 'vitest'
import { filterOf } from '#admin/kit/filter-bar.tsx'

test('a filter is sent as the type that its call wants', () => {
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
