import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bytesOf, commonPiece, ownPiece, zippedQuickly } from './page-responses.ts'

const style = 'p{color:red}'.repeat(4_000)
const text = 'Hội đèn lồng <b>'.repeat(2_000)

test.each([
  ['own and common pieces', [commonPiece('<html>'), ownPiece(text), commonPiece(style), ownPiece('</html>')]],
  ['empty pieces', [ownPiece(''), commonPiece(''), ownPiece('x')]],
  ['nothing', []],
])('%s are one gzip file, which reads back the same', (_what, pieces) => {
  expect(gunzipSync(zippedQuickly(pieces)).equals(bytesOf(pieces))).toBe(true)
})

test('what is common is not compressed again', () => {
  const common = commonPiece(style)
  const zipped = zippedQuickly([ownPiece('a'), common])
  expect(zipped.includes(common.deflated as Buffer)).toBe(true)
  expect(zipped.length).toBeLessThan(style.length / 10)
})
