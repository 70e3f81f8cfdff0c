import type { AccountSource, GameAccount } from './import-source.ts'

/** What an operator decided: the name on the portal, by the game's key. */
export type NewNames = ReadonlyMap<string, string>

/** The same accounts under the names that an operator gave some of them. */
export function underNewNames(source: AccountSource, newNames: NewNames): AccountSource {
  const named = <Row extends { key: string; name: string }>(row: Row) => {
    const name = newNames.get(row.key)
    return name === undefined || name === row.name ? row : { ...row, name, nameInGame: row.name }
  }
  return {
    ...source,
    async *names() {
      for await (const page of source.names()) yield page.map(named)
    },
    async *accounts() {
      for await (const page of source.accounts()) yield page.map(named)
    },
  }
}

const NAME_LENGTH_MIN = 5
const NAME_LENGTH_MAX = 20
/** Nobody poses as staff by it, and nobody's name becomes shorter than it has to be. */
const NEUTRAL = 'nhanvat'
const TRIES = ['', '1', '2', '3', '01', '02', '03']

/** Names that this one may become, the nearest first; the last is made of the game's key and hardly anybody's. */
export function candidatesFor({ key, name }: Pick<GameAccount, 'key' | 'name'>): string[] {
  const letters = inLetters(name)
  const base = letters === '' ? NEUTRAL : letters
  const ending = inLetters(key)
  const tails = [...TRIES, ending]
  const near = tails.map((tail) => base.slice(0, NAME_LENGTH_MAX - tail.length) + tail)
  const neutral = `${NEUTRAL}${ending}`.slice(0, NAME_LENGTH_MAX)
  return [...near, neutral].map((one) => one.padEnd(NAME_LENGTH_MIN, '0')).filter((one) => one !== name)
}

const inLetters = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll('đ', 'd')
    .replaceAll('Đ', 'D')
    .replace(/[^A-Za-z0-9]/g, '')
