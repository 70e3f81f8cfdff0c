import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { listQuery } from './list.ts'

const isJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const wholeNumber = (min: number, max: number) =>
  z.string().check(
    z.regex(/^(0|[1-9]\d{0,15})$/, 'Giá trị phải là số nguyên'),
    z.refine((text) => Number(text) >= min && Number(text) <= max, `Giá trị phải từ ${min} đến ${max}`),
  )

const line = z.string().check(z.maxLength(200, 'Tối đa 200 kí tự'))
const paragraph = z.string().check(z.maxLength(4000, 'Tối đa 4000 kí tự'))
const onOff = z.string().check(z.regex(/^[01]$/, 'Giá trị phải là 0 hoặc 1'))

/** Links are https only, or empty when there is none; what an operator types can then never run as a script. */
const link = z.string().check(
  z.maxLength(500, 'Liên kết quá dài'),
  z.refine(
    (text) => text === '' || /^https:\/\/[^\s"'<>]+$/.test(text),
    'Liên kết phải bắt đầu bằng https://',
  ),
)

const amountList = z.string().check(
  z.refine((text) => {
    const list = isJson(text)
    return (
      Array.isArray(list) &&
      list.length >= 1 &&
      list.length <= 20 &&
      new Set(list).size === list.length &&
      list.every((entry) => Number.isSafeInteger(entry) && entry >= 1 && entry <= 1_000_000_000)
    )
  }, 'Danh sách mệnh giá phải là mảng JSON gồm 1–20 số nguyên dương khác nhau'),
)

/**
 * A receiving account as JSON `{"bin","number","name","reference"?,"phone_tail"?}`; empty closes the channel. The last
 * two stand in a MoMo wallet's own QR and cannot be worked out: its reference label (62-05) and, behind a bank's BIN,
 * the last three figures of its phone (80).
 */
export const bankAccountSchema = z.object({
  bin: z.string().check(z.regex(/^\d{6}$/)),
  number: z.string().check(z.regex(/^[0-9A-Z]{1,19}$/)),
  name: z.string().check(z.minLength(1), z.maxLength(50), z.regex(/^[^\p{Cc}\p{Cs}]*$/u)),
  reference: z.optional(z.string().check(z.regex(/^[0-9A-Z]{1,25}$/))),
  phone_tail: z.optional(z.string().check(z.regex(/^\d{3}$/))),
})

const bankAccount = z
  .string()
  .check(
    z.refine(
      (text) => text === '' || z.safeParse(bankAccountSchema, isJson(text)).success,
      'Tài khoản nhận phải là JSON {"bin","number","name","reference"?,"phone_tail"?}',
    ),
  )

/** What is known of a file for download, as JSON; each part may be missing, empty text says nothing. */
const fileFactsSchema = z.strictObject({
  version: z.optional(z.string().check(z.minLength(1), z.maxLength(40))),
  size_bytes: z.optional(z.number().check(z.int(), z.positive(), z.lte(100_000_000_000))),
  sha256: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
})

const fileFacts = z
  .string()
  .check(
    z.refine(
      (text) => text === '' || z.safeParse(fileFactsSchema, isJson(text)).success,
      'Thông tin tệp phải là JSON {"version"?,"size_bytes"?,"sha256"?}',
    ),
  )

/** An advertiser's own number; empty leaves the pixel off. */
const pixelId = z.string().check(z.regex(/^(\d{5,20})?$/, 'Mã pixel chỉ gồm 5–20 chữ số'))

/** Text as the database can hold it: no zero character, no half of a surrogate pair. */
const storable = z.string('Không được bỏ trống').check(
  z.maxLength(5000, 'Tối đa 5000 kí tự'),
  z.refine((text) => !text.includes('\u0000') && text.isWellFormed(), 'Giá trị có kí tự không hợp lệ'),
)

type Definition = { schema: z.ZodMiniType<string, string>; initial: string; isPublic: boolean; label: string }

const shown = (label: string, schema: Definition['schema'], initial = ''): Definition => ({
  schema,
  initial,
  isPublic: true,
  label,
})
const kept = (label: string, schema: Definition['schema'], initial = ''): Definition => ({
  schema,
  initial,
  isPublic: false,
  label,
})

/** Every setting there is: its rule, its value in a new installation, and whether browsers may read it. */
export const settingDefinitions = {
  site_name: shown('Tên trang', line, 'Tinh Hoa Ninja'),
  site_description: shown(
    'Mô tả trang',
    line,
    'Cổng thông tin chính thức của game nhập vai ninja trên di động',
  ),
  home_intro: shown('Lời giới thiệu trang chủ', paragraph),
  logo_center: shown('Căn giữa logo', onOff, '0'),
  active_fee: shown('Phí kích hoạt (TCoin)', wholeNumber(0, 100_000_000), '20000'),
  exchange_bonus: shown('Khuyến mãi đổi lượng (%)', wholeNumber(0, 1000), '10'),
  exchange_rate: shown('Số lượng cho mỗi 100 TCoin', wholeNumber(1, 100_000), '30'),
  exchange_amounts: shown('Mệnh giá đổi lượng', amountList, '[10000,20000,50000,100000,200000,500000]'),
  recharge_rate: shown('TCoin cho mỗi 1 VND', wholeNumber(1, 1000), '1'),
  recharge_min: shown('Nạp tối thiểu (VND)', wholeNumber(1000, 1_000_000_000), '10000'),
  recharge_max: shown('Nạp tối đa (VND)', wholeNumber(1000, 1_000_000_000), '50000000'),
  transfer_enabled: shown('Cho phép chuyển TCoin', onOff, '1'),
  transfer_min: shown('Chuyển tối thiểu (TCoin)', wholeNumber(1, 1_000_000_000), '1'),
  transfer_daily_limit: shown('Hạn mức chuyển mỗi ngày (TCoin)', wholeNumber(0, 1_000_000_000), '5000000'),
  transfer_otp_limit: shown('Chuyển trên mức này cần OTP (TCoin)', wholeNumber(0, 1_000_000_000), '2000000'),
  manual_credit_limit: kept(
    'Cộng tay trên mức này cần người thứ hai (TCoin)',
    wholeNumber(0, 1_000_000_000),
    '1000000',
  ),
  java_148_x1: shown('Java 1.4.8 (X1)', link),
  java_148_x3: shown('Java 1.4.8 (X3)', link),
  java_148_x6: shown('Java 1.4.8 (X6)', link),
  java_211_x1: shown('Java 2.1.1 (X1)', link),
  java_e71: shown('Java E71', link),
  java_e72: shown('Java E72', link),
  android_auto: shown('Android', link),
  pc: shown('PC', link),
  pc_auto: shown('PC (auto)', link),
  ios: shown('iOS', link),
  ios_auto: shown('iOS (auto)', link),
  java_148_x1_file: shown('Tệp Java 1.4.8 (X1)', fileFacts),
  java_148_x3_file: shown('Tệp Java 1.4.8 (X3)', fileFacts),
  java_148_x6_file: shown('Tệp Java 1.4.8 (X6)', fileFacts),
  java_211_x1_file: shown('Tệp Java 2.1.1 (X1)', fileFacts),
  java_e71_file: shown('Tệp Java E71', fileFacts),
  java_e72_file: shown('Tệp Java E72', fileFacts),
  android_auto_file: shown('Tệp Android', fileFacts),
  pc_file: shown('Tệp PC', fileFacts),
  pc_auto_file: shown('Tệp PC (auto)', fileFacts),
  ios_file: shown('Tệp iOS', fileFacts),
  ios_auto_file: shown('Tệp iOS (auto)', fileFacts),
  zalo_box_link_1: shown('Box Zalo 1', link),
  zalo_box_link_2: shown('Box Zalo 2', link),
  zalo_box_link_3: shown('Box Zalo 3', link),
  zalo_box_link_4: shown('Box Zalo 4', link),
  zalo_box_link_5: shown('Box Zalo 5', link),
  zalo_box_link_6: shown('Box Zalo 6', link),
  zalo_box_link_7: shown('Box Zalo 7', link),
  fanpage_link: shown('Fanpage', link),
  group_link: shown('Nhóm Facebook', link),
  pixel_id: shown('Mã Facebook Pixel', pixelId),
  bank_account_vietcombank: kept('Tài khoản nhận Vietcombank', bankAccount),
  bank_account_acb: kept('Tài khoản nhận ACB', bankAccount),
  bank_account_momo: kept('Tài khoản nhận MoMo', bankAccount),
} satisfies Record<string, Definition>

export type SettingKey = keyof typeof settingDefinitions

/** `id` is the key itself, since a console's lists want one. */
export const operatorSettingSchema = z.object({
  id: z.string(),
  value: z.string(),
  label: z.string(),
  is_public: z.boolean(),
})

export const operatorSettings = {
  list: endpoint({
    method: 'GET',
    path: '/operator/settings',
    access: { permission: 'settings.read' },
    summary: 'Every setting with its value.',
    query: listQuery,
    answer: z.array(operatorSettingSchema),
  }),
  get: endpoint({
    method: 'GET',
    path: '/operator/settings/{id}',
    access: { permission: 'settings.read' },
    summary: 'One setting.',
    params: z.object({ id: z.string() }),
    answer: operatorSettingSchema,
    errors: ['NOT_FOUND'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/operator/settings/{id}',
    access: { permission: 'settings.write' },
    summary: 'Sets a value, checked by the rule of its key.',
    params: z.object({ id: z.string() }),
    body: z.object({ value: storable }),
    answer: operatorSettingSchema,
    errors: ['NOT_FOUND'],
  }),
}
