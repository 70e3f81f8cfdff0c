import { kitCopy } from '#admin/kit/kit.copy.ts'
import { formatNumber } from '#contract/format.ts'
export const settingsCopy = {
  sectionsLabel: 'Mục cài đặt',
  sections: kitCopy.setting.sections,
  notes: {
    content: 'Thay đổi hiện với người chơi ngay sau khi lưu.',
    links:
      'Người chơi tải game, gọi điện và vào nhóm theo đây. Mỗi thay đổi cần mã xác thực hai lớp vừa nhập, rồi chờ người thứ hai duyệt ở mục Đề xuất.',
    prices:
      'Mỗi thay đổi cần mã xác thực hai lớp vừa nhập, rồi chờ người thứ hai duyệt ở mục Đề xuất. Đơn nạp đã tạo giữ tỉ lệ lúc tạo.',
    money:
      'Mỗi thay đổi cần mã xác thực hai lớp vừa nhập, rồi chờ người thứ hai xem mã QR thử và duyệt ở mục Đề xuất.',
  },
  readOnly: 'Vai trò của bạn chỉ được xem mục này.',
  proposals: 'Mở mục Đề xuất',
  waiting: 'Đang chờ người thứ hai duyệt',
  panels: {
    general: 'Chung',
    seller: 'Đơn vị vận hành và giấy phép',
    downloads: 'Tải game',
    community: 'Box Zalo, fanpage và nhóm',
    hosts: 'Nơi được phép dẫn tới',
    exchange: 'Đổi lượng',
    recharge: 'Nạp TCoin',
    transfer: 'Chuyển TCoin',
    accounts: 'Tài khoản nhận',
    checkIn: 'Điểm danh hằng ngày',
  },
  checkIns: 'Số người điểm danh 31 ngày qua',
  changed: (count: number) => `${count} thay đổi chưa lưu`,
  save: 'Lưu thay đổi',
  drop: 'Bỏ thay đổi',
  wrong: 'Có giá trị chưa hợp lệ, hãy sửa trước khi lưu.',
  confirmTitle: 'Lưu cài đặt',
  between: (min: string, max: string) => `Từ ${min} đến ${max}.`,
  atMost: (max: string) => `Tối đa ${max} ký tự.`,
  calendarHint:
    'Mỗi dòng một ngày hoặc một khoảng ngày, ví dụ “1-6: 50 lượng” hay “7: 500 lượng + 2,000 yên + 1 thu-cung 7 ngày” (vật phẩm viết bằng mã của game).',
  amountsHint: 'Các số cách nhau bằng dấu cách; không dùng dấu ngăn nghìn.',
  isOn: 'Bật',
  history: 'Lịch sử',
  historyOf: (label: string) => `Lịch sử của ${label}`,
  setAt: (moment: string) => `Đổi lúc ${moment}`,
  neverSet: 'Giá trị ban đầu',
  testQr: 'Xem mã QR thử',
  testQrTitle: 'Mã QR thử',
  othersChanged: (value: string) => `Người khác vừa đổi thành: ${value}`,
  takeTheirs: 'Lấy giá trị này',
  keepMine: 'Giữ giá trị của tôi',
  noHistory: 'Chưa ai thay đổi cài đặt này.',
  older: 'Cũ hơn',
  bank: {
    label: 'Ngân hàng',
    hint: 'Tiền phải về đúng ngân hàng này. Với ví MoMo, chọn đúng nơi ghi trong mã QR gốc của ví.',
    none: 'Chưa chọn',
    refused: (bin: string) => `${bin}: không còn dùng được cho kênh này`,
  },
  accountHints: {
    number: 'Chữ số, hoặc chữ in hoa không dấu.',
    reference: 'Chỉ ví MoMo: nhãn 62-05 trong mã QR gốc của ví.',
    phone_tail: 'Chỉ ví MoMo: ba số cuối điện thoại.',
  } as Record<string, string>,
  file: {
    choose: 'Tính dung lượng và SHA-256 từ tệp',
    hint: 'Chọn đúng tệp mà liên kết trên dẫn đến, tốt nhất là tải về từ chính liên kết đó. Tệp không được gửi đi đâu.',
    computing: 'Đang tính…',
    known: (bytes: number | undefined, sha256: string | undefined) =>
      [
        bytes === undefined ? 'Chưa có dung lượng' : `${formatNumber(bytes)} byte`,
        sha256 === undefined ? 'chưa có SHA-256' : `SHA-256: ${sha256}`,
      ].join(' · '),
    forget: 'Bỏ dung lượng và SHA-256',
    failed: 'Trình duyệt không đọc được tệp này',
  },
} as const
