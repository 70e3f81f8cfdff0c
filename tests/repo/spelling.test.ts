import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Where texts stand that players and operators read: in programs, seeds, mails, SQL and documents. */
const TEXTS = ['src', 'seeds', 'sql', 'migrations', 'public', 'docs', 'deploy', 'README.md']
/** Tests write names as players do, in every form. */
const IS_TEST = /\.test\.tsx?$|\/testing\//

const TONES = /[\u0300\u0301\u0303\u0309\u0323]/

/**
 * By what two spellings of a syllable are compared: its tone stands apart, as in hòa and hoà, and a final i or y after a
 * consonant is one letter, as in lý and lí.
 */
function sound(syllable: string): string {
  const letters = [...syllable.normalize('NFD')]
  const tone = letters.find((letter) => TONES.test(letter)) ?? ''
  const plain = letters.filter((letter) => !TONES.test(letter)).join('')
  return plain.normalize('NFC').replace(/^(qu|[^aeiouyăâêôơư]+)[iy]$/, '$1i') + tone
}

test('every syllable of a Vietnamese text has one spelling', () => {
  const files = execFileSync('git', ['ls-files', ...TEXTS], { encoding: 'utf8' })
    .trim()
    .split('\n')
  const read = files.filter((file) => /\.(tsx?|sql|md|html|yml|java)$/.test(file) && !IS_TEST.test(file))
  const places = new Map<string, Map<string, string>>()
  for (const file of read) {
    const text = readFileSync(file, 'utf8').normalize('NFC')
    for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
      // Without a mark it may be English.
      if (/^[a-z]+$/.test(word)) continue
      const spellings = places.get(sound(word)) ?? new Map<string, string>()
      if (!spellings.has(word)) spellings.set(word, file)
      places.set(sound(word), spellings)
    }
  }
  expect(places.size).toBeGreaterThan(1_000)
  const twice = [...places.values()].filter((spellings) => spellings.size > 1)
  expect(twice.map((spellings) => [...spellings])).toEqual([])
})

test('an arrow of a link never stands alone in a line', () => {
  const files = execFileSync('git', ['ls-files', 'src/web', 'src/ui'], { encoding: 'utf8' })
    .trim()
    .split('\n')
  const alone = files
    .filter((file) => file.endsWith('.tsx') && !IS_TEST.test(file))
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => /\S →|← \S/.test(line) && !/^\s*(\/?\*|\/\/)/.test(line))
  expect(alone).toEqual([])
})
