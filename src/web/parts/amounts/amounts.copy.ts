export const amountsCopy = {
  notWhole: 'Số tiền phải là số nguyên, không có phần lẻ hay dấu trừ',
} as const
