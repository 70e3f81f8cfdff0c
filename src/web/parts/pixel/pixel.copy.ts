export const pixelCopy = {
  title: 'Cho phép đo quảng cáo?',
  question:
    'Nếu bạn đồng ý, trang tải công cụ Meta Pixel để Facebook đếm lượt xem bài, đăng ký và lần nạp đầu. Tên tài khoản, số điện thoại và số tiền không bao giờ được gửi đi. Bạn có thể đổi ý bất cứ lúc nào ở cuối trang.',
  current: { granted: 'Hiện tại: bạn đã đồng ý.', denied: 'Hiện tại: bạn không đồng ý.' },
  agree: 'Đồng ý',
  refuse: 'Không đồng ý',
} as const
