import type { SettingKey } from '#contract/operator/settings.ts'

/** Who runs the portal, in lines for the foot of a page or a mail: only what is filled in. */
export function sellerLines(text: (key: SettingKey) => string): string[] {
  const part = (key: SettingKey, before = '') => {
    const value = text(key).trim()
    return value === '' ? [] : [before + value]
  }
  const licence = part('licence_number', 'Giấy phép số ')
  return [
    [...part('seller_name'), ...part('seller_tax_code', 'Mã số thuế/doanh nghiệp: ')],
    part('seller_address', 'Địa chỉ: '),
    licence.length === 0
      ? []
      : [...licence, ...part('licence_day', 'cấp ngày '), ...part('licence_authority', 'nơi cấp: ')],
    [...part('seller_hotline', 'Hotline: '), ...part('seller_email', 'Email khiếu nại: ')],
  ].flatMap((parts) => (parts.length === 0 ? [] : [parts.join(', ')]))
}
