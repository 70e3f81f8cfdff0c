import type { ChannelName } from './banks.ts'
import { AGE_CLASSES, USUAL_AGE_CLASS } from '../constants.ts'
import {
  amountList,
  bankAccountOf,
  choice,
  day,
  fileFacts,
  goodsCalendar,
  hostList,
  line,
  link,
  mailAddress,
  onOff,
  paragraph,
  phoneLine,
  pixelId,
  type SettingRule,
  wholeNumber,
} from './setting-kinds.ts'
import { formatNumber } from '../format.ts'
import { calendarAsTyped, readCalendar } from './rewards/goods.ts'
import { parseJson } from './fields.ts'
import { type HostList, readHosts } from './link-hosts.ts'

/**
 * Who may change a setting, and how: `content` an editor; `links` (where programs, contacts and the pixel come from), `prices`
 * and `money` an owner and a second person.
 */
export const SETTING_SECTIONS = ['content', 'links', 'prices', 'money'] as const

export type SettingSection = (typeof SETTING_SECTIONS)[number]

export type SettingDefinition = SettingRule & {
  section: SettingSection
  /** In a new installation. */
  initial: string
  /** Browsers of players may read it. */
  isPublic: boolean
  label: string
  /** What it changes, for the operator who fills it in. */
  description: string
  /** Of a link: the setting that lists where it may lead. */
  hosts?: HostList
}

const inSection =
  (section: SettingSection, isPublic: boolean) =>
  (label: string, rule: SettingRule, initial = '', description = ''): SettingDefinition => ({
    ...rule,
    section,
    initial,
    isPublic,
    label,
    description,
  })
const content = inSection('content', true)
const linked = inSection('links', true)
const allowed = inSection('links', false)
/** Players read these as lines that the server puts together (`sellerLines`): whom they call, write to and complain to. */
const seller = inSection('links', false)
const price = inSection('prices', true)
/** An owner's, and nothing a browser has to know by itself. */
const term = inSection('prices', false)
const money = inSection('money', false)

const SELLER_NOTE = 'Hiện ở cuối mọi trang và trong thư; bỏ trống thì không hiện.'

const download = (name: string): SettingDefinition => ({
  ...linked(name, link, '', 'Nút tải chỉ hiện ở trang Tải game khi có liên kết.'),
  hosts: 'program_hosts',
})
const downloadFile = (name: string) =>
  linked(`Tệp ${name}`, fileFacts, '', 'Phiên bản, dung lượng và mã SHA-256 hiện cạnh nút tải.')
const communityLink = (name: string): SettingDefinition => ({
  ...linked(name, link, '', 'Hiện ở trang Box Zalo; bỏ trống thì không hiện.'),
  hosts: 'contact_hosts',
})
const receiving = (name: ChannelName) =>
  money(
    `Tài khoản nhận ${name}`,
    bankAccountOf(name),
    '',
    'Người chơi chuyển tiền vào đây. Bỏ trống thì đóng kênh nạp này.',
  )

const GOODS_COUNTED =
  'Mã quà, mốc nạp, điểm danh và giao lại đều được tính: theo số tối đa đã hứa, sau khi kết thúc thì theo số đã phát.'

const GOODS_LIMIT_NOTES = {
  lượng: GOODS_COUNTED,
  'vật phẩm': `Đơn vị: lần mức tối đa mà game nhận của mỗi món, yên cũng vậy. ${GOODS_COUNTED}`,
} as const

/** The most goods without payment. A number of loads has its millionths in a bigint. */
const goodsLimit = (whose: string, what: keyof typeof GOODS_LIMIT_NOTES, initial: number) =>
  money(
    `Quà tối đa: ${whose} (${what})`,
    wholeNumber(0, 1_000_000_000_000),
    String(initial),
    GOODS_LIMIT_NOTES[what],
  )

/** Every setting there is: its rule, its value in a new installation, and whether browsers may read it. */
export const settingDefinitions = {
  site_name: content('Tên trang', line, 'Tinh Hoa Ninja', 'Ở tiêu đề trình duyệt, đầu trang và trong thư.'),
  site_description: content(
    'Mô tả trang',
    line,
    'Cổng thông tin chính thức của game nhập vai ninja trên di động',
    'Máy tìm kiếm và mạng xã hội hiện dòng này dưới tên trang.',
  ),
  home_intro: content(
    'Lời giới thiệu trang chủ',
    paragraph,
    '',
    'Đoạn chữ dưới các bài viết của trang chủ; bỏ trống thì không hiện.',
  ),
  server_opening: content(
    'Mở máy chủ mới',
    line,
    '',
    'Một câu ở dải “Đang diễn ra” của trang chủ, ví dụ “Máy chủ Hồng Nguyệt mở lúc 19:00 ngày 28/11”; bỏ trống thì không hiện.',
  ),
  logo_center: content('Căn giữa logo', onOff, '0', 'Đặt logo ở giữa đầu trang thay vì bên trái.'),
  age_class: content(
    'Phân loại độ tuổi của game',
    choice(AGE_CLASSES.map((value) => ({ value, label: value === '00+' ? '00+ (mọi lứa tuổi)' : value }))),
    USUAL_AGE_CLASS,
    'Theo giấy phép của game. Hiện ở cuối mọi trang, trên ảnh chia sẻ và trong thư.',
  ),
  seller_name: seller(
    'Tên đơn vị vận hành',
    line,
    '',
    'Công ty hoặc cá nhân bán TCoin, hiện ở cuối mọi trang và trong thư.',
  ),
  seller_tax_code: seller('Mã số thuế hoặc mã số doanh nghiệp', line, '', SELLER_NOTE),
  seller_address: seller('Địa chỉ', line, '', SELLER_NOTE),
  seller_hotline: seller('Hotline', phoneLine, '', SELLER_NOTE),
  seller_email: seller('Email nhận khiếu nại', mailAddress, '', SELLER_NOTE),
  licence_number: seller('Số giấy phép của game', line, '', SELLER_NOTE),
  licence_day: seller('Ngày cấp giấy phép', day, '', 'Dạng 31/12/2026; chỉ hiện khi có số giấy phép.'),
  licence_authority: seller('Cơ quan cấp giấy phép', line, '', 'Chỉ hiện khi có số giấy phép.'),
  active_fee: price(
    'Phí kích hoạt (TCoin)',
    wholeNumber(0, 10_000_000),
    '20000',
    'Người chơi trả một lần để được giao dịch.',
  ),
  exchange_bonus: price(
    'Khuyến mãi đổi lượng (%)',
    wholeNumber(0, 300),
    '10',
    'Số lượng tặng thêm khi đổi, tính bằng phần trăm.',
  ),
  exchange_rate: price('Số lượng cho mỗi 100 TCoin', wholeNumber(1, 3_000), '30', 'Chưa tính khuyến mãi.'),
  exchange_amounts: price(
    'Mệnh giá đổi lượng',
    amountList,
    '[10000,20000,50000,100000,200000,500000]',
    'Các mức TCoin người chơi chọn khi đổi.',
  ),
  recharge_rate: price('TCoin cho mỗi 1 VND', wholeNumber(1, 100), '1', 'Đơn nạp đã tạo giữ tỉ lệ lúc tạo.'),
  recharge_min: price(
    'Nạp tối thiểu (VND)',
    wholeNumber(1000, 1_000_000_000),
    '10000',
    'Mức nhỏ nhất của một đơn nạp.',
  ),
  recharge_max: price(
    'Nạp tối đa (VND)',
    wholeNumber(1000, 1_000_000_000),
    '50000000',
    'Mức lớn nhất của một đơn nạp.',
  ),
  transfer_enabled: price(
    'Cho phép chuyển TCoin',
    onOff,
    '1',
    'Tắt thì không ai chuyển TCoin cho nhau được.',
  ),
  transfer_min: price(
    'Chuyển tối thiểu (TCoin)',
    wholeNumber(1, 1_000_000_000),
    '1',
    'Mức nhỏ nhất của một lần chuyển.',
  ),
  transfer_daily_limit: price(
    'Hạn mức chuyển mỗi ngày (TCoin)',
    wholeNumber(0, 1_000_000_000),
    '5000000',
    'Tổng một người được chuyển trong một ngày.',
  ),
  transfer_otp_limit: price(
    'Chuyển trên mức này cần OTP (TCoin)',
    wholeNumber(0, 1_000_000_000),
    '2000000',
    'Lần chuyển lớn hơn cần mã OTP của người gửi.',
  ),
  manual_credit_limit: money(
    'Cộng tay trên mức này cần người thứ hai (TCoin)',
    wholeNumber(0, 1_000_000_000),
    '1000000',
    'Tổng 24 giờ của một người vận hành, và của một người chơi, không quá mức này thì một người làm được.',
  ),
  agreed_adjustment_limit: money(
    'Cộng, trừ tay trên mức này cần mọi người duyệt (TCoin)',
    wholeNumber(0, 1_000_000_000),
    '10000000',
    'Tổng 24 giờ của những lần cộng, trừ tay đã được duyệt không quá mức này thì một người thứ hai duyệt là đủ. Trên mức này phải được mọi người duyệt, hoặc chờ 24 giờ mà không ai bác.',
  ),
  goods_act_luong: goodsLimit('một lần', 'lượng', 30_000_000),
  goods_act_loads: goodsLimit('một lần', 'vật phẩm', 30_000),
  goods_alone_luong: goodsLimit('một người tự quyết trong 24 giờ', 'lượng', 300_000),
  goods_alone_loads: goodsLimit('một người tự quyết trong 24 giờ', 'vật phẩm', 1_000),
  goods_operator_luong: goodsLimit('một người vận hành trong 24 giờ', 'lượng', 60_000_000),
  goods_operator_loads: goodsLimit('một người vận hành trong 24 giờ', 'vật phẩm', 60_000),
  goods_day_luong: goodsLimit('cả ban vận hành trong 24 giờ', 'lượng', 100_000_000),
  goods_day_loads: goodsLimit('cả ban vận hành trong 24 giờ', 'vật phẩm', 100_000),
  goods_budget_luong: goodsLimit('ngân sách 30 ngày', 'lượng', 1_000_000_000),
  goods_budget_loads: goodsLimit('ngân sách 30 ngày', 'vật phẩm', 1_000_000),
  deletion_days: term(
    'Hạn trả lời yêu cầu xóa tài khoản (ngày)',
    wholeNumber(1, 90),
    '20',
    'Tính từ lúc người chơi gửi yêu cầu; yêu cầu đã gửi giữ hạn của nó.',
  ),
  check_in_enabled: term(
    'Mở điểm danh hằng ngày',
    onOff,
    '0',
    'Tắt thì không ai nhận được quà điểm danh. Chưa có lịch quà thì điểm danh vẫn đóng.',
  ),
  check_in_goods: term(
    'Lịch quà điểm danh',
    goodsCalendar,
    '',
    'Quà của từng ngày trong tháng. Mỗi người chơi đã kích hoạt nhận một lần mỗi ngày (giờ Việt Nam).',
  ),
  check_in_players: term(
    'Số người điểm danh tối đa mỗi ngày',
    wholeNumber(1, 10_000_000),
    '10000',
    'Ai đến sau số này trong ngày thì không còn quà. Quà của một ngày nhân với số này là số tối đa mà điểm danh tốn.',
  ),
  invitation_enabled: term(
    'Thưởng mời bạn',
    onOff,
    '0',
    'Tắt thì lời mời đến hạn trong lúc tắt không được thưởng.',
  ),
  invitation_inviter: term(
    'Thưởng cho người mời (TCoin)',
    wholeNumber(1, 10_000_000),
    '5000',
    'Lấy từ ngân sách của lời mời.',
  ),
  invitation_invited: term(
    'Thưởng cho người được mời (TCoin)',
    wholeNumber(1, 10_000_000),
    '5000',
    'Lấy từ ngân sách của lời mời.',
  ),
  invitation_recharge: term(
    'Nạp lần đầu để được thưởng mời bạn (VND)',
    wholeNumber(1_000, 1_000_000_000),
    '50000',
    'Người được mời nạp ít nhất bằng này, và khoản nạp đứng vững 72 giờ.',
  ),
  invitation_per_month: term(
    'Số lời mời được thưởng mỗi tháng',
    wholeNumber(1, 1_000),
    '10',
    'Của một người mời, theo tháng ở Việt Nam.',
  ),
  invitation_budget: term(
    'Ngân sách cho lời mời',
    wholeNumber(0, 1_000_000_000),
    '0',
    'Thưởng mời bạn lấy từ ngân sách này. Ngân sách hết thì lời mời chờ xem lại.',
  ),
  program_hosts: allowed(
    'Nơi được đặt tệp game',
    hostList,
    'apps.apple.com\ntestflight.apple.com\nplay.google.com',
    'Liên kết tải game chỉ dẫn tới các tên miền này, tên miền con của chúng và chính cổng này.',
  ),
  contact_hosts: allowed(
    'Nơi được đặt nhóm và trang liên hệ',
    hostList,
    'zalo.me\nfacebook.com\nfb.com\nm.me',
    'Box Zalo, fanpage và nhóm chỉ dẫn tới các tên miền này, tên miền con của chúng và chính cổng này.',
  ),
  text_hosts: allowed(
    'Trang được dẫn tới trong bài viết',
    hostList,
    'youtube.com\nyoutu.be\ntiktok.com\nonline.gov.vn',
    'Bài viết và văn bản pháp lý chỉ dẫn tới các tên miền này, chính cổng này và các liên kết, hotline, email đã đặt ở mục này. Đừng thêm nơi ai cũng tải tệp lên được.',
  ),
  java_148_x1: download('Java 1.4.8 (X1)'),
  java_148_x3: download('Java 1.4.8 (X3)'),
  java_148_x6: download('Java 1.4.8 (X6)'),
  java_211_x1: download('Java 2.1.1 (X1)'),
  java_e71: download('Java E71'),
  java_e72: download('Java E72'),
  android_auto: download('Android'),
  pc: download('PC'),
  pc_auto: download('PC (auto)'),
  ios: download('iOS'),
  ios_auto: download('iOS (auto)'),
  java_148_x1_file: downloadFile('Java 1.4.8 (X1)'),
  java_148_x3_file: downloadFile('Java 1.4.8 (X3)'),
  java_148_x6_file: downloadFile('Java 1.4.8 (X6)'),
  java_211_x1_file: downloadFile('Java 2.1.1 (X1)'),
  java_e71_file: downloadFile('Java E71'),
  java_e72_file: downloadFile('Java E72'),
  android_auto_file: downloadFile('Android'),
  pc_file: downloadFile('PC'),
  pc_auto_file: downloadFile('PC (auto)'),
  ios_file: downloadFile('iOS'),
  ios_auto_file: downloadFile('iOS (auto)'),
  zalo_box_link_1: communityLink('Box Zalo 1'),
  zalo_box_link_2: communityLink('Box Zalo 2'),
  zalo_box_link_3: communityLink('Box Zalo 3'),
  zalo_box_link_4: communityLink('Box Zalo 4'),
  zalo_box_link_5: communityLink('Box Zalo 5'),
  zalo_box_link_6: communityLink('Box Zalo 6'),
  zalo_box_link_7: communityLink('Box Zalo 7'),
  fanpage_link: communityLink('Fanpage'),
  group_link: communityLink('Nhóm Facebook'),
  pixel_id: linked('Mã Facebook Pixel', pixelId, '', 'Chỉ tải khi người xem đồng ý; bỏ trống là tắt.'),
  bank_account_vietcombank: receiving('Vietcombank'),
  bank_account_acb: receiving('ACB'),
  bank_account_momo: receiving('MoMo'),
} satisfies Record<string, SettingDefinition>

export type SettingKey = keyof typeof settingDefinitions

/** Prices are money, and links lead to programs and people: to change them takes a fresh proof and a second person, as the accounts that receive do. */
export const isGuardedSetting = (key: string): boolean =>
  Object.hasOwn(settingDefinitions, key) && settingDefinitions[key as SettingKey].section !== 'content'

/** How many times its present value a number would become; null where that has no meaning. */
export function changeFactor(key: string, before: string, after: string): number | null {
  if (!Object.hasOwn(settingDefinitions, key) || settingDefinitions[key as SettingKey].kind !== 'number')
    return null
  return Number(before) > 0 ? Number(after) / Number(before) : null
}

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
    case 'hosts':
      return readHosts(value).join(' · ')
    case 'amounts':
      return Object.values(partsOf(value)).map(Number).map(formatNumber).join(' · ')
    case 'calendar':
      return calendarAsTyped(readCalendar(value) ?? []).replaceAll('\n', ' · ')
    case 'bank-account':
    case 'file':
      return Object.entries(partsOf(value))
        .map(([name, part]) => `${SETTING_PART_WORDS[name] ?? name}: ${String(part)}`)
        .join(' · ')
    default:
      return value
  }
}
