import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { reason } from './act-fields.ts'
import { listQuery, oneOrMany, parseJson } from './list.ts'
import { operatorProposalSchema } from './proposals.ts'
import { permitted } from './roles.ts'

const isJsonOf = (schema: z.ZodMiniType, text: string) => z.safeParse(schema, parseJson(text)).success

/** Empty, or JSON of the schema. */
const optionalJson = (schema: z.ZodMiniType, message: string) =>
  z.string().check(z.refine((text) => text === '' || isJsonOf(schema, text), message))

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

const amountsSchema = z.array(z.int().check(z.gte(1), z.lte(1_000_000_000))).check(
  z.minLength(1),
  z.maxLength(20),
  z.refine((amounts) => new Set(amounts).size === amounts.length),
)

const amountList = z
  .string()
  .check(
    z.refine(
      (text) => isJsonOf(amountsSchema, text),
      'Danh sách mệnh giá phải là mảng JSON gồm 1–20 số nguyên dương khác nhau',
    ),
  )

/**
 * A receiving account as JSON `{"bin","number","name","reference"?,"phone_tail"?}`; empty closes the channel. The last
 * two are copied from a MoMo wallet's own QR, since nothing else contains them: its reference label (62-05) and, behind
 * a bank's BIN, the last three digits of its phone (80).
 */
export const bankAccountSchema = z.object({
  bin: z.string().check(z.regex(/^\d{6}$/)),
  number: z.string().check(z.regex(/^[0-9A-Z]{1,19}$/)),
  name: z.string().check(z.minLength(1), z.maxLength(50), z.regex(/^[^\p{Cc}\p{Cs}]*$/u)),
  reference: z.optional(z.string().check(z.regex(/^[0-9A-Z]{1,25}$/))),
  phone_tail: z.optional(z.string().check(z.regex(/^\d{3}$/))),
})

export type ReceivingAccount = z.infer<typeof bankAccountSchema>

const bankAccount = optionalJson(
  bankAccountSchema,
  'Tài khoản nhận phải là JSON {"bin","number","name","reference"?,"phone_tail"?}',
)

/** What is known of a file for download, as JSON; each part may be missing; empty when nothing is known. */
const fileFactsSchema = z.strictObject({
  version: z.optional(z.string().check(z.minLength(1), z.maxLength(40))),
  size_bytes: z.optional(z.number().check(z.int(), z.positive(), z.lte(100_000_000_000))),
  sha256: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
})

const fileFacts = optionalJson(
  fileFactsSchema,
  'Thông tin tệp phải là JSON {"version"?,"size_bytes"?,"sha256"?}',
)

/** An advertiser's own number; empty leaves the pixel off. */
const pixelId = z.string().check(z.regex(/^(\d{5,20})?$/, 'Mã pixel chỉ gồm 5–20 chữ số'))

/** Text as the database can hold it: no zero character, no half of a surrogate pair. */
const settingText = z.string('Không được bỏ trống').check(
  z.maxLength(5000, 'Tối đa 5000 kí tự'),
  z.refine((text) => !text.includes('\u0000') && text.isWellFormed(), 'Giá trị có kí tự không hợp lệ'),
)

/** Who may change a setting, and how: `content` an editor, `prices` an owner, `money` an owner and a second person. */
type Section = 'content' | 'prices' | 'money'

type Definition = {
  section: Section
  schema: z.ZodMiniType<string, string>
  initial: string
  isPublic: boolean
  label: string
}

const inSection =
  (section: Section, isPublic: boolean) =>
  (label: string, schema: Definition['schema'], initial = ''): Definition => ({
    section,
    schema,
    initial,
    isPublic,
    label,
  })
const content = inSection('content', true)
const price = inSection('prices', true)
const money = inSection('money', false)

/** Every setting there is: its rule, its value in a new installation, and whether browsers may read it. */
export const settingDefinitions = {
  site_name: content('Tên trang', line, 'Tinh Hoa Ninja'),
  site_description: content(
    'Mô tả trang',
    line,
    'Cổng thông tin chính thức của game nhập vai ninja trên di động',
  ),
  home_intro: content('Lời giới thiệu trang chủ', paragraph),
  logo_center: content('Căn giữa logo', onOff, '0'),
  active_fee: price('Phí kích hoạt (TCoin)', wholeNumber(0, 100_000_000), '20000'),
  exchange_bonus: price('Khuyến mãi đổi lượng (%)', wholeNumber(0, 1000), '10'),
  exchange_rate: price('Số lượng cho mỗi 100 TCoin', wholeNumber(1, 100_000), '30'),
  exchange_amounts: price('Mệnh giá đổi lượng', amountList, '[10000,20000,50000,100000,200000,500000]'),
  recharge_rate: price('TCoin cho mỗi 1 VND', wholeNumber(1, 1000), '1'),
  recharge_min: price('Nạp tối thiểu (VND)', wholeNumber(1000, 1_000_000_000), '10000'),
  recharge_max: price('Nạp tối đa (VND)', wholeNumber(1000, 1_000_000_000), '50000000'),
  transfer_enabled: price('Cho phép chuyển TCoin', onOff, '1'),
  transfer_min: price('Chuyển tối thiểu (TCoin)', wholeNumber(1, 1_000_000_000), '1'),
  transfer_daily_limit: price('Hạn mức chuyển mỗi ngày (TCoin)', wholeNumber(0, 1_000_000_000), '5000000'),
  transfer_otp_limit: price('Chuyển trên mức này cần OTP (TCoin)', wholeNumber(0, 1_000_000_000), '2000000'),
  manual_credit_limit: money(
    'Cộng tay trên mức này cần người thứ hai (TCoin)',
    wholeNumber(0, 1_000_000_000),
    '1000000',
  ),
  java_148_x1: content('Java 1.4.8 (X1)', link),
  java_148_x3: content('Java 1.4.8 (X3)', link),
  java_148_x6: content('Java 1.4.8 (X6)', link),
  java_211_x1: content('Java 2.1.1 (X1)', link),
  java_e71: content('Java E71', link),
  java_e72: content('Java E72', link),
  android_auto: content('Android', link),
  pc: content('PC', link),
  pc_auto: content('PC (auto)', link),
  ios: content('iOS', link),
  ios_auto: content('iOS (auto)', link),
  java_148_x1_file: content('Tệp Java 1.4.8 (X1)', fileFacts),
  java_148_x3_file: content('Tệp Java 1.4.8 (X3)', fileFacts),
  java_148_x6_file: content('Tệp Java 1.4.8 (X6)', fileFacts),
  java_211_x1_file: content('Tệp Java 2.1.1 (X1)', fileFacts),
  java_e71_file: content('Tệp Java E71', fileFacts),
  java_e72_file: content('Tệp Java E72', fileFacts),
  android_auto_file: content('Tệp Android', fileFacts),
  pc_file: content('Tệp PC', fileFacts),
  pc_auto_file: content('Tệp PC (auto)', fileFacts),
  ios_file: content('Tệp iOS', fileFacts),
  ios_auto_file: content('Tệp iOS (auto)', fileFacts),
  zalo_box_link_1: content('Box Zalo 1', link),
  zalo_box_link_2: content('Box Zalo 2', link),
  zalo_box_link_3: content('Box Zalo 3', link),
  zalo_box_link_4: content('Box Zalo 4', link),
  zalo_box_link_5: content('Box Zalo 5', link),
  zalo_box_link_6: content('Box Zalo 6', link),
  zalo_box_link_7: content('Box Zalo 7', link),
  fanpage_link: content('Fanpage', link),
  group_link: content('Nhóm Facebook', link),
  pixel_id: content('Mã Facebook Pixel', pixelId),
  bank_account_vietcombank: money('Tài khoản nhận Vietcombank', bankAccount),
  bank_account_acb: money('Tài khoản nhận ACB', bankAccount),
  bank_account_momo: money('Tài khoản nhận MoMo', bankAccount),
} satisfies Record<string, Definition>

export type SettingKey = keyof typeof settingDefinitions

/** `id` is the key itself, since a console's lists want one. */
export const operatorSettingSchema = z.object({
  id: z.string(),
  section: z.enum(['content', 'prices', 'money']),
  value: z.string(),
  label: z.string(),
  is_public: z.boolean(),
})

export const operatorSettings = {
  list: endpoint('GET', '/operator/settings', permitted('settings.read'), {
    summary: 'Every setting with its value.',
    query: listQuery(['id'], { id: z.optional(oneOrMany(z.string())) }),
    answer: z.array(operatorSettingSchema),
  }),
  get: endpoint('GET', '/operator/settings/{id}', permitted('settings.read'), {
    summary: 'One setting.',
    params: z.object({ id: z.string() }),
    answer: operatorSettingSchema,
    errors: ['NOT_FOUND'],
  }),
  update: endpoint(
    'PUT',
    '/operator/settings/{id}',
    permitted(['settings.content', 'settings.prices', 'settings.money']),
    {
      summary:
        'Sets a value, checked by the rule of its key, by whoever may change its section. In section money it takes a fresh step-up and waits for a second person.',
      params: z.object({ id: z.string() }),
      body: z.object({ value: settingText, reason }),
      answer: z.union([operatorSettingSchema, z.object({ proposal: operatorProposalSchema })]),
      mayWait: true,
      isIdempotent: true,
      errors: ['NOT_FOUND', 'CONFLICT', 'STEP_UP_REQUIRED', 'KEY_REUSED', 'IN_PROGRESS'],
    },
  ),
}
