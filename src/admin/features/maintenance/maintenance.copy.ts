import { SECTION_WORDS } from '#contract/operator/words.ts'

export const maintenanceCopy = {
  title: 'Bảo trì',
  lead: 'Mục đang đóng: người chơi đọc thông báo trên mọi trang và thao tác của họ bị từ chối; người vận hành vẫn dùng được để thử. Tiền chuyển khoản và tin nhắn đến vẫn được nhận.',
  sections: {
    all: {
      name: SECTION_WORDS.all,
      what: 'Đăng nhập, đăng ký và mọi thao tác của người chơi; tin tức vẫn đọc được.',
    },
    recharge: { name: SECTION_WORDS.recharge, what: 'Tạo đơn nạp mới. Đơn đã tạo vẫn được cộng.' },
    exchange: { name: SECTION_WORDS.exchange, what: 'Đổi TCoin lấy lượng.' },
    gift: { name: SECTION_WORDS.gift, what: 'Mua gói quà.' },
    transfer: { name: SECTION_WORDS.transfer, what: 'Chuyển cho người chơi khác.' },
  },
  open: 'Đang mở',
  closed: 'Đang đóng',
  over: 'Đã hết hạn, đang mở',
  until: (moment: string) => `đến ${moment}`,
  untilOpened: 'đến khi mở lại',
  close: 'Đóng',
  change: 'Sửa thông báo',
  reopen: 'Mở lại',
  closeTitle: (name: string) => `Đóng ${name}`,
  openTitle: (name: string) => `Mở lại ${name}`,
  message: 'Thông báo cho người chơi',
  messageShort: 'Thông báo tối thiểu 3 kí tự',
  end: 'Tự mở lại lúc',
  endHint: 'Giờ Việt Nam. Bỏ trống: đóng đến khi có người mở lại.',
} as const
