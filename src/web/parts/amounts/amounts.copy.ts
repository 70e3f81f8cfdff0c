export const amountsCopy = {
  notWhole: 'Số tiền phải là số nguyên, không có phần lẻ hay dấu trừ',
  missing: (amount: string) => `Bạn còn thiếu: ${amount}, vui lòng nạp thêm tiền`,
  recharge: 'Nạp TCoin còn thiếu',
} as const
