import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { CLASS_NAMES, headPicture, NO_HEAD_PICTURE } from '#contract/characters.ts'

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

const fileOf = (picture: string) => fileURLToPath(new URL(`../../public${picture}`, import.meta.url))

const PICTURES = 28

test('every known head has a drawing of its own, none of them the plain one', () => {
  const pictures = Array.from({ length: PICTURES }, (_, index) => headPicture(index + 1))
  const contents = pictures.map((picture) =>
    createHash('sha256')
      .update(readFileSync(fileOf(picture)))
      .digest('hex'),
  )
  expect(new Set(contents).size).toBe(PICTURES)
  expect(pictures).not.toContain(NO_HEAD_PICTURE)
})

test.each([0, -1, 29, 1.5, 99_999, Number.NaN])(
  'an unknown head (%s) gets the plain one, which exists',
  (head) => {
    expect(headPicture(head)).toBe('/images/heads/Small0.png')
    expect(existsSync(fileOf(NO_HEAD_PICTURE))).toBe(true)
  },
)
