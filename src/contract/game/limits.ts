import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { NAME_LENGTH, PASSWORD_LENGTH, secretLength } from '../fields.ts'

const count = z.int('a whole number').check(z.gte(1, '1 to 64'), z.lte(64, '1 to 64'))

/** `letters` reads as one class of a regular expression, and can end it nowhere. */
const CLASS = /^(?:[ -Z_-~]|\\[dw._-])+$/
const LETTERS = 'as in the brackets of a regular expression, such as a-z0-9'

const lengths = { least: z.optional(count), most: z.optional(count) }
const letters = z
  .string('a text')
  .check(z.maxLength(64, LETTERS), z.regex(CLASS, LETTERS), z.refine(isClass, LETTERS))

export const nameLimits = { ...lengths, letters: z.optional(letters) }
export const passwordLimits = lengths

export type Lengths = { least?: number | undefined; most?: number | undefined }
export type NameLimits = Lengths & { letters?: string | undefined }

/** What the game takes as names and passwords of its accounts; what it does not say it does not limit. */
export const gameLimits = z.object({
  name: z.optional(z.object(nameLimits)),
  password: z.optional(z.object(passwordLimits)),
})
export type GameLimits = z.output<typeof gameLimits>

export const getGameLimits = endpoint('GET', '/game-limits', 'open', {
  summary: 'What the game takes as names and passwords, beside the rules of the portal.',
  answer: gameLimits,
})

function isClass(written: string): boolean {
  try {
    return new RegExp(`[${written}]`).source !== ''
  } catch {
    return false
  }
}

const LETTERS_OF_NAMES = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Of the letters and digits that names have at the portal those that the game takes; it gets names in lower case. */
export function lettersOf({ name }: { name?: NameLimits | undefined }): string {
  const written = name?.letters
  if (written === undefined) return LETTERS_OF_NAMES
  const taken = new RegExp(`[${written}]`, 'i')
  return Array.from(LETTERS_OF_NAMES)
    .filter((letter) => taken.test(letter))
    .join('')
}

/** As ranges: `a–f, x, 0–9`. */
export function lettersInWords(limits: GameLimits): string {
  const runs = lettersOf(limits).match(/[a-z]|\d/g) ?? []
  const ranges: [string, string][] = []
  for (const letter of runs) {
    const last = ranges.at(-1)
    if (last !== undefined && letter.charCodeAt(0) === last[1].charCodeAt(0) + 1) last[1] = letter
    else ranges.push([letter, letter])
  }
  return ranges.map(([from, to]) => (from === to ? from : `${from}–${to}`)).join(', ')
}

export const hasAllLetters = (limits: GameLimits): boolean =>
  lettersOf(limits).length === LETTERS_OF_NAMES.length

/** The portal's own rules are the outer bounds. */
const within = (own: Required<Lengths>, { least = 1, most = 64 }: Lengths = {}) => ({
  least: Math.max(own.least, least),
  most: Math.min(own.most, most),
})

export const nameLengthOf = ({ name }: { name?: Lengths | undefined }) => within(NAME_LENGTH, name)
export const passwordLengthOf = ({ password }: { password?: Lengths | undefined }) =>
  within(PASSWORD_LENGTH, password)

function lengthFault(what: string, length: number, own: Required<Lengths>, limits: Lengths = {}) {
  const { least, most } = within(own, limits)
  if (length >= own.least && length < least) return `${what} trong game có tối thiểu ${least} ký tự`
  return length <= own.most && length > most ? `${what} trong game có tối đa ${most} ký tự` : null
}

/** Why an account of a name that the portal's own rules take could not enter the game, as a sentence for the player. */
export function nameFault(limits: GameLimits, name: string): string | null {
  const taken = lettersOf(limits)
  const isWritable = Array.from(name.toLowerCase()).every(
    (letter) => taken.includes(letter) || !LETTERS_OF_NAMES.includes(letter),
  )
  return (
    lengthFault('Tên đăng nhập', name.length, NAME_LENGTH, limits.name) ??
    (isWritable ? null : `Tên đăng nhập trong game chỉ gồm ${lettersInWords(limits)}`)
  )
}

/** The same of a password. */
export const passwordLimitFault = (limits: GameLimits, password: string): string | null =>
  lengthFault('Mật khẩu', secretLength(password), PASSWORD_LENGTH, limits.password)
