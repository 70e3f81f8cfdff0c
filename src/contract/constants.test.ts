import { expect, test } from 'vitest'
import { AGE_CLASSES, ageNotice, USUAL_AGE_CLASS } from './constants.ts'

test('the notice names the age of its class', () => {
  expect(AGE_CLASSES.map((one) => /Game dành cho (.*?)\./.exec(ageNotice(one))?.[1])).toEqual([
    'mọi lứa tuổi',
    'người chơi từ 12 tuổi trở lên',
    'người chơi từ 16 tuổi trở lên',
    'người chơi từ 18 tuổi trở lên',
  ])
  expect(ageNotice(USUAL_AGE_CLASS)).toContain('180 phút một ngày')
})
