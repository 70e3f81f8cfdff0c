import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { dayText, moment } from '../fields.ts'
import { shownName } from '../shown-name.ts'
import { permitted } from './roles.ts'

export const STATISTICS_PERIODS = ['hour', 'day', 'week', 'month'] as const

export type StatisticsPeriod = (typeof STATISTICS_PERIODS)[number]

/** More than a chart can show. */
export const STATISTICS_ROWS_MAX = 400

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
  /** VND whose credit was reversed, whenever it was credited. */
  money_back: z.number(),
  /** Purchases of which the game has confirmed the goods. */
  deliveries: z.number(),
  new_players: z.number(),
  first_recharges: z.number(),
  /** Players for whom money was credited, each once. */
  payers: z.number(),
}

const statisticsRowSchema = z.object({
  /** When the period begins, in Vietnam: an hour, a day, a Monday or the first of a month, or the first of the given days. */
  start: moment,
  /** VND credited, by channel; `other` was credited without an order. */
  money_in: z.object({ momo: z.number(), vietcombank: z.number(), acb: z.number(), other: z.number() }),
  ...timeFigures,
  /** Players who signed in or moved TCoin; null for a part of a week or month. */
  active_players: z.nullable(z.number()),
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

/** What the figures can be split by: the VND credited by channel or promotion, the TCoin spent by kind of purchase or server. */
export const STATISTICS_DIMENSIONS = ['channel', 'promotion', 'kind', 'server'] as const

export type StatisticsDimension = (typeof STATISTICS_DIMENSIONS)[number]

/** The largest of them; the others are one more together. */
export const STATISTICS_PARTS_MAX = 6

const statisticsPartSchema = z.object({
  /**
   * A channel (`momo`, `vietcombank`, `acb`), the id of a promotion, a kind of purchase (`exchange`, `gift`, `activation`), the
   * id of a server; null for what is none of the others, together.
   */
  id: z.nullable(z.string()),
  /** Of a promotion or server. */
  name: z.nullable(shownName),
  total: z.number(),
  /** One for each period. */
  amounts: z.array(z.number()),
  /**
   * What it came to in the hours that are over, and in as many before them: of days that are not over both end at the same
   * time. Null where there are no figures of all of these.
   */
  compared: z.nullable(z.object({ now: z.number(), before: z.number() })),
})

/** Weeks of first payers, and for how many weeks each is followed. */
export const COHORT_WEEKS = 12

const cohortSchema = z.object({
  /** The Monday of the week in which they paid first, `2026-11-23`. */
  week: z.string(),
  payers: z.number(),
  /** In that week and those after it, until the one that runs: how many of them paid, and how much VND. */
  weeks: z.array(z.object({ payers: z.number(), vnd: z.number() })),
})

const days = { from: z.optional(dayText), to: z.optional(dayText) }

export const operatorStatistics = {
  read: endpoint('GET', '/operator/statistics', permitted('statistics.read'), {
    summary:
      'Figures by hour, day, week or month of Vietnam, from the first to the last day given, both included (the last 30 days when left out). They are computed each minute; at most 400 periods.',
    query: z.object({ ...days, by: z.optional(z.enum(STATISTICS_PERIODS)) }),
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
  parts: endpoint('GET', '/operator/statistics/parts', permitted('statistics.read'), {
    summary: `What the money that came in or the TCoin that were spent consist of, by hour, day, week or month: the ${STATISTICS_PARTS_MAX} largest parts, and the others together.`,
    query: z.object({
      ...days,
      by: z.optional(z.enum(STATISTICS_PERIODS)),
      of: z.optional(z.enum(STATISTICS_DIMENSIONS)),
    }),
    answer: z.object({ starts: z.array(moment), parts: z.array(statisticsPartSchema) }),
  }),
  hours: endpoint('GET', '/operator/statistics/hours', permitted('statistics.read'), {
    summary:
      'VND credited by the weekday and the hour in Vietnam: seven rows, of Monday first, of 24 hours each.',
    query: z.object(days),
    answer: z.object({ money_in: z.array(z.array(z.number())) }),
  }),
  cohorts: endpoint('GET', '/operator/statistics/cohorts', permitted('statistics.read'), {
    summary: `Players by the week in which money was credited for them first, of the last ${COHORT_WEEKS} weeks: how many of them paid in each week since, and how much.`,
    answer: z.array(cohortSchema),
  }),
}
