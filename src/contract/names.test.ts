import { describe, expect, test } from 'vitest'
import { chosenName, givenTitle } from './names.ts'
import { shownText } from './name-texts.ts'

const teamName = chosenName('tên đội', { max: 60 })
const fault = (name: string) => teamName.safeParse(name).error?.issues[0]?.message

describe('a name that a player chooses', () => {
  test.each([
    ['Rồng Lửa', 'Rồng Lửa'],
    ['Đội T1-Academy [VN] #2 & friends!', 'Đội T1-Academy [VN] #2 & friends!'],
    ['  Rồng \u00a0\u3000 Lửa ', 'Rồng Lửa'],
    ['Rồng Lửa'.normalize('NFD'), 'Rồng Lửa'],
    // As Windows types it: the letter in one piece, its tone behind it.
    ['Tiê\u0301ng Viê\u0323t', 'Tiếng Việt'],
    ['ỳ'.normalize('NFD').repeat(60), 'ỳ'.repeat(60)],
    ['S.K.T 2.0', 'S.K.T 2.0'],
  ])('%j is taken as %j', (typed, taken) => {
    expect(teamName.parse(typed)).toBe(taken)
  })

  test.each([
    ['a mark of direction', 'Đội \u202eABC'],
    ['an isolate', 'Đội \u2066ABC\u2069'],
    ['a left-to-right mark', 'Đội\u200e ABC'],
    ['a zero-width space', 'Đội\u200bABC'],
    ['a zero-width joiner', 'Đội\u200dABC'],
    ['a word joiner', 'Đội\u2060ABC'],
    ['a soft hyphen', 'Đội\u00adABC'],
    ['tag characters', 'Đội\u{e0041}\u{e0042}'],
    ['a variation selector', 'Đội A\ufe0f'],
    ['a supplementary variation selector', 'Đội A\u{e0100}'],
    ['a grapheme joiner', 'Đội\u034fABC'],
    ['a Mongolian separator', 'Đội\u180eABC'],
    ['a Hangul filler', '\u3164'],
    ['a half-width filler', 'Đội \uffa0'],
    ['a Braille blank', '\u2800\u2800'],
    ['a piled letter', `a${'\u0300'.repeat(20)}`],
    ['two tones', 'Đội A\u0300\u0301'],
    ['a private character', 'Đội \ue000'],
    ['an unassigned character', 'Đội \u{2fffe}'],
    ['half a character', 'Đội \ud800'],
    ['a line break', 'Đội\nABC'],
    ['a carriage return', 'Đội\rABC'],
    ['a line separator', 'Đội\u2028ABC'],
    ['a NUL', 'Đội\u0000'],
    ['Cyrillic letters', 'Аdmin'],
    ['Greek letters', 'Οmega'],
    ['full-width letters', 'ＡＢＣ'],
    ['mathematical letters', '𝐀𝐁𝐂'],
    ['small capitals', 'ᴀᴅᴍɪɴ'],
    ['an emoji', 'Đội 🔥'],
    ['markup', '<b>Đội</b>'],
    ['only signs', '...'],
    ['only blanks', ' \u00a0 '],
    ['an address', 'vao ninja-lau.com nhan qua'],
    ['an address in pieces', 'NINJALAU . VN'],
    ['a telephone number', 'Zalo 0912 345 678'],
    ['too many letters', 'a'.repeat(61)],
  ])('%s is refused', (_what, name) => {
    expect(fault(name)).toMatch(/^(Tên đội |Vui lòng nhập tên đội)/)
  })

  test('takes no longer for a long run of marks', () => {
    const began = performance.now()
    expect(fault(`a${'\u0300\u0323'.repeat(100_000)}`)).toBeDefined()
    expect(performance.now() - began).toBeLessThan(500)
  })
})

test('a title by staff keeps letters, signs and emoji, and loses what cannot be seen', () => {
  const title = givenTitle('tiêu đề', { max: 80 })
  expect(title.parse(' Giải\u200b hè\u00ad 🔥 ❤️ 👨‍👩‍👧 1️⃣ 忍者\u202e ')).toBe('Giải hè 🔥 ❤️ 👨‍👩‍👧 1️⃣ 忍者')
  expect(title.parse('Một\nhai')).toBe('Một hai')
  expect(title.safeParse('\u3164\u2800').error?.issues[0]?.message).toBe('Vui lòng nhập tiêu đề')
})

test('a stored name is shown without what the rule does not allow', () => {
  expect(shownText('Rồng Lửa')).toBe('Rồng Lửa')
  expect(shownText('Đội \u202eABC\u200b')).toBe('Đội ABC')
  expect(shownText(`a${'\u0300'.repeat(20)}`)).toBe('à\u0300\u0300')
  expect(shownText('Аlpha 忍者')).toBe('Аlpha 忍者')
  expect(shownText('\u3164')).toBe('(tên trống)')
  expect(shownText('')).toBe('')
})
