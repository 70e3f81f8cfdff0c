export const fieldCopy = {
  optional: '(không bắt buộc)',
  placeholder: (label: string) => `Nhập ${label.toLowerCase()}`,
} as const
