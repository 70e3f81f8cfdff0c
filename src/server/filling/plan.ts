/** What is made: so many players with so many lines in each one's statement, until `now`. The same seed gives the same rows. */
export type Plan = { players: number; entries: number; seed: number; now: Date }

/** What the filled database has already: its servers, its own ledger accounts by kind, the hash of everyone's password. */
export type Existing = {
  servers: readonly string[]
  house: ReadonlyMap<string, readonly number[]>
  passwordHash: string
  /** Of gift codes. */
  codeHashes: readonly Buffer[]
}

/** How long before `now` the first player registered. */
export const SPAN_MS = 60 * 86_400_000

/** A number below 2³² that depends on the seed, on which row it is for and on what of it. */
export function pseudoRandom(plan: Pick<Plan, 'seed'>, row: number, what: number): number {
  let mixed = (plan.seed ^ Math.imul(row + 1, 0x9e3779b1) ^ Math.imul(what + 1, 0x85ebca6b)) >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

export const oneOf = <Value>(values: readonly Value[], number: number): Value =>
  values[number % values.length] as Value

const GIVEN =
  `an anh bao binh chau chi cuong dat diep dung duong giang ha hai hanh hieu hoa hoang hung huong huy khanh
 khoa kien lam lan linh loan long mai manh minh my nam nga ngan nghia ngoc nhan nhi phong phuc phuong quan quang quynh
 sang son tam tan thanh thao thien thu thuy tien toan trang tri trinh trung tu tuan tung uyen van viet vinh yen`.split(
    /\s+/,
  )
const HEROES = 'bang bao gio hac kiem lang loi long lua may nguyet phong sam sao set son tuyet vu'.split(' ')

type Seeded = Pick<Plan, 'seed'>

/** As a million players are named: many begin alike. */
export const usernameOf = (plan: Seeded, player: number): string =>
  `${oneOf(GIVEN, pseudoRandom(plan, player, 901))}${String(player + 1).padStart(4, '0')}`

export const characterNameOf = (plan: Seeded, player: number): string =>
  `${oneOf(HEROES, pseudoRandom(plan, player, 902))}${oneOf(HEROES, pseudoRandom(plan, player, 903))}${player + 1}`

/** A mobile number, another one for each player. */
export const phoneOf = (player: number): string => `849${String(player + 10_000_000).padStart(8, '0')}`

let second = Number.NaN
let text = ''

/** A moment as PostgreSQL reads it. Rows come in the order of time, so that most are of the second before. */
export function momentText(ms: number): string {
  const whole = Math.floor(ms / 1_000)
  if (whole !== second) {
    second = whole
    text = new Date(whole * 1_000).toISOString().slice(0, 20)
  }
  return `${text}${String(Math.floor(ms) - whole * 1_000).padStart(3, '0')}Z`
}
