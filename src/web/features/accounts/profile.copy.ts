import { formatNumber } from '#contract/format.ts'
import { INVITED_COUNTED_MAX } from '#contract/users.ts'

export const profileCopy = {
  rewards: 'Quà tặng',
  level: (level: number) => level > 0 && `Cấp ${level}`,
  noCharacter: (server: string) => `Máy chủ ${server}. Tài khoản chưa có nhân vật nào.`,
  rank: (rank: string, group: string) => `Hạng ${rank} · ${group}`,
  wallet: 'Ví TCoin',
  balance: 'Số dư',
  recharge: 'Nạp TCoin',
  exchange: 'Đổi lượng',
  transfer: 'Chuyển TCoin',

  invitation: 'Mời bạn bè',
  invitationLead:
    'Gửi đường dẫn này cho bạn bè. Ai đăng ký trong bảy ngày kể từ lúc bấm vào, bạn được ghi nhận là người giới thiệu.',
  invitationLink: 'Đường dẫn mời',
  invited: 'Đã mời',
  invitedCount: (count: number) => `${formatNumber(count)}${count < INVITED_COUNTED_MAX ? '' : '+'} người`,

  toInvitations: 'Mã QR, phần thưởng và người bạn đã mời',

  rankingName: 'Xếp hạng nạp',
  rankingNameLead:
    'Bảng xếp hạng nạp chỉ có những người chọn hiện tên. Mọi người chơi sẽ thấy biệt danh và tổng TCoin bạn đã nạp trong thời gian bảng tính; tên đăng nhập và nhân vật không hiện.',
  showName: 'Hiện tên tôi trên bảng xếp hạng nạp',
  nickname: 'Biệt danh',
  nicknameHint: '3 đến 20 chữ cái, chữ số, dấu cách.',
  saveName: 'Lưu lựa chọn',
  nameShown: (nickname: string) => `Bạn hiện trên bảng xếp hạng nạp với biệt danh ${nickname}.`,
  nameHidden: 'Bạn không còn hiện trên bảng xếp hạng nạp.',

  state: 'Trạng thái giao dịch',
  activated: 'Đã kích hoạt',
  activatedText: 'Bạn dùng được các tính năng chuyển TCoin, đổi lượng và mua quà.',
  notActivated: 'Chưa kích hoạt',
  notActivatedText: 'Kích hoạt một lần để mở tính năng giao dịch.',
  activate: 'Kích hoạt',
  banned: (end: string) => `Bị khóa ${end}`,
  banReason: (reason: string) => `Lý do: ${reason}`,

  staff: (roles: string) => `Ban quản trị: ${roles}`,
  roles: {
    owner: 'Chủ cổng',
    editor: 'Biên tập viên',
    cashier: 'Thu ngân',
    referee: 'Trọng tài',
    support: 'Hỗ trợ',
  },
  mayDo: (acts: string) => `Bạn được phép: ${acts}.`,
  acts: {
    'posts.write': 'viết bài',
    'settings.content': 'sửa nội dung trang',
    'settings.prices': 'sửa giá và hạn mức',
    'settings.money': 'đổi tài khoản nhận tiền',
    'bank-transfers.match': 'đối soát chuyển khoản',
    'recharge-claims.answer': 'trả lời yêu cầu kiểm tra',
    'deliveries.resolve': 'xử lý đơn giao',
    'wallet.adjust': 'điều chỉnh ví',
  },
} as const
