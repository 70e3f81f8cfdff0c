export const communityCopy = {
  description: 'Fanpage, nhóm Facebook và các box Zalo chính thức của game.',
  intro:
    'Nơi người chơi gặp nhau mỗi ngày. Đội vận hành không bao giờ hỏi mật khẩu hay mã OTP của bạn trong các nhóm này.',
  none: 'Chưa có nhóm nào được mở.',
  noneMore: 'Bạn quay lại sau nhé, hoặc đọc tin mới ở trang chủ.',
  toHome: 'Về trang chủ',
  facebook: 'Facebook',
  zalo: 'Nhóm trò chuyện Zalo',
  fanpage: 'Fanpage',
  fanpageNote: 'Tin nhanh và quà tặng trên Facebook',
  group: 'Nhóm Facebook',
  groupNote: 'Hỏi đáp, khoe đồ, tìm đồng đội',
  box: (number: number) => `Box Zalo ${number}`,
  zaloNote: 'Trò chuyện cùng người chơi.',
  whenFull: 'Nhóm trên đã đầy thì vào nhóm kế tiếp:',
  newTab: '(mở trong thẻ mới)',
} as const
