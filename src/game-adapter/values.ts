import { mended } from './mended-text.ts'

/**
 * A whole number of the game's database, whatever its column is: number, text, decimal. Nothing there is zero. Undefined for
 * what is no number, or more than can be counted exactly.
 */
export function readNumber(value: unknown): number | undefined {
  if (value === null || value === undefined || value === '') return 0
  const number = typeof value === 'string' && !/^-?\d{1,30}(\.0*)?$/.test(value) ? Number.NaN : Number(value)
  return Number.isSafeInteger(number) ? number : undefined
}

/** 0, nothing and an empty text are no. A column of type BIT comes as bytes. */
export function isSet(value: unknown): boolean {
  if (Buffer.isBuffer(value)) return value.some((byte) => byte !== 0 && byte !== 0x30)
  return readNumber(value) !== 0
}

/** Level, head and class, as far as the contract takes them: a head of -1 is none. */
export function readSmallNumber(value: unknown): number {
  const number = readNumber(value) ?? 0
  return number >= 0 && number <= 100_000 ? number : 0
}

/** A name as the contract takes it; undefined when it is none. */
export function readName(value: unknown): string | undefined {
  const name = nameOf(value)
  return name !== undefined && name.length >= 1 && name.length <= 64 ? name : undefined
}

/** A text, which in columns of type BINARY or BLOB comes as bytes. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return Buffer.isBuffer(value) ? value.toString('utf8') : undefined
}

/** What somebody is called, in the letters that were meant. */
export function nameOf(value: unknown): string | undefined {
  const text = textOf(value)
  return text === undefined ? undefined : mended(text)
}

const NAMES_MAX = 50

/** The names in a JSON list; undefined when the text is no such list. An account without characters has none. */
export function readNames(value: unknown): string[] | undefined {
  const text = value === null || value === undefined ? '' : textOf(value)
  if (text === undefined) return undefined
  if (text.trim() === '') return []
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    return undefined // broken JSON
  }
  if (!Array.isArray(list)) return undefined
  const names = list.slice(0, NAMES_MAX).map(readName)
  return names.every((name) => name !== undefined) ? [...new Set(names)] : undefined
}

const EXACT_MOMENT = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(\.\d{1,6})?$/

/** A DATETIME in UTC, as the driver gives it, to ISO; null for none. */
export function momentOf(value: unknown): string | null {
  const [, day = '', time = '', fraction = ''] = EXACT_MOMENT.exec(textOf(value) ?? '') ?? []
  return day === '' ? null : `${day}T${time}.${(fraction.slice(1) + '000').slice(0, 3)}Z`
}

/** A moment as a DATETIME(3) in UTC. */
export const dateTimeOf = (moment: Date) => moment.toISOString().slice(0, 23).replace('T', ' ')

/** The accounts that the portal may have. */
export const NAME_LENGTH = { min: 5, max: 20 }

export const keyOf = (account: string) => account.toLowerCase()

export const isUsableLength = ({ length }: string) => length >= NAME_LENGTH.min && length <= NAME_LENGTH.max
