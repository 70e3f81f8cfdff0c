import { expect, test } from 'vitest'
import { skeletonOf } from './name-skeleton.rules.ts'

test.each([
  ['decomposed letters', 'Rồng Lửa'.normalize('NFD')],
  ['two blanks', 'Rồng  Lửa'],
  ['a blank that does not break', 'Rồng\u00a0Lửa'],
  ['no blank', 'RồngLửa'],
  ['other marks', 'Rong Lửạ'],
  ['capitals', 'RỒNG LỬA'],
  ['a sign', 'Rồng-Lửa.'],
  ['a Cyrillic letter', 'Rồng Lửа'],
  ['Greek letters', 'Rοng Luα'],
  ['full-width letters', 'Ｒｏｎｇ Ｌｕａ'],
  ['mathematical letters', '𝐑𝐨𝐧𝐠 𝐋𝐮𝐚'],
  ['letters in circles', 'Ⓡⓞⓝⓖ Ⓛⓤⓐ'],
  ['small capitals', 'ʀᴏɴɢ ʟᴜᴀ'],
  ['digits for letters', 'R0ng 1ua'],
  ['I for l', 'Rong Iua'],
  ['what cannot be seen', 'Rồng\u200b\u00ad Lửa\u202e'],
])('the skeleton of a name is that of the same name with %s', (_what, twin) => {
  expect(skeletonOf(twin)).toBe(skeletonOf('Rồng Lửa'))
})

test.each([
  ['l, I, i and 1', ['lion', 'Iion', 'iion', '1ion', 'LION']],
  ['0 and O', ['d0ng', 'dong', 'DONG', 'Đông']],
  ['rn and m', ['modern', 'modem']],
  ['vv and w', ['vvind', 'wind']],
  ['cl and d', ['clark', 'dark']],
  ['Cyrillic letters of either case', ['ВОВА', 'вова', 'BOBA', 'boba']],
  ['Greek letters of either case', ['ΑΒΕ', 'abe']],
])('%s are one letter', (_what, names) => {
  expect(new Set(names.map(skeletonOf)).size).toBe(1)
})

test('names that a reader tells apart have other skeletons', () => {
  const names = [
    'Rồng Lửa',
    'Rồng Lửa 2',
    'Rồng Đất',
    'Đội 1',
    'Đội 2',
    'Đội 10',
    'Đội 12',
    '忍者',
    '忍',
    '🔥',
    '★',
    '',
  ]
  expect(new Set(names.map(skeletonOf)).size).toBe(names.length)
})

test('a skeleton of the rule’s own names has letters and digits only', () => {
  expect(skeletonOf('Đội T1-Academy [VN] #2 & friends!')).toMatch(/^[a-z0-9]+$/)
})
