export const consentsCopy = {
  notice: 'Mời bạn đọc và xác nhận',
  noticeText: 'Các văn bản đang áp dụng mà bạn chưa xác nhận. Bạn vẫn dùng cổng bình thường.',
  named: (title: string, version: number) => `${title} (bản ${version})`,
  agree: 'Đồng ý',
  later: 'Để sau',
} as const
