import type { Read } from './reading.ts'

// Whether two notices are one transfer, by the text of docs/decisions/0079 (§3, §4). Nothing here is the portal's.

const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

export function letters(text: string): string {
  const bare = text.normalize('NFD').replace(/\p{M}/gu, '').replace(/[đĐ]/g, 'd')
  return bare.toUpperCase().replace(/[^A-Z0-9]/g, '')
}

/** The check character closes the sum of 3^place times each letter's place, modulo 31. */
export function isCode(text: string): boolean {
  const [, body = '', check = ''] = /^TCX(.{9})(.)$/.exec(text) ?? []
  const values = [...body].map((letter) => ALPHABET.indexOf(letter))
  if (values.length !== 9 || values.includes(-1)) return false
  return ALPHABET[values.reduce((sum, value, at) => sum + 3 ** (at + 1) * value, 0) % 31] === check
}

export function codesIn(...texts: string[]): string[] {
  const found = texts.map(letters).flatMap((text) => {
    const places = Array.from(text, (_, at) => text.slice(at, at + 13))
    return places.filter(isCode)
  })
  return [...new Set(found)]
}

export function codesOf({ provider, code, memo, line }: Read): string[] {
  if (provider === 'momo') return code !== null && isCode(code) ? [code] : []
  return codesIn(code ?? '', memo, line)
}

const seconds = (moment: Date) => Math.floor(moment.getTime() / 1_000)

/** Whether what came under one id twice says the same. */
export function saysTheSame(known: Read, again: Read, isPulled: boolean): boolean {
  const equal = (one: string, other: string) => one === '' || other === '' || one === other
  const accounts = (read: Read) => [read.account, read.virtual ?? ''].filter((one) => one !== '')
  const [ours, theirs] = [accounts(known), accounts(again)]
  return (
    known.direction === again.direction &&
    known.amount === again.amount &&
    equal((known.reference ?? '').toUpperCase(), (again.reference ?? '').toUpperCase()) &&
    equal(known.code ?? '', again.code ?? '') &&
    equal(letters(known.memo), letters(again.memo)) &&
    (ours.length === 0 || theirs.length === 0 || ours.some((one) => theirs.includes(one))) &&
    (isPulled || known.at === null || again.at === null || seconds(known.at) === seconds(again.at))
  )
}

export type Likeness = 'same' | 'doubt' | 'another'
type Compared = 'agrees' | 'differs' | 'unknown'

export function likeness(known: Read, read: Read, isOrder: (code: string) => boolean): Likeness {
  const isOne = known.provider === read.provider
  const time = times(known.at, read.at, isOne)
  const payer = payers(known.payer, read.payer)
  const memo = memos(known, read)
  const amount = known.amount === read.amount
  if (ownOrders(known, read, isOrder)) return 'another'
  if (isOne && (time === 'differs' || payer === 'differs')) return 'another'
  if (!isOne && time === 'differs' && payer === 'differs') return 'another'
  if (isOne && amount && time === 'agrees' && memo === 'agrees') return 'same'
  if (!isOne && amount && ![time, payer, memo].includes('differs')) return 'same'
  return 'doubt'
}

const HOUR = 3_600
const vietnam = (moment: Date) => new Date(moment.getTime() + 7 * HOUR * 1_000).toISOString()

function times(one: Date | null, other: Date | null, isOneProvider: boolean): Compared {
  if (one === null || other === null) return 'unknown'
  const apart = Math.abs(seconds(one) - seconds(other))
  const isDay = [one, other].some((moment) => vietnam(moment).slice(11, 19) === '00:00:00')
  if (isDay && vietnam(one).slice(0, 10) === vietnam(other).slice(0, 10)) return 'unknown'
  if (apart <= (isOneProvider ? 0 : 600)) return 'agrees'
  return apart <= (isOneProvider ? 60 : 24 * HOUR) ? 'unknown' : 'differs'
}

function payers(one: string | null, other: string | null): Compared {
  const isKnown = (payer: string | null): payer is string =>
    payer !== null && !/[*x]/i.test(payer) && letters(payer).length >= 6
  if (!isKnown(one) || !isKnown(other)) return 'unknown'
  return letters(one) === letters(other) ? 'agrees' : 'differs'
}

function memos(known: Read, read: Read): Compared {
  const [one, other] = [letters(known.memo), letters(read.memo)]
  if (one === '' || other === '') return 'unknown'
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short === long || (short.length >= 8 && long.includes(short))) return 'agrees'
  const [codes, others] = [codesOf(known).toSorted(), codesOf(read).toSorted()]
  return codes.length > 0 && codes.join() === others.join() ? 'agrees' : 'differs'
}

function ownOrders(known: Read, read: Read, isOrder: (code: string) => boolean): boolean {
  const [codes, others] = [codesOf(known), codesOf(read)]
  if (codes.length !== 1 || others.length !== 1) return false
  return codes[0] !== others[0] && isOrder(others[0] as string)
}
