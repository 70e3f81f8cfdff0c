import { describe, expect, test } from 'vitest'
import type { User } from '#contract/users.ts'
import { checkPurchase, type Wish } from './purchase-check.ts'

const info = { head: 5, headName: null, classId: 1, className: 'Kiếm', level: 92 }
const character = { id: '7', name: 'kiemgia', info }
const choice = { amount: 50_000, receive: 16_500 }
const words = {
  loginFirst: 'Vui lòng đăng nhập để đổi lượng',
  incomplete: 'Vui lòng chọn nhân vật và mệnh giá',
}
const now_ms = Date.parse('2026-11-21T00:00:00Z')

const user: User = {
  id: '1',
  username: 'hoangtuan',
  server_id: '1',
  server_name: 'Trúc Lâm',
  balance: 50_000,
  balance_version: 1,
  ban_until: null,
  ban_reason: null,
  activated: true,
  first_gift: null,
  role_names: [],
  permission_names: [],
  email: null,
  email_verified: false,
  phone: null,
  phone_verified: false,
  unread_texts: [],
  pixel_consent: null,
}

const check = (change: Partial<Wish<typeof choice>>) =>
  checkPurchase({ user, characters: [character], character, choice, words, ...change }, now_ms)

const refused = (reason: string, offer?: string) =>
  offer ? { canConfirm: false, reason, offer } : { canConfirm: false, reason }

describe('a purchase', () => {
  test('may be confirmed when both are chosen and the balance covers it exactly', () => {
    expect(check({})).toEqual({ canConfirm: true, character, choice })
  })

  test('asks a visitor to log in and a player who is not activated to activate', () => {
    expect(check({ user: null })).toEqual(refused('Vui lòng đăng nhập để đổi lượng', 'login'))
    expect(check({ user: { ...user, activated: false } })).toMatchObject({
      canConfirm: false,
      offer: 'activate',
    })
  })

  test('shows how much is missing, to the coin', () => {
    expect(check({ user: { ...user, balance: 38_766 } })).toEqual({
      ...refused('Bạn còn thiếu: 11,234, vui lòng nạp thêm tiền', 'recharge'),
      missing: 11_234,
    })
  })

  test('needs both a character and an amount', () => {
    const incomplete = refused('Vui lòng chọn nhân vật và mệnh giá')
    expect(check({ character: undefined })).toEqual(incomplete)
    expect(check({ choice: undefined })).toEqual(incomplete)
    expect(check({ character: undefined, characters: null })).toEqual(incomplete)
  })

  test('is impossible without any character', () => {
    expect(check({ characters: [], character: undefined })).toEqual(refused('Tài khoản chưa có nhân vật nào'))
  })

  test('is closed during a ban and open after it', () => {
    const until = (ban_until: string) => check({ user: { ...user, ban_until } })
    expect(until('2026-11-21T00:00:01Z')).toEqual(refused('Tài khoản đang bị khóa giao dịch'))
    expect(until('2026-11-20T23:59:59Z')).toMatchObject({ canConfirm: true })
  })
})
