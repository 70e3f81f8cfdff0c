import type { Random } from '../../harness/numbers.ts'

const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

/** The code's check character as in the specification: Σ 3^i·v_i mod 31 over the nine characters before it. */
export function codeOf(random: Random): string {
  const values = Array.from({ length: 9 }, () => random.below(LETTERS.length))
  let weight = 1
  let sum = 0
  for (const value of values) {
    weight = (weight * 3) % 31
    sum += weight * value
  }
  return `TCX${[...values, sum % 31].map((value) => LETTERS.charAt(value)).join('')}`
}

/** What happens to one order and its money. */
export type OrderCase =
  | 'exact'
  | 'under'
  | 'over'
  | 'below-minimum'
  | 'above-maximum'
  | 'twice'
  | 'late'
  | 'late-other-rate'
  | 'too-late'
  | 'cancelled'
  | 'no-code'
  | 'two-codes'
  | 'unknown-code'
  | 'foreign'
  | 'wrong-account'
  | 'outgoing'
  | 'trial'
  | 'failed'
  | 'conflict'
  | 'unreported'

/** Each with its weight in the random choice. */
export const CASES: [OrderCase, number][] = [
  ['exact', 34],
  ['under', 6],
  ['over', 6],
  ['below-minimum', 2],
  ['above-maximum', 1],
  ['twice', 6],
  ['late', 7],
  ['late-other-rate', 2],
  ['too-late', 3],
  ['cancelled', 3],
  ['no-code', 9],
  ['two-codes', 3],
  ['unknown-code', 3],
  ['foreign', 3],
  ['wrong-account', 3],
  ['outgoing', 3],
  ['trial', 1],
  ['failed', 2],
  ['conflict', 2],
  ['unreported', 2],
]

/** How banks and payers change a memo. Changes of the first kind leave the code readable, those of the second destroy it. */

const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

const shapes: ((code: string, random: Random) => string)[] = [
  (code) => code.toLowerCase(),
  (code) => `MBVCB.3278907687.${code}.CT tu 0011000000009 NGUYEN VAN A toi 0011000000001 CONG TY B`,
  (code) => `MBVCB.15444160238.6218BFTVG2XXXXXX.${code}`,
  (code, random) => `884114.201126.${100_000 + random.below(900_000)}.${code}`,
  (code) => `311447.201126.213735.15330734312-0901234567-${code}`,
  (code) => `${code} GD 789604-201126 00:05:38`,
  (code, random) => {
    const cut = 4 + random.below(8)
    return `${code.slice(0, cut)} ${code.slice(cut)}`
  },
  (code) => code.match(/.{1,4}/g)!.join('-'),
  (code) => [...code].join(' '),
  (code) => `Nạp tiền ${code} cảm ơn`,
  (code) => `naptcoin${code.toLowerCase()}xin cam on`,
  (code) => `${code}.${code}`,
  // The same letters with diacritics, as a phone's keyboard may add them.
  (code) => code.normalize('NFD').replace(/A/g, 'Á').replace(/E/g, 'Ệ').replace(/D/g, 'Đ'),
  (code) => `Ủng hộ_${code}_0912345678 20261120`,
]

export const harmless = (code: string, random: Random) => random.pick(shapes)(code, random)

const breaks: ((code: string, random: Random) => string)[] = [
  (code, random) => code.slice(0, 3 + random.below(9)),
  (code) => code.slice(1),
  (code) => code.slice(0, -1),
  (code, random) => {
    const at = 3 + random.below(10)
    const now = ALPHABET.indexOf(code.charAt(at))
    const other = ALPHABET.charAt((now + 1 + random.below(ALPHABET.length - 1)) % ALPHABET.length)
    return code.slice(0, at) + other + code.slice(at + 1)
  },
  (code, random) => {
    const at = 3 + random.below(9)
    const swapped = code.charAt(at + 1) + code.charAt(at)
    const broken = code.slice(0, at) + swapped + code.slice(at + 2)
    return broken === code ? code.slice(0, -2) : broken
  },
  () => 'chuyen tien',
  () => '',
  (_code, random) => `naptien thuthach${random.below(1_000)}`,
  () => 'MBVCB.15444160238.6218BFTVG2XXXXXX.NGUYEN VAN A chuyen FT24255276428461',
]

export const harmful = (code: string, random: Random) => random.pick(breaks)(code, random)
