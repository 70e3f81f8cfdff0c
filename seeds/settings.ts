import { createHash } from 'node:crypto'

const downloads = 'https://tai.example.com/tinh-hoa-ninja'
const zaloBox = 'https://zalo.example.com/g'

/** The files do not exist, so their fingerprints are made up as well. */
const fileFacts = (version: string, size_bytes: number) =>
  JSON.stringify({
    version,
    size_bytes,
    sha256: createHash('sha256').update(`${version} ${size_bytes}`).digest('hex'),
  })

/** Settings only the demo world has: what a real operator would fill in on the first day. Values are text. */
export const seedSettings: Record<string, string> = {
  site_name: 'Tinh Hoa Ninja',
  site_description:
    'Cổng chính thức của Tinh Hoa Ninja: tin tức, sự kiện, tải game, nạp TCoin bằng mã QR và đổi lượng cho nhân vật.',
  // Plain text; an empty line parts the paragraphs.
  home_intro: [
    'Tinh Hoa Ninja là game nhập vai trên điện thoại, nơi sáu phái ninja cùng sống dưới chân núi Trúc Lâm: ban ngày luyện chiêu, chiều xuống đi chợ Bến Đèn, đêm về họp nhóm săn trùm.',
    'Trang này là ngôi nhà chung của người chơi: đọc tin mới, tải game về máy, nạp TCoin bằng mã QR và đổi lượng cho nhân vật chỉ trong vài phút.',
  ].join('\n\n'),

  seller_name: 'Công ty TNHH Tinh Hoa Ninja (dữ liệu thử)',
  seller_address: 'Số 1 Phố Thử, Hà Nội',
  seller_hotline: '1900 0000',
  seller_email: 'khieunai@example.com',

  // Fictitious accounts: no real money can be sent in a demo.
  bank_account_vietcombank: JSON.stringify({
    bin: '970436',
    number: '0011000000001',
    name: 'CONG TY TINH HOA NINJA',
  }),
  bank_account_acb: JSON.stringify({ bin: '970416', number: '123456789', name: 'CONG TY TINH HOA NINJA' }),
  bank_account_momo: JSON.stringify({
    bin: '971025',
    number: 'PSP000000000000001',
    name: 'TINH HOA NINJA',
    reference: 'MOMOW2W00000001',
  }),

  check_in_enabled: '1',
  check_in_goods: JSON.stringify(
    Array.from({ length: 31 }, (_, index) =>
      (index + 1) % 7 === 0
        ? [
            { kind: 'luong', quantity: 100 },
            { kind: 'yen', quantity: 20_000 },
          ]
        : [{ kind: 'luong', quantity: 20 + 5 * (index % 7) }],
    ),
  ),

  program_hosts: 'tai.example.com',
  contact_hosts: 'facebook.example.com\nzalo.example.com',
  fanpage_link: 'https://facebook.example.com/tinhhoaninja',
  group_link: 'https://facebook.example.com/groups/tinhhoaninja',
  zalo_box_link_1: `${zaloBox}/tan-thu`,
  zalo_box_link_2: `${zaloBox}/truc-lam`,
  zalo_box_link_3: `${zaloBox}/bach-van`,
  zalo_box_link_4: `${zaloBox}/hong-nguyet`,
  zalo_box_link_5: `${zaloBox}/bang-hoi`,

  java_148_x1: `${downloads}/thn-148-x1.jar`,
  java_148_x3: `${downloads}/thn-148-x3.jar`,
  java_148_x6: `${downloads}/thn-148-x6.jar`,
  java_211_x1: `${downloads}/thn-211-x1.jar`,
  java_e71: `${downloads}/thn-e71.jar`,
  java_e72: `${downloads}/thn-e72.jar`,
  android_auto: `${downloads}/thn.apk`,
  pc: `${downloads}/thn-pc.zip`,
  pc_auto: `${downloads}/thn-pc-setup.exe`,
  ios: `${downloads}/ios`,
  ios_auto: `${downloads}/ios-auto`,

  android_auto_file: fileFacts('1.4.8', 24_381_204),
  pc_file: fileFacts('2.1.1', 61_204_991),
  pc_auto_file: fileFacts('2.1.1', 63_870_112),
  java_148_x1_file: fileFacts('1.4.8', 912_384),
  java_211_x1_file: fileFacts('2.1.1', 1_048_220),
}
