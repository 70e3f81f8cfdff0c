import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { moment } from '../fields.ts'
import { permitted } from './roles.ts'

export const STATISTICS_PERIODS = ['hour', 'day', 'week', 'month'] as const

export type StatisticsPeriod = (typeof STATISTICS_PERIODS)[number]

/** More than a chart can show. */
export const STATISTICS_ROWS_MAX = 400

const day = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/, 'Ngày phải ở dạng 2026-11-22'))

/** What several times add up to as one does: movements are summed, balances are those at the end. */
const timeFigures = {
  /** TCoin that players were given, that they paid for goods and activations, and that were refunded to them. */
  issued: z.number(),
  spent: z.number(),
  refunded: z.number(),
  /** TCoin at the end: in wallets, held for deliveries, owed by players. */
  in_wallets: z.number(),
  held: z.number(),
  debts: z.number(),
  luong: z.number(),
  new_players: z.number(),
  first_recharges: z.number(),
}

const statisticsRowSchema = z.object({
  /** When the period begins, in Vietnam: an hour, a day, a Monday, the first of a month. */
  start: moment,
  /** VND credited, by channel; `other` was credited without an order. */
  money_in: z.object({ momo: z.number(), vietcombank: z.number(), acb: z.number(), other: z.number() }),
  ...timeFigures,
  /** Players who signed in or moved TCoin. */
  active_players: z.number(),
  /**
   * For how many seconds the oldest money that nobody had decided about had waited, at most in the period; null where it was
   * not looked at while the period lasted.
   */
  unmatched_age_s: z.nullable(z.number()),
})

/** The figures of all days of one side of the comparison together. */
const comparedFiguresSchema = z.object({
  /** VND credited, of all channels. */
  money_in_total: z.number(),
  ...timeFigures,
  /** Of one day only: those of several would have to be counted again each time. */
  active_players: z.nullable(z.number()),
})

export type ComparedFigures = z.output<typeof comparedFiguresSchema>

const comparedSpanSchema = z.object({ from: moment, to: moment, figures: comparedFiguresSchema })

export type StatisticsRow = z.output<typeof statisticsRowSchema>

export const operatorStatistics = {
  read: endpoint('GET', '/operator/statistics', permitted('statistics.read'), {
    summary:
      'Figures by hour, day, week or month of Vietnam, from the first to the last day given, both included (the last 30 days when left out). They are computed each minute; at most 400 periods.',
    query: z.object({
      from: z.optional(day),
      to: z.optional(day),
      by: z.optional(z.enum(STATISTICS_PERIODS)),
    }),
    answer: z.object({
      by: z.enum(STATISTICS_PERIODS),
      /** Until when everything is counted; null before the first computation. */
      computed_at: z.nullable(moment),
      rows: z.array(statisticsRowSchema),
      /**
       * The requested days beside as many days before them; both end with the last whole hour of days that are not over.
       * Null while not one hour of them is. `before` is null where the portal was not there for all of it.
       */
      compared: z.nullable(z.object({ now: comparedSpanSchema, before: z.nullable(comparedSpanSchema) })),
      /** Money that arrived and nobody has decided about: since when the oldest waits. */
      unmatched_since: z.nullable(moment),
      /** Cases of players that wait for an answer now; how long those of the given days waited for their first one, in the middle. */
      cases: z.object({ waiting: z.number(), first_answer_seconds: z.nullable(z.number()) }),
    }),
  }),
}
