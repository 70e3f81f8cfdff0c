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
