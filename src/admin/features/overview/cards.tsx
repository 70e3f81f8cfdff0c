import { Link } from 'react-router'
import { comparisonText } from '#admin/kit/comparison.ts'
import { vnd } from '#admin/kit/format.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { formatNumber } from '#contract/format.ts'
import type { LedgerTransfer } from '#contract/operator/ledger-transfers.ts'
import type { ComparedFigures, operatorStatistics, StatisticsRow } from '#contract/operator/statistics.ts'
import { overviewCopy as copy } from './overview.copy.ts'
import type { Period } from './period.ts'

type Statistics = AnswerOf<typeof operatorStatistics.read>

const moneyIn = ({ money_in: { momo, vietcombank, acb, other } }: StatisticsRow): number =>
  momo + vietcombank + acb + other

type Card = {
  label: string
  text: (value: number) => string
  /** Of a whole period; null where there is none. */
  of: (figures: ComparedFigures) => number | null
  /** Of one bar of it; null where it is not known. */
  ofRow: (row: StatisticsRow) => number | null
  /** The list that it counts. */
  list: (period: Period) => string
}

export const ledgerList = (kind: LedgerTransfer['kind'], { from, to }: Period): string =>
  `/ledger-transfers?kind=${kind}&from=${from}&to=${to}`

const ledger = (kind: LedgerTransfer['kind']) => (period: Period) => ledgerList(kind, period)

const perPayer = (money: number, payers: number) => (payers === 0 ? null : Math.round(money / payers))

const cards: readonly Card[] = [
  {
    label: copy.moneyIn,
    text: vnd,
    of: (figures) => figures.money_in_total,
    ofRow: moneyIn,
    list: ({ from, to }) => `/bank-transfers?state=credited&from=${from}&to=${to}`,
  },
  {
    label: copy.payers,
    text: formatNumber,
    of: ({ payers }) => payers,
    ofRow: ({ payers }) => payers,
    list: ledger('recharge'),
  },
  {
    label: copy.perPayer,
    text: vnd,
    of: ({ money_in_total, payers }) => perPayer(money_in_total, payers),
    ofRow: (row) => perPayer(moneyIn(row), row.payers),
    list: ledger('recharge'),
  },
  {
    label: copy.firstRecharges,
    text: formatNumber,
    of: (figures) => figures.first_recharges,
    ofRow: (row) => row.first_recharges,
    list: ledger('recharge'),
  },
  {
    label: copy.newPlayers,
    text: formatNumber,
    of: (figures) => figures.new_players,
    ofRow: (row) => row.new_players,
    list: ({ from, to }) => `/users?created_from=${from}&created_to=${to}`,
  },
  {
    label: copy.issued,
    text: formatNumber,
    of: ({ issued }) => issued,
    ofRow: ({ issued }) => issued,
    list: ledger('recharge'),
  },
  {
    label: copy.spent,
    text: formatNumber,
    of: ({ spent }) => spent,
    ofRow: ({ spent }) => spent,
    list: ledger('exchange_settle'),
  },
  {
    label: copy.deliveries,
    text: formatNumber,
    of: ({ deliveries }) => deliveries,
    ofRow: ({ deliveries }) => deliveries,
    list: ({ from, to }) => `/deliveries?state=delivered&from=${from}&to=${to}`,
  },
]

/** The figures of the period, each with its change and its course, and leading to what it counts. */
export const Cards = ({ statistics, period }: { statistics: Statistics; period: Period }) => (
  <ul
    className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,9rem),1fr))] gap-3 lg:grid-cols-[repeat(auto-fill,minmax(10.5rem,1fr))]"
    aria-label={copy.figures}
  >
    {cards.map((card) => (
      <CardItem key={card.label} card={card} statistics={statistics} period={period} />
    ))}
  </ul>
)

function CardItem({ card, statistics, period }: { card: Card; statistics: Statistics; period: Period }) {
  const { rows, compared } = statistics
  const value = compared && card.of(compared.now.figures)
  const before = compared?.before ? card.of(compared.before.figures) : null
  const text = value === null ? copy.none : card.text(value)
  return (
    <li className="relative rounded-xl border border-line bg-raised p-3 hover:bg-sunken">
      <Link
        to={card.list(period)}
        className="text-sm text-soft after:absolute after:inset-0 after:rounded-xl"
      >
        {card.label}
      </Link>
      <p className={`leading-tight font-bold tabular-nums ${sizeOf(text)}`}>{text}</p>
      {value !== null && <p className="text-sm text-soft">{comparisonText(value, before)}</p>}
      <Sparkline values={rows.map((row) => card.ofRow(row) ?? 0)} />
    </li>
  )
}

/** A million and more fits between the edges of a phone's card in smaller letters only, also where all letters are enlarged. */
function sizeOf(text: string): string {
  const [number = ''] = text.split(' ')
  if (number.length > 10) return 'text-sm sm:text-lg'
  return number.length > 8 ? 'text-base sm:text-lg' : 'text-lg'
}

const WIDTH = 100
const HEIGHT = 24

/** Decoration: the chart and its table have the same figures. */
function Sparkline({ values }: { values: readonly number[] }) {
  const most = Math.max(1, ...values)
  const step = WIDTH / Math.max(1, values.length - 1)
  const points = values.map((value, at) => `${at * step},${HEIGHT - (value / most) * HEIGHT}`)
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 -1 ${WIDTH} ${HEIGHT + 2}`}
      preserveAspectRatio="none"
      className="mt-2 h-6 w-full fill-none stroke-vermilion"
    >
      <polyline points={points.join(' ')} vectorEffect="non-scaling-stroke" strokeWidth="1.5" />
    </svg>
  )
}
