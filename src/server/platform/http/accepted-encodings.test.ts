import { expect, test } from 'vitest'
import { encodingFor } from './accepted-encodings.ts'

test('the encodings that a browser accepts', () => {
  expect(encodingFor('gzip, deflate, br, zstd')).toBe('br')
  expect(encodingFor('br;q=0, gzip;q=0.5')).toBe('gzip')
  expect(encodingFor('deflate')).toBe('identity')
  expect(encodingFor(undefined)).toBe('identity')
})
