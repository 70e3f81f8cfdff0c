import type { NewCharacter } from './game-bridge.rules.ts'

/** Drawn heads are numbered class by class from 1, four looks each. */
const LOOKS_PER_CLASS = 4

/**
 * How a starter's name begins, by class. No word is the beginning of another, so two accounts can never come to the
 * same name.
 */
const NAME_WORDS = ['moi', 'kiem', 'tieu', 'kunai', 'cung', 'dao', 'hai'] as const

/** FNV-1a: spreads account names evenly, and the same name always comes to the same number. */
function spread(text: string): number {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}

function starter(account: string, classId: number, levels: { from: number; to: number }): NewCharacter {
  const name = `${NAME_WORDS[classId]}${account}`
  const chance = spread(name)
  const level = levels.from + (chance % (levels.to - levels.from + 1))
  const look = (chance >>> 8) % LOOKS_PER_CLASS
  return { name, head: classId * LOOKS_PER_CLASS + look + 1, classId, level, luong: 0, yen: level * 10_000 }
}

/** The three characters a new account finds in the embedded game: a veteran, a younger one, and a newcomer. */
export function starterCharacters(account: string): NewCharacter[] {
  const chance = spread(account)
  const first = 1 + (chance % 6)
  const second = 1 + ((first + ((chance >>> 8) % 5)) % 6)
  return [
    starter(account, first, { from: 40, to: 90 }),
    starter(account, second, { from: 15, to: 39 }),
    starter(account, 0, { from: 1, to: 9 }),
  ]
}
