import { expect, test } from 'vitest'
import { acceptedBy } from './accepted-encodings.ts'

test('the encodings that a browser accepts', () => {
  expect(acceptedBy('gzip, deflate, br, zstd')).toEqual({ gzip: true, br: true })
  expect(acceptedBy('br;q=0, gzip;q=0.5')).toEqual({ gzip: true, br: false })
  expect(acceptedBy('deflate')).toEqual({ gzip: false, br: false })
  expect(acceptedBy(undefined)).toEqual({ gzip: false, br: false })
})
