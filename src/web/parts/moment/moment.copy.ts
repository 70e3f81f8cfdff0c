export const momentCopy = {
  steps: 'Diễn biến',
  lost: 'Mất kết nối với máy chủ, đang thử lại…',
  share: 'Chia sẻ ảnh',
  shareFailed: 'Không tạo được ảnh, bạn có thể chụp màn hình',
  fileName: 'khoe-thanh-tich.png',
} as const
