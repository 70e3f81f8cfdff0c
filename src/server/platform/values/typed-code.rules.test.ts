import { expect, test } from 'vitest'
import { codesTyped, hasMarks } from './typed-code.rules.ts'

const isCode = (text: string) => /^[A-HJKMNP-Z2-9]{12}$/.test(text)
const read = (typed: string) => codesTyped(typed, isCode)

test.each([
  ['blanks', 'abcd efgh\u00a0jkmn'],
  ['dashes of any kind', 'ABCD–EFGH—JKMN'],
  ['quotes', '“ABCD-EFGH-JKMN”'],
  ['stops and signs', 'ABCD.EFGH/JKMN;*'],
  ['what cannot be seen', '\ufeffABCD\u200b-\u00adEFGH\u2060-JKMN\u200e'],
  ['full-width letters', 'ＡＢＣＤ－ＥＦＧＨ－ＪＫＭＮ'],
  ['a line break', 'ABCD-EFGH\r\n-JKMN'],
])('a code is read with %s', (_what, typed) => {
  expect(read(typed)).toEqual(['ABCDEFGHJKMN'])
})

/** What a keyboard for Vietnamese shows of the code. */
test.each([
  ['Telex: W alone', 'WHMWABCDEFGH', 'ưhmưabcdefgh'],
  ['Telex: UW', 'UWHMABCDEFGH', 'ưhmabcdefgh'],
  ['Telex: AA', 'BAAK2345EFGH', 'bâk2345efgh'],
  ['Telex: AW', 'BAWK2345EFGH', 'băk2345efgh'],
  ['Telex: EE', 'BEEK2345CFGH', 'bêk2345cfgh'],
  ['Telex: DD', 'DDKH2345CFGH', 'đkh2345cfgh'],
  ['Telex: a tone', 'BAS22345CFGH', 'bá22345cfgh'],
  ['Telex: a tone behind the word', 'BATS2345CFGH', 'bát2345cfgh'],
  ['Telex: a letter and a tone', 'BEETJ345CFGH', 'bệt345cfgh'],
  ['Telex: grave', 'HUYFBCD23456', 'hùybcd23456'],
  ['Telex: hook', 'BARK2345CGHH', 'bảk2345cghh'],
  ['Telex: tilde', 'BAXK2345CGHH', 'bãk2345cghh'],
  ['Telex: in capitals', 'WHMWABCDEFGH', 'ƯHMƯABCDEFGH'],
  ['Telex: decomposed', 'BAAK2345EFGH', 'bâk2345efgh'.normalize('NFD')],
  ['Telex: a mark later in the word', 'TAMW2345CFGH', 'tăm2345cfgh'],
  ['Telex: a mark taken away again', 'BAAAKM23CFGH', 'baakm23cfgh'],
  ['Telex: W twice', 'WWHMABCD2345', 'whmabcd2345'],
  ['VNI: a digit for a mark', 'BA6K2345EFGH', 'bâk2345efgh'],
  ['VNI: D9', 'D9KH2345CFGH', 'đkh2345cfgh'],
  ['VNI: a tone', 'BA2KMNPQCFGH', 'bàkmnpqcfgh'],
  ['VNI: U7', 'U7HMABCDEFGH', 'ưhmabcdefgh'],
  ['VNI: A8', 'BA8KMNPQCFGH', 'băkmnpqcfgh'],
  ['VNI: two digits', 'BE65KMNPCFGH', 'bệkmnpcfgh'],
])('%s: %s typed as %s is found', (_what, code, shown) => {
  expect(read(shown)).toContain(code)
})

test('readings are few, whatever is typed', () => {
  for (const typed of [
    'ậ'.repeat(6),
    'ươ'.repeat(40),
    `a${'\u0301'.repeat(150)}`,
    'đ'.repeat(200),
    'x'.repeat(5_000),
  ]) {
    const began = performance.now()
    expect(read(typed).length).toBeLessThanOrEqual(600)
    expect(performance.now() - began).toBeLessThan(1_000)
  }
})

test('what cannot be a code has no reading', () => {
  for (const typed of ['', 'ABCD', 'ABCD-EFGH-JKM0', 'мама-мыла-раму', '忍者'])
    expect(read(typed)).toEqual([])
  expect(hasMarks('ưhmư')).toBe(true)
  expect(hasMarks('“ABCD–EFGH”')).toBe(false)
})
