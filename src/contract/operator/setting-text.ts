import { formatNumber } from '../format-number.ts'
import { parseJson } from './list.ts'
import { settingDefinitions, type SettingKey } from './settings.ts'

/** The parts of a receiving account, and of a file for download. */
export const SETTING_PART_WORDS: Readonly<Record<string, string>> = {
  bin: 'BIN',
  number: 'Số tài khoản',
  name: 'Chủ tài khoản',
  reference: 'Nhãn MoMo',
  phone_tail: 'Đuôi số điện thoại',
  version: 'Phiên bản',
  size_bytes: 'Dung lượng (byte)',
  sha256: 'SHA-256',
}

const partsOf = (text: string): Record<string, unknown> => {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** A setting's value as a person reads it; texts of what is no setting as they are. */
export function settingText(key: string, value: string): string {
  if (value === '') return '(trống)'
  if (!Object.hasOwn(settingDefinitions, key)) return value
  const { kind, options } = settingDefinitions[key as SettingKey]
  switch (kind) {
    case 'on-off':
      return value === '1' ? 'Bật' : 'Tắt'
    case 'number':
      return formatNumber(Number(value))
    case 'choice':
      return options?.find((option) => option.value === value)?.label ?? value
    case 'amounts':
      return Object.values(partsOf(value)).map(Number).map(formatNumber).join(' · ')
    case 'bank-account':
    case 'file':
      return Object.entries(partsOf(value))
        .map(([name, part]) => `${SETTING_PART_WORDS[name] ?? name}: ${String(part)}`)
        .join(' · ')
    default:
      return value
  }
}
