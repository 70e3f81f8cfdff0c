/** The texts of dialogs and lists. */
export const uiCopy = {
  close: 'Đóng',
  back: 'Quay lại',
  pages: 'Phân trang',
  previousPage: 'Trang trước',
  nextPage: 'Trang sau',
  pageOf: (page: number, last: number) => `Trang ${page}/${last}`,
} as const
