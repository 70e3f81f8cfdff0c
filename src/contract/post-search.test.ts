import { expect, test } from 'vitest'
import { POST_SEARCH_MAX, postSearch } from './post-search.ts'

test('however it is typed, a search has one spelling', () => {
  for (const typed of [
    'nạp tcoin',
    '  Nạp   TCoin ',
    'NẠP\tTCOIN\n',
    'Nạp TCoin'.normalize('NFD'),
    'nạp/tcoin?',
    'nạp-tcoin…',
  ]) {
    expect(postSearch(typed)).toBe('nạp tcoin')
  }
})

test('it is never longer than what counts, and its own spelling', () => {
  const long = postSearch('đường '.repeat(40))
  expect([...long].length).toBeLessThanOrEqual(POST_SEARCH_MAX)
  expect(postSearch(long)).toBe(long)
  expect(postSearch(' ../ ')).toBe('')
})
