import { expect, test } from 'vitest'
import { shortReference } from './short-reference.ts'

test('the code of an order and a number are shown whole, the id of a purchase by its beginning', () => {
  expect(shortReference('TCX7K2QF9XAMM')).toEqual({ shown: 'TCX7K2QF9XAMM', isCut: false })
  expect(shortReference('10427')).toEqual({ shown: '10427', isCut: false })
  const id = '0198f5a2-6d7b-7c3e-9a51-3f2b8d90c4e1'
  expect(shortReference(id)).toEqual({ shown: '0198f5a2', isCut: true })
})
