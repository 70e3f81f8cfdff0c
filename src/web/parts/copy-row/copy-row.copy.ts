export const copyRowCopy = {
  copy: 'Sao chép',
  copied: 'Đã sao chép',
  copyFailed: 'Không sao chép được, vui lòng chọn và sao chép bằng tay',
} as const
