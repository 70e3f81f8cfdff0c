import type { Page } from '@playwright/test'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { operatorCampaignReports } from '#contract/operator/campaign-reports.ts'
import type { operatorStatistics } from '#contract/operator/statistics.ts'
import { changing } from '#tests/support/page-states/page-state.ts'

type Statistics = AnswerOf<typeof operatorStatistics.read>
type Parts = AnswerOf<typeof operatorStatistics.parts>
type Hours = AnswerOf<typeof operatorStatistics.hours>
type Cohorts = AnswerOf<typeof operatorStatistics.cohorts>

/** A course that rises and falls, the same each time. */
const course = (at: number, most: number) =>
  Math.round(((Math.sin(at * 1.7) + Math.sin(at * 0.4 + 1) + 2) / 4) * most)

/** A demo is too young for figures of weeks: it gets some, and half of them for the period before. */
const changes = [
  changing<Statistics>(/\/operator\/statistics\?/, (answer) => {
    const rows = answer.rows.map((row, at) => ({
      ...row,
      money_in: {
        momo: course(at, 2_400_000),
        vietcombank: course(at + 3, 6_100_000),
        acb: course(at + 5, 900_000),
        other: 0,
      },
      payers: course(at, 70),
      new_players: course(at + 2, 140),
      first_recharges: course(at + 4, 12),
      issued: course(at, 9_000_000),
      spent: course(at + 1, 8_000_000),
      deliveries: course(at + 1, 160),
    }))
    const figures = Object.fromEntries(
      Object.keys(answer.compared?.now.figures ?? {}).map((name, at) => [name, (at + 1) * 13_971_000]),
    )
    const before = Object.fromEntries(
      Object.entries(figures).map(([name, value], at) => [name, at % 5 === 0 ? 0 : value * (0.6 + at / 12)]),
    )
    const compared = answer.compared && {
      now: {
        ...answer.compared.now,
        figures: { ...figures, payers: 1_204, new_players: 812, first_recharges: 96 },
      },
      before: {
        ...answer.compared.now,
        figures: { ...before, payers: 1_377, new_players: 640, first_recharges: 96 },
      },
    }
    return { ...answer, rows, compared }
  }),
  changing<Parts>(/\/operator\/statistics\/parts\?/, ({ starts }) => ({
    starts,
    parts: ['vietcombank', 'momo', 'acb', null].map((id, place) => {
      const amounts = starts.map((_, at) => course(at + place * 2, 6_000_000 / (place * place + 1)))
      const total = amounts.reduce((sum, one) => sum + one, 0)
      return { id, name: null, total, amounts, compared: { now: total, before: total * (0.7 + place / 5) } }
    }),
  })),
  changing<Hours>(/\/operator\/statistics\/hours\?/, ({ money_in }) => ({
    money_in: money_in.map((hours, day) =>
      hours.map((_, hour) => (hour < 6 ? 0 : course(hour + day, 900_000))),
    ),
  })),
  changing<Cohorts>(/\/operator\/statistics\/cohorts/, (cohorts) =>
    cohorts.map((cohort, at) => {
      const payers = 60 + course(at, 90)
      const weeks = cohort.weeks.map((_, later) => ({
        payers: Math.round(payers / (later + 1)),
        vnd: 100_000 * Math.round(payers / (later + 1)),
      }))
      return { ...cohort, payers, weeks }
    }),
  ),
]

export const withFigures = async (page: Page): Promise<void> => {
  for (const change of changes) await change(page)
}

type CampaignAnswer = AnswerOf<typeof operatorCampaignReports.read>

const DAY_MS = 86_400_000
const [FIRST, LAST] = [Date.parse('2026-11-10T05:30:00Z'), Date.parse('2026-11-24T05:30:00Z')]
const isoOf = (time_ms: number) => new Date(time_ms).toISOString()

/** A report of this kind as a large game has it. */
export const withReport = (kind: CampaignAnswer['kind'], title: string | null) =>
  changing<CampaignAnswer>(/\/operator\/campaign-reports\//, (answer) => ({
    ...answer,
    kind,
    id: title === null ? '2026-11' : answer.id,
    title,
    starts_at: isoOf(FIRST),
    ends_at: isoOf(LAST),
    report: {
      counted_until: isoOf(LAST + 6 * DAY_MS),
      starts_at: isoOf(FIRST),
      ends_at: isoOf(LAST),
      given: 61_240_000,
      taken_back: 340_000,
      held: 1_250_000,
      goods: [
        { kind: 'luong', quantity: 184_500 },
        { kind: 'item', code: 'thu-cung', name: 'Thú cưng hồ ly', quantity: 312, days: 7 },
      ],
      goods_waiting: [{ kind: 'luong', quantity: 1_500 }],
      fees: 96_000,
      fees_back: 12_000,
      cost_vnd: 60_900_000,
      brought: 412_350_000,
      brought_back: 1_900_000,
      recharged: 436_100_000,
      recharged_before: 301_700_000,
      all_recharged: 611_480_000,
      all_recharged_before: 560_220_000,
      players: 1_846,
      new_players: 203,
      first_payers: 171,
      returned: 244,
      payers: 1_846,
      payers_before: 1_190,
      payers_after: 903,
      by: 'day',
      rows: Array.from({ length: 15 }, (_, at) => ({
        start: isoOf(Date.parse('2026-11-10T00:00:00+07:00') + at * DAY_MS),
        players: course(at + 2, 240),
        brought: course(at, 52_000_000),
        given: course(at, 7_000_000),
      })),
    },
  }))
