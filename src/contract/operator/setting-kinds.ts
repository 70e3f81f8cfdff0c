import * as z from 'zod/mini'
import { bankOf, CHANNEL_BINS, type ChannelName, isBinOf, isNumberAt } from './banks.ts'
import { parseJson } from './fields.ts'
import { isHostList, plainHost } from './link-hosts.ts'
import { readCalendar } from './rewards/goods.ts'

/** How a value is typed, and what it has to be. Values travel and are stored as text. */
export const SETTING_KINDS = [
  'text',
  'paragraph',
  'number',
  'on-off',
  'link',
  'hosts',
  'digits',
  'amounts',
  'bank-account',
  'file',
  'choice',
  'calendar',
] as const

export type SettingKind = (typeof SETTING_KINDS)[number]

export type SettingRule = {
  kind: SettingKind
  schema: z.ZodMiniType<string, string>
  /** Of a number its value, of several amounts each of them, of a text its length; null for others. */
  limits: { min: number; max: number } | null
  /** Of a choice its values, of a receiving account the BINs that it may have. */
  options?: readonly { value: string; label: string }[]
}

const isJsonOf = (schema: z.ZodMiniType, text: string) => z.safeParse(schema, parseJson(text)).success

/** Empty, or JSON of the schema. */
const optionalJson = (schema: z.ZodMiniType, message: string) =>
  z.string().check(z.refine((text) => text === '' || isJsonOf(schema, text), message))

const upTo = (kind: SettingKind, max: number): SettingRule => ({
  kind,
  schema: z.string().check(z.maxLength(max, `Tối đa ${max} ký tự`)),
  limits: { min: 0, max },
})

export const line = upTo('text', 200)

/** Empty, or text of the given form. */
const lineLike = (pattern: RegExp, message: string): SettingRule => ({
  ...line,
  schema: line.schema.check(z.refine((text) => text === '' || pattern.test(text), message)),
})

export const phoneLine = lineLike(
  /^[+\d][\d .()-]{2,29}$/,
  'Số điện thoại chỉ gồm chữ số, dấu cách, dấu chấm, gạch nối',
)
export const mailAddress = lineLike(
  /^[\w.+-]+@(?!xn--)(?:[a-z0-9-]+\.(?!xn--))+[a-z]{2,24}$/i,
  'Email không hợp lệ',
)
export const day = lineLike(/^\d{2}\/\d{2}\/\d{4}$/, 'Ngày viết dạng 31/12/2026')

/** One of several values. */
export const choice = (options: readonly { value: string; label: string }[]): SettingRule => ({
  kind: 'choice',
  schema: z
    .string()
    .check(
      z.refine((text) => options.some(({ value }) => value === text), 'Hãy chọn một giá trị trong danh sách'),
    ),
  limits: null,
  options,
})

export const paragraph = upTo('paragraph', 4000)

export const wholeNumber = (min: number, max: number): SettingRule => ({
  kind: 'number',
  schema: z.string().check(
    z.regex(/^(0|[1-9]\d{0,15})$/, 'Giá trị phải là số nguyên'),
    z.refine((text) => Number(text) >= min && Number(text) <= max, `Giá trị phải từ ${min} đến ${max}`),
  ),
  limits: { min, max },
})

export const onOff: SettingRule = {
  kind: 'on-off',
  schema: z.string().check(z.regex(/^[01]$/, 'Giá trị phải là 0 hoặc 1')),
  limits: null,
}

const LINK_MAX = 500

/** Links are https only, or empty when there is none, and their host is what one reads there (`plainHost`). */
export const link: SettingRule = {
  kind: 'link',
  schema: z.string().check(
    z.maxLength(LINK_MAX, 'Liên kết quá dài'),
    z.refine(
      (text) => text === '' || plainHost(text) !== null,
      'Liên kết phải bắt đầu bằng https:// và tên miền viết bằng chữ không dấu, không kèm tên người dùng, số cổng hay địa chỉ IP',
    ),
  ),
  limits: { min: 0, max: LINK_MAX },
}

/** Hosts that links may lead to, one a line; they and what is below them. */
export const hostList: SettingRule = {
  kind: 'hosts',
  schema: z
    .string()
    .check(
      z.maxLength(2000, 'Danh sách quá dài'),
      z.refine(
        isHostList,
        'Mỗi dòng một tên miền viết thường, ví dụ tai.example.com; tên miền dùng chung như com.vn hay pages.dev không được nhận',
      ),
    ),
  limits: { min: 0, max: 2000 },
}

/** An advertiser's own number; empty leaves the pixel off. */
export const pixelId: SettingRule = {
  kind: 'digits',
  schema: z.string().check(z.regex(/^(\d{5,20})?$/, 'Mã pixel chỉ gồm 5–20 chữ số')),
  limits: { min: 5, max: 20 },
}

const AMOUNT_MAX = 1_000_000_000

const amountsSchema = z.array(z.int().check(z.gte(1), z.lte(AMOUNT_MAX))).check(
  z.minLength(1),
  z.maxLength(20),
  z.refine((amounts) => new Set(amounts).size === amounts.length),
)

export const amountList: SettingRule = {
  kind: 'amounts',
  schema: z
    .string()
    .check(
      z.refine(
        (text) => isJsonOf(amountsSchema, text),
        'Danh sách mệnh giá phải gồm 1–20 số nguyên dương khác nhau',
      ),
    ),
  limits: { min: 1, max: AMOUNT_MAX },
}

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

export const ACCOUNT_SHAPE =
  'Tài khoản nhận cần mã BIN 6 chữ số, số tài khoản gồm chữ số hoặc chữ in hoa, và tên chủ tài khoản'

const accountIn = (text: unknown): ReceivingAccount | null =>
  z.safeParse(bankAccountSchema, typeof text === 'string' ? parseJson(text) : null).data ?? null

/** Whether a rule holds for the account in a text; where there is none, another rule says so. */
const ofAccount = (holds: (account: ReceivingAccount) => boolean) => (text: string) => {
  const account = accountIn(text)
  return account === null || holds(account)
}

/** The account that a channel receives on. Its bank is the channel's: payers read the channel's name, and type it. */
export const bankAccountOf = (channel: ChannelName): SettingRule => ({
  kind: 'bank-account',
  schema: optionalJson(bankAccountSchema, ACCOUNT_SHAPE).check(
    z.refine(
      ofAccount(({ bin }) => isBinOf(channel, bin)),
      {
        error: ({ input }) => {
          const bin = accountIn(input)?.bin ?? ''
          return `Mã BIN ${bin} là của ${bankOf(bin) ?? 'ngân hàng không rõ'}, không phải của ${channel}`
        },
      },
    ),
    z.refine(
      ofAccount(({ bin, number }) => isNumberAt(bin, number)),
      'Số tài khoản không đúng dạng của ngân hàng này, hãy kiểm tra lại từng chữ số',
    ),
  ),
  limits: null,
  options: CHANNEL_BINS[channel].map((bin) => ({ value: bin, label: `${bankOf(bin) ?? channel} (${bin})` })),
})

/** What is known of a file for download, as JSON; each part may be missing; empty when nothing is known. */
const fileFactsSchema = z.strictObject({
  version: z.optional(z.string().check(z.minLength(1), z.maxLength(40))),
  size_bytes: z.optional(z.number().check(z.int(), z.positive(), z.lte(100_000_000_000))),
  sha256: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
})

export const fileFacts: SettingRule = {
  kind: 'file',
  schema: optionalJson(
    fileFactsSchema,
    'Thông tin tệp gồm phiên bản, dung lượng (byte, số nguyên) và SHA-256 (64 ký tự 0–9 a–f); mỗi mục có thể bỏ trống',
  ),
  limits: null,
}

/** The goods of each day of a month as JSON; empty while there are none. */
export const goodsCalendar: SettingRule = {
  kind: 'calendar',
  schema: z
    .string()
    .check(
      z.refine(
        (text) => text === '' || readCalendar(text) !== null,
        'Lịch quà cần đủ ngày 1 đến 31, mỗi ngày một dòng hoặc một khoảng ngày, ví dụ “1-6: 50 lượng + 2,000 yên”',
      ),
    ),
  limits: null,
}
