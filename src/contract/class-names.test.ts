import { expect, test } from 'vitest'
import { CLASS_NAMES, CLASS_SHORT_NAMES } from '#contract/class-names.ts'

test('the classes have the names of the specification, by their number', () => {
  expect({ ...CLASS_NAMES }).toEqual({
    0: 'Chưa vào trường',
    1: 'Kiếm',
    2: 'Phi tiêu',
    3: 'Kunai',
    4: 'Cung',
    5: 'Đao',
    6: 'Lưỡi hái',
  })
})

test('every class has a short name that is no longer than its name', () => {
  expect(CLASS_SHORT_NAMES).toHaveLength(CLASS_NAMES.length)
  for (const [index, short] of CLASS_SHORT_NAMES.entries())
    expect(short.length).toBeLessThanOrEqual(CLASS_NAMES[index]?.length ?? 0)
  expect(new Set(CLASS_SHORT_NAMES).size).toBe(CLASS_SHORT_NAMES.length)
})
