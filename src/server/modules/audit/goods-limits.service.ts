import type { GoodsUse } from '#contract/operator/rewards/goods-limits.ts'
import { formatNumber } from '#contract/format.ts'
import { LOAD } from '#server/domain/goods-catalogue.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { conflict } from '#server/platform/values/errors.ts'
import {
  type GoodsAmount,
  insertPromise,
  isPromised,
  lockGoods,
  type NewPromise,
  type PromiseKey,
  sumPromises,
  takeGiven,
} from './goods-limits.queries.ts'

export { addGiven, endPromise, type GoodsAmount, type PromiseKey } from './goods-limits.queries.ts'

type LimitName = GoodsUse['limits'][number]['name']

/** The most luong and loads that goods may come to. */
export type GoodsLimits = Record<LimitName, { luong: number; loads: number }>

const NOTHING: GoodsAmount = { luong: 0n, loads: 0n }

const LIMIT_WORDS: Record<LimitName, string> = {
  alone: 'một người tự quyết trong 24 giờ',
  act: 'một lần',
  operator: 'một người vận hành trong 24 giờ',
  day: 'cả ban vận hành trong 24 giờ',
  budget: 'ngân sách quà trong 30 ngày',
}

const inLoads = (loads: bigint): number => Number(loads) / Number(LOAD)

type Compared = { amount: bigint; used: bigint; limit: bigint; inWords: (amount: bigint) => string }

/** Null: what is wished for and what is used come to no more than the limit. */
function whyBeyond({ amount, used, limit, inWords }: Compared, name: LimitName): string | null {
  if (amount + used <= limit || amount === 0n) return null
  const left = limit > used ? limit - used : 0n
  const past = name === 'act' ? '' : `, đã dùng ${inWords(used)}, còn ${inWords(left)}`
  return `Tặng nhiều nhất ${inWords(amount)}, quá mức của ${LIMIT_WORDS[name]}: ${inWords(limit)}${past}`
}

/** Why goods may not be given beside what is used of a limit; null: they may. */
function whyAbove(
  { luong, loads }: GoodsAmount,
  { name, limits, used = NOTHING }: { name: LimitName; limits: GoodsLimits; used?: GoodsAmount },
): string | null {
  const limit = limits[name]
  const inLuong = (amount: bigint) => `${formatNumber(amount)} lượng`
  const ofItems = (amount: bigint) => `${formatNumber(inLoads(amount))} lần mức tối đa của một món`
  return (
    whyBeyond({ amount: luong, used: used.luong, limit: BigInt(limit.luong), inWords: inLuong }, name) ??
    whyBeyond({ amount: loads, used: used.loads, limit: BigInt(limit.loads) * LOAD, inWords: ofItems }, name)
  )
}

/** Why one act may not give so much, whatever was given before; null: it may. */
export const whyAboveAct = (amount: GoodsAmount, limits: GoodsLimits): string | null =>
  whyAbove(amount, { name: 'act', limits })

type Wish = Pick<NewPromise, 'operatorId' | 'isAlone' | 'amount'> & { limits: GoodsLimits }

/** Why goods may not be promised now, beside what was promised before; promises take turns from here on. */
export async function whyGoodsLimited(
  tx: Tx,
  { operatorId, amount, isAlone, limits }: Wish,
): Promise<string | null> {
  if (amount.luong + amount.loads === 0n) return null
  await lockGoods(tx)
  const sums = await sumPromises(tx, operatorId)
  const above = (name: Exclude<LimitName, 'act'>) => whyAbove(amount, { name, limits, used: sums[name] })
  return (
    whyAboveAct(amount, limits) ??
    (isAlone ? above('alone') : null) ??
    (operatorId === null ? null : above('operator')) ??
    above('day') ??
    above('budget')
  )
}

type Promised = Wish & Pick<NewPromise, 'kind' | 'subject' | 'endsAt'> & { given?: GoodsAmount }

/** Promises goods, which the limits count from then on; throws the reason where it is above one. */
export async function promiseGoods(tx: Tx, promised: Promised): Promise<void> {
  if (promised.amount.luong + promised.amount.loads === 0n) return
  const why = await whyGoodsLimited(tx, promised)
  if (why !== null) throw conflict(why)
  await insertPromise(tx, { given: NOTHING, ...promised })
}

type OpenPromise = PromiseKey & {
  /** Of one player. */
  amount: GoodsAmount
  /** How many players may have it. */
  players: number
  limits: GoodsLimits
  endsAt: Date
}

/**
 * Gives one player goods of a promise that the first of them makes for all. Why that is not possible: all of them have it, or so
 * much may not be promised.
 */
export async function takeOfOpen(tx: Tx, open: OpenPromise): Promise<'given' | 'full' | 'limited'> {
  const { kind, subject, amount, players, limits, endsAt } = open
  if (await takeGiven(tx, open)) return 'given'
  if (await isPromised(tx, open)) return 'full'
  // Another one may have made it while this one waited for its turn.
  await lockGoods(tx)
  if (await takeGiven(tx, open)) return 'given'
  if (await isPromised(tx, open)) return 'full'
  const all = { luong: amount.luong * BigInt(players), loads: amount.loads * BigInt(players) }
  const why = await whyGoodsLimited(tx, { operatorId: null, isAlone: false, amount: all, limits })
  if (why !== null) return 'limited'
  const promise = { kind, subject, operatorId: null, isAlone: false, endsAt }
  await insertPromise(tx, { ...promise, amount: all, given: amount })
  return 'given'
}

/** What is used of each limit, and left. */
export async function readGoodsUse(db: Db, operatorId: string, limits: GoodsLimits): Promise<GoodsUse> {
  const sums = await sumPromises(db, operatorId)
  const of = (name: LimitName): GoodsUse['limits'][number] => {
    const used = name === 'act' ? NOTHING : sums[name]
    const figures = (limit: number, taken: number) => ({
      limit,
      used: taken,
      left: Math.max(0, limit - taken),
    })
    return {
      name,
      luong: figures(limits[name].luong, Number(used.luong)),
      loads: figures(limits[name].loads, inLoads(used.loads)),
    }
  }
  return { limits: (['act', 'alone', 'operator', 'day', 'budget'] as const).map(of) }
}
