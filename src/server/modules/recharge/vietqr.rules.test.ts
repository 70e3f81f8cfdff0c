import * as fc from 'fast-check'
import jsQR from 'jsqr'
import { PNG } from 'pngjs'
import QRCode from 'qrcode'
import { QRPay } from 'vietnam-qr-pay'
import { describe, expect, test } from 'vitest'
import refusedVectors from './vietqr-refused.vectors.json' with { type: 'json' }
import vectors from './vietqr.vectors.json' with { type: 'json' }
import { decodeVietQr, encodeVietQr, VietQrFieldError } from './vietqr.rules.ts'
import type { VietQr, VietQrField, VietQrInput } from './vietqr.rules.ts'

type Fields = (typeof vectors)[number]['fields']

/** What a vector's tags mean, independent of the decoder under test. */
function meaningOf(fields: Fields): VietQr {
  const more: Record<string, string | undefined> = fields['62'] ?? {}
  const meaning = {
    bin: fields['38']['01']['00'],
    account: fields['38']['01']['01'],
    service: fields['38']['02'],
    initiation: fields['01'],
    ...(fields['54'] && { amount: Number(fields['54']) }),
    ...(more['01'] && { bill: more['01'] }),
    ...(more['05'] && { reference: more['05'] }),
    ...(more['08'] && { memo: more['08'] }),
    ...(fields['80'] && { extra: { '80': fields['80'] } }),
  }
  return meaning as VietQr
}

function crc16(text: string): string {
  return QRPay.genCRCCode(text)
}

const UPPER = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789']
const upperText = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...UPPER), minLength: 1, maxLength })
const printable = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 25 })
const anyInput: fc.Arbitrary<VietQrInput> = fc.record(
  {
    bin: fc.stringMatching(/^\d{6}$/),
    account: upperText(19),
    amount: fc.integer({ min: 1, max: 9_999_999_999_999 }),
    memo: printable,
    reference: printable,
    bill: printable,
    service: fc.constantFrom('QRIBFTTA' as const, 'QRIBFTTC' as const),
    initiation: fc.constantFrom('11' as const, '12' as const),
    extra: fc.dictionary(fc.constantFrom('80', '81', '99'), upperText(30), { minKeys: 1 }),
  },
  { requiredKeys: ['bin', 'account'] },
)

function oracleText(input: VietQrInput): string {
  const oracle = QRPay.initVietQR({
    bankBin: input.bin,
    bankNumber: input.account,
    amount: input.amount?.toString(),
    purpose: input.memo,
    service: input.service as never,
    initMethod: input.initiation,
  })
  oracle.additionalData.reference = input.reference
  oracle.additionalData.billNumber = input.bill
  for (const [tag, value] of Object.entries(input.extra ?? {})) oracle.setUnreservedField(tag as never, value)
  return oracle.build()
}

describe('the known codes', () => {
  test('there are 20 to read and 8 to refuse', () => {
    expect([vectors.length, refusedVectors.length]).toEqual([20, 8])
  })

  test.each(vectors)('$name: read, and written back byte for byte', ({ payload, fields }) => {
    const decoded = decodeVietQr(payload)
    expect(decoded).toEqual({ ok: true, qr: meaningOf(fields) })
    const upperCaseCrc = payload.slice(0, -4) + payload.slice(-4).toUpperCase()
    expect(encodeVietQr(meaningOf(fields))).toBe(upperCaseCrc)
  })

  test.each(refusedVectors)('$name: refused', ({ payload, reason }) => {
    expect(decodeVietQr(payload)).toEqual({ ok: false, reason })
  })
})

describe('any code', () => {
  test('is the one an independent generator makes, and both readers read it back', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const text = encodeVietQr(input)
        expect(text).toBe(oracleText(input))
        const decoded = decodeVietQr(text)
        expect(decoded).toEqual({
          ok: true,
          qr: { service: 'QRIBFTTA', initiation: input.amount === undefined ? '11' : '12', ...input },
        })
        const oracle = new QRPay(text)
        expect(oracle.isValid).toBe(true)
        expect(oracle.consumer).toMatchObject({ bankBin: input.bin, bankNumber: input.account })
        expect([oracle.amount, oracle.additionalData.purpose]).toEqual([input.amount?.toString(), input.memo])
      }),
      { numRuns: 500 },
    )
  })

  test('with tags that are not ours returns them, inside and outside the additional fields', () => {
    const input = {
      bin: '970436',
      account: '0011000000001',
      memo: 'TCX7K2QF9XAMM',
      extra: { '52': '5816', '59': 'CONG NINJA', '60': 'HA NOI', '62-07': 'WEB', '80': '046' },
    }
    const text = encodeVietQr(input)
    expect(text).toContain('62240703WEB0813TCX7K2QF9XAMM8003046')
    expect(decodeVietQr(text)).toEqual({ ok: true, qr: { ...input, service: 'QRIBFTTA', initiation: '11' } })
  })

  test('is refused with any one character replaced', () => {
    const replacements = [...Array.from({ length: 95 }, (_, at) => String.fromCharCode(0x20 + at)), 'đ', '\n']
    const misread: string[] = []
    for (const { payload } of vectors.filter((_, at) => at % 4 === 0)) {
      for (let at = 0; at < payload.length; at += 1) {
        for (const replacement of replacements) {
          const spoilt = payload.slice(0, at) + replacement + payload.slice(at + 1)
          // The CRC's hexadecimal digits mean the same in either case.
          const isSame =
            spoilt.slice(0, -4) === payload.slice(0, -4) && spoilt.toUpperCase() === payload.toUpperCase()
          if (!isSame && decodeVietQr(spoilt).ok) misread.push(spoilt)
        }
      }
    }
    expect(misread).toEqual([])
  })

  test('is refused cut short or with something after its end', () => {
    for (const { payload } of vectors) {
      for (let end = 0; end < payload.length; end += 1)
        expect(decodeVietQr(payload.slice(0, end)).ok).toBe(false)
      for (const tail of ['0', ' ', '8001A', payload]) expect(decodeVietQr(payload + tail).ok).toBe(false)
    }
  })

  test('never makes the reader throw', () => {
    const anyText = fc.oneof(fc.string({ maxLength: 600 }), fc.stringMatching(/^(\d{4}[A-Z]{0,9}){0,9}$/))
    fc.assert(
      fc.property(anyText, (text) => {
        // A right CRC lets the text through to the walk over its objects.
        for (const each of [text, text + crc16(text)]) expect(decodeVietQr(each).ok).toBe(false)
      }),
    )
  })
})

describe('a code with a right CRC is still refused when', () => {
  const object = (tag: string, value: string) => tag + String(value.length).padStart(2, '0') + value
  const head = '000201010211'
  const template = '38530010A0000007270123000697041601092576788590208QRIBFTTA'
  const beneficiary = 'A0000007270123000697041601092576788590208QRIBFTTA'
  const longBeneficiary = 'A0000007270129000697041601092576788590202XX0208QRIBFTTA'
  const tail = '53037045802VN'
  const full = head + template + tail
  test.each([
    ['its version is not 01', `000202010211${template}${tail}`, 'version'],
    ['the version does not come first', `010211000201${template}${tail}`, 'structure'],
    ['it has no tag about reuse', `000201${template}${tail}`, 'initiation'],
    ['its reuse is unknown', `000201010213${template}${tail}`, 'initiation'],
    ['it names no beneficiary', head + tail, 'template'],
    ['another scheme is named', full.replace('A000000727', 'A000000728'), 'template'],
    ['the template holds one thing more', `${head}38590010${beneficiary}0302XX${tail}`, 'template'],
    ['the beneficiary holds one thing more', `${head}38590010${longBeneficiary}${tail}`, 'template'],
    ['a letter of it is not plain', `${full}${object('59', 'CỔNG NINJA')}`, 'characters'],
    ['the BIN holds a letter', full.replace('970416', '97O416'), 'bin'],
    ['the account holds a small letter', full.replace('257678859', '25767885a'), 'account'],
    ['a tag comes twice', full + object('58', 'VN'), 'structure'],
    ['a value is empty', full + object('59', ''), 'structure'],
    ['a tag is not a number', full + object('5A', 'X'), 'structure'],
    ['the amount is zero', full + object('54', '0'), 'amount'],
    ['the amount begins with a zero', full + object('54', '050'), 'amount'],
    ['the amount has a fraction', full + object('54', '10.5'), 'amount'],
    ['the amount has 14 digits', full + object('54', '10000000000000'), 'amount'],
    ['the country is another', full.replace('5802VN', '5802US'), 'country'],
    ['the memo has 26 characters', full + object('62', object('08', 'A'.repeat(26))), 'memo'],
    ['the additional fields are torn', full + object('62', '0813A'), 'structure'],
  ])('%s', (_why, open, reason) => {
    expect(decodeVietQr(`${open}6304${crc16(`${open}6304`)}`)).toEqual({ ok: false, reason })
  })

  test('the CRC does not stand in tag 63', () => {
    const open = `${full}6404`
    expect(decodeVietQr(open + crc16(open))).toEqual({ ok: false, reason: 'structure' })
  })

  test('it is longer than a code may be', () => {
    const more = [80, 81, 82, 83, 84].map((tag) => `${tag}99${'A'.repeat(99)}`).join('')
    const open = `${full}${more}6304`
    expect(decodeVietQr(open + crc16(open))).toEqual({ ok: false, reason: 'too-long' })
  })

  test('nothing of the above is wrong, it is read', () => {
    const open = `${full}6304`
    expect(decodeVietQr(open + crc16(open)).ok).toBe(true)
  })
})

describe('the writer refuses, naming the field', () => {
  const good: VietQrInput = { bin: '970436', account: '0011000000001', amount: 50_000, memo: 'TCX7K2QF9XAMM' }
  test.each<[VietQrField, Partial<VietQrInput>]>([
    ['bin', { bin: '' }],
    ['bin', { bin: '97043' }],
    ['account', { account: '' }],
    ['account', { account: '0011 000' }],
    ['account', { account: '1'.repeat(20) }],
    ['amount', { amount: 0 }],
    ['amount', { amount: -1 }],
    ['amount', { amount: 12.5 }],
    ['amount', { amount: Number.NaN }],
    ['amount', { amount: Number.POSITIVE_INFINITY }],
    ['amount', { amount: 10_000_000_000_000 }],
    ['memo', { memo: '' }],
    ['memo', { memo: 'A'.repeat(26) }],
    ['memo', { memo: 'nạp tiền' }],
    ['memo', { memo: 'A\nB' }],
    ['reference', { reference: 'A'.repeat(26) }],
    ['bill', { bill: '\u0000' }],
    ['service', { service: 'QRPUSH' as never }],
    ['initiation', { initiation: '13' as never }],
    ['extra', { extra: { '54': '1' } }],
    ['extra', { extra: { '63': 'AAAA' } }],
    ['extra', { extra: { '62-08': 'A' } }],
    ['extra', { extra: { '8': 'A' } }],
    ['extra', { extra: { '80': '' } }],
    ['extra', { extra: { '80': 'A'.repeat(100) } }],
    ['extra', { extra: { '62-02': 'A'.repeat(25), '62-03': 'A'.repeat(25), '62-07': 'A'.repeat(25) } }],
    [
      'extra',
      { extra: Object.fromEntries(['80', '81', '82', '83', '84'].map((tag) => [tag, 'A'.repeat(99)])) },
    ],
  ])('%s: %j', (field, change) => {
    let thrown: unknown
    try {
      encodeVietQr({ ...good, ...change })
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(VietQrFieldError)
    expect(thrown).toMatchObject({ field })
  })
})

test.each(vectors.filter(({ payload }) => /TCX|MOMOW2W/.test(payload)))(
  'the picture of "$name" is read back to its text, with four modules of white around it',
  async ({ payload }) => {
    const scale = 6
    const file = await QRCode.toBuffer(payload, { errorCorrectionLevel: 'M', margin: 4, scale })
    const { data, width, height } = PNG.sync.read(file)
    expect(jsQR(new Uint8ClampedArray(data), width, height)?.data).toBe(payload)
    const isDark = (at: number) => data[4 * (at * width + at)] === 0
    const firstDark = Array.from({ length: width }, (_, at) => at).find(isDark)
    expect(firstDark).toBe(4 * scale)
  },
)
