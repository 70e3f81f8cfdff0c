import { describe, expect, test } from 'vitest'
import { readEsms, readOnepay, readSmsMo } from './sms-shapes.rules.ts'

const body = {
  message_id: 'mo-0001',
  short_code: '7039',
  msisdn: '84901234567',
  text: 'THN OTP',
  received_at: '2026-11-20T10:00:00+07:00',
  operator: 'VIETTEL',
}
const message = {
  messageId: 'mo-0001',
  msisdn: '84901234567',
  text: 'THN OTP',
  receivedAt: new Date('2026-11-20T03:00:00Z'),
}

describe('the portal’s own shape', () => {
  test('is read, with or without an operator, whatever else it holds', () => {
    for (const given of [body, { ...body, operator: null }, { ...body, more: 1 }]) {
      expect(readSmsMo(given, 'Gateway-1')).toEqual({
        ok: true,
        message: { ...message, provider: 'gateway-1' },
      })
    }
  })

  test.each<[string, Record<string, unknown>]>([
    ['message_id', { message_id: '' }],
    ['message_id', { message_id: 'a b' }],
    ['message_id', { message_id: 'x'.repeat(129) }],
    ['message_id', { message_id: 7 }],
    ['message_id', { message_id: 'a\u0000' }],
    ['short_code', { short_code: 7039 }],
    ['msisdn', { msisdn: 84_901_234_567 }],
    ['msisdn', { msisdn: 'THN' }],
    ['text', { text: undefined }],
    ['text', { text: 'x'.repeat(1_001) }],
    ['received_at', { received_at: '2026-11-20 10:00:00' }],
    ['received_at', { received_at: '2026-11-20T10:00:00' }],
    ['received_at', { received_at: '2026-13-20T10:00:00Z' }],
    ['operator', { operator: 5 }],
  ])('with a wrong %s is refused: %j', (field, change) => {
    expect(readSmsMo({ ...body, ...change }, 'gateway')).toEqual({ ok: false, field })
  })

  test.each([undefined, null, 'text', 5, [body]])('is not %j', (given) => {
    expect(readSmsMo(given, 'gateway')).toEqual({ ok: false, field: '' })
  })

  test.each(['', ' ', 'a b', '-a', 'x'.repeat(33), 'cổng'])('comes from no provider called %j', (name) => {
    expect(readSmsMo(body, name)).toEqual({ ok: false, field: 'X-Sms-Provider' })
  })
})

describe('eSMS’s shape', () => {
  const query = {
    sender: '84901234567',
    content: 'THN OTP',
    serviceNumber: '7039',
    keyword: 'THN',
    cpid: 'abc',
    smsid: '123',
    receiverTime: '20261120100000',
  }

  test('is read, its time as a clock in Vietnam shows it', () => {
    expect(readEsms(query)).toEqual({
      ok: true,
      message: { ...message, provider: 'esms', messageId: 'abc123' },
    })
  })

  test('cut apart elsewhere is the same message: the cut is not signed', () => {
    const read = readEsms({ ...query, cpid: 'abc1', smsid: '23' })
    expect(read).toEqual(readEsms(query))
  })

  test.each(['20261120 10000', '20261320100000', '20260230100000', '20261120240000', '2026-11-20T10:00', ''])(
    'has no time called %j',
    (receiverTime) => {
      expect(readEsms({ ...query, receiverTime })).toEqual({ ok: false, field: 'receiverTime' })
    },
  )

  test.each(['sender', 'content', 'smsid', 'receiverTime', 'cpid'])('is nothing without its %s', (field) => {
    expect(readEsms({ ...query, [field]: undefined })).toEqual({ ok: false, field })
  })
})

describe('1pay’s shape', () => {
  const query = {
    access_key: 'ak_demo',
    command: 'THN',
    mo_message: 'THN OTP',
    msisdn: '84901234567',
    request_id: 'f3a1c9d2',
    request_time: '2026-11-20T03:00:00Z',
    short_code: '7039',
  }

  test('is read', () => {
    expect(readOnepay(query)).toEqual({
      ok: true,
      message: { ...message, provider: '1pay', messageId: 'f3a1c9d2' },
    })
  })

  test('holds no value in which another pair could hide, but the text', () => {
    for (const field of Object.keys(query).filter((name) => name !== 'mo_message')) {
      expect(readOnepay({ ...query, [field]: '1&msisdn=84900000000' }), field).toEqual({ ok: false, field })
    }
  })
})
