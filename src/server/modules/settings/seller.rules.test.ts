import { expect, test } from 'vitest'
import type { SettingKey } from '#contract/operator/settings.ts'
import { sellerLines } from './settings.rules.ts'

const lines = (values: Partial<Record<SettingKey, string>>) => sellerLines((key) => values[key] ?? '')

test('nothing filled in is no line', () => {
  expect(lines({})).toEqual([])
  expect(lines({ seller_name: '  ', licence_day: '01/02/2026', licence_authority: 'Cục' })).toEqual([])
})

test('what is filled in is in four lines at most', () => {
  expect(
    lines({
      seller_name: 'Công ty Trúc Lâm',
      seller_tax_code: '0101234567',
      seller_address: '1 Phố Huế, Hà Nội',
      licence_number: '123/GP-BTTTT',
      licence_day: '01/02/2026',
      licence_authority: 'Cục Phát thanh, truyền hình và thông tin điện tử',
      seller_hotline: '1900 1234',
      seller_email: 'khieunai@example.com',
    }),
  ).toEqual([
    'Công ty Trúc Lâm, Mã số thuế/doanh nghiệp: 0101234567',
    'Địa chỉ: 1 Phố Huế, Hà Nội',
    'Giấy phép số 123/GP-BTTTT, cấp ngày 01/02/2026, nơi cấp: Cục Phát thanh, truyền hình và thông tin điện tử',
    'Hotline: 1900 1234, Email khiếu nại: khieunai@example.com',
  ])
  expect(lines({ seller_email: 'a@b.vn' })).toEqual(['Email khiếu nại: a@b.vn'])
})
