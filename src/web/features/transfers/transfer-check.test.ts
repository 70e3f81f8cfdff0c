import { describe, expect, test } from 'vitest'
import { checkTransfer, type TransferForm } from './transfer-check.ts'

const terms = { username: 'HoangTuan', balance: 100_000, activeFee: 20_000, min: 100, dailyLimit: 5_000_000 }
const form: TransferForm = { payee: 'ngocanh95', amount: 50_000, activate: false }

const check = (change: Partial<TransferForm>, other: Partial<typeof terms> = {}) =>
  checkTransfer({ ...form, ...change }, { ...terms, ...other })

describe('a transfer before it is sent', () => {
  test('has no problem when all is well, down to the last coin', () => {
    expect(check({})).toEqual({})
    expect(check({ amount: 100_000 })).toEqual({})
    expect(check({ payee: '  ngocanh95 ' })).toEqual({})
  })

  test('needs a payee with the messages of the specification', () => {
    expect(check({ payee: '' }).payee).toBe('Không được bỏ trống')
    expect(check({ payee: 'abc' }).payee).toBe('Tối thiểu 5 ký tự')
    expect(check({ payee: 'a'.repeat(21) }).payee).toBe('Tối đa 20 ký tự')
  })

  test('does not go to oneself, in whatever case', () => {
    expect(check({ payee: 'hoangtuan' }).payee).toBe('Bạn không thể chuyển TCoin cho chính mình')
  })

  test('needs an amount within the limits', () => {
    expect(check({ amount: null }).amount).toBe('Vui lòng nhập số TCoin')
    expect(check({ amount: 0 }).amount).toBe('Số tiền phải lớn hơn 0')
    expect(check({ amount: 99 }).amount).toBe('Chuyển tối thiểu 100 TCoin')
    expect(check({ amount: 5_000_001 }, { balance: 9_000_000 }).amount).toBe(
      'Mỗi ngày chuyển tối đa 5,000,000 TCoin',
    )
  })

  test('shows how much is missing', () => {
    expect(check({ amount: 100_001 })).toEqual({
      amount: 'Bạn còn thiếu: 1, vui lòng nạp thêm tiền',
      missing: 1,
    })
  })

  test('covers the fee when it is to activate the payee', () => {
    expect(check({ amount: 19_999, activate: true }).amount).toBe(
      'Số TCoin phải đủ phí kích hoạt 20,000 TCoin',
    )
    expect(check({ amount: 20_000, activate: true })).toEqual({})
    expect(check({ amount: 19_999 })).toEqual({})
  })
})
