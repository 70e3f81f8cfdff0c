import { expect, test } from 'vitest'
import { asStored, isLatin1, mended } from './mended-text.ts'

test.each(['Nguyễn', 'Đặng Thị Ổi', 'Ngà', 'ĂẮẰẲẴẶ', 'tên 💰', 'Ð', 'œ€'])(
  'UTF-8 that was taken for latin1 is read as it was meant: %s',
  (name) => {
    expect(asStored(name)).not.toBe(name)
    expect(isLatin1(asStored(name))).toBe(true)
    expect(mended(asStored(name))).toBe(name)
  },
)

test.each(['', 'tuan', 'Nguyễn', 'Ngà', 'café', 'Đặng', 'Â', 'Ã'])('any other text stays: %j', (name) => {
  expect(mended(name)).toBe(name)
})
