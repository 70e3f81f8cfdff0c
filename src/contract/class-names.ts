/** Class names by index (spec §3): the arena's six schools, 0 = not yet in the arena. */
export const CLASS_NAMES = [
  'Chưa vào trường',
  'Kiếm',
  'Phi tiêu',
  'Kunai',
  'Cung',
  'Đao',
  'Lưỡi hái',
] as const

/** The same where there is little room. */
export const CLASS_SHORT_NAMES = ['Chưa vào', 'Kiếm', 'Tiêu', 'Kunai', 'Cung', 'Đao', 'Hái'] as const
