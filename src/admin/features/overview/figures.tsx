import { useSearchParams } from 'react-router'
import { column, type Column, DataTable } from '#admin/kit/data-table.tsx'
import { type Filter, FilterBar, optionsOf } from '#admin/kit/filter-bar.tsx'
import { momentText } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import {
  operatorStatistics,
  STATISTICS_PERIODS,
  type StatisticsPeriod,
  type StatisticsRow,
} from '#contract/operator/statistics.ts'
import { charts, ComparedTable, figures, periodText, textOf, todayInVietnam } from './compared-table.tsx'
import { overviewCopy as copy, periodLabels } from './overview.copy.ts'

const filters: readonly Filter[] = [
  { name: 'by', label: copy.by, options: optionsOf(periodLabels) },
  { name: 'from', label: labels.from, type: 'date' },
  { name: 'to', label: labels.to, type: 'date' },
]

const USUAL_DAYS = 30

/** From here on rows of a table are rows. */
const WIDE = '(min-width: 48rem)'

const isPeriod = (text: string | undefined): text is StatisticsPeriod =>
  STATISTICS_PERIODS.some((period) => period === text)

/** Charts and a table of the same figures; the period is in the address. */
export function Figures() {
  const [params, setParams] = useSearchParams()
  const given = Object.fromEntries(params)
  const by = isPeriod(given.by) ? given.by : 'day'
  const from = given.from || todayInVietnam(USUAL_DAYS - 1)
  const to = given.to || todayInVietnam()
  return (
    <Panel title={copy.figures}>
      <FilterBar filters={filters} values={{ by, from, to }} onFilter={(next) => setParams(next)} />
      <div className="mt-4 space-y-4">
        <Loaded query={read(operatorStatistics.read, { query: { from, to, by } })}>
          {(statistics) => <Shown statistics={statistics} />}
        </Loaded>
      </div>
    </Panel>
  )
}

type Row = StatisticsRow & { id: string }

const columnsOf = (by: StatisticsPeriod): readonly Column<Row>[] => [
  column('period', copy.period, ({ start }) => periodText(start, by)),
  ...figures.map((figure) => ({
    name: figure.name,
    label: figure.label,
    isNumber: true,
    cell: (row: Row) => textOf(figure, row),
  })),
]

function Shown({ statistics }: { statistics: AnswerOf<typeof operatorStatistics.read> }) {
  const { rows, by, computed_at, compared } = statistics
  return (
    <>
      <div className="grid gap-6 md:grid-cols-2">
        {charts.map((figure) => (
          <BarChart
            key={figure.name}
            title={figure.label}
            label={copy.chart(figure.label)}
            note={copy.highest(figure.text(Math.max(0, ...rows.map((row) => figure.of(row) ?? 0))))}
            bars={rows.map((row) => ({
              name: periodText(row.start, by),
              value: figure.of(row) ?? 0,
              text: textOf(figure, row),
            }))}
          />
        ))}
      </div>
      <h3 className="font-bold">{copy.comparison.title}</h3>
      <ComparedTable compared={compared} label={copy.comparison.title} />
      <p className="text-sm text-soft">
        {computed_at === null ? copy.notComputed : copy.computed(momentText(computed_at))}
      </p>
      {/* On a phone each of its rows is a card. */}
      <details open={matchMedia(WIDE).matches}>
        <summary className="cursor-pointer py-2 font-bold">{copy.figuresTable}</summary>
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard */}
        <section className="overflow-x-auto" tabIndex={0} aria-label={copy.figuresTable}>
          <DataTable
            label={copy.figures}
            columns={columnsOf(by)}
            rows={rows.map((row) => ({ ...row, id: row.start })).reverse()}
          />
        </section>
      </details>
    </>
  )
}

type Props = {
  /** The text alternative; the figures are in a table beside it. */
  label: string
  title: string
  note: string
  bars: readonly { name: string; value: number; text: string }[]
}

const HEIGHT = 80
const BAR = 10
const GAP = 3

/** Bars of non-negative figures, as wide as its place; each names its figure when pointed at. */
export function BarChart({ label, title, note, bars }: Props) {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <figure className="min-w-0">
      <figcaption className="flex flex-wrap justify-between gap-2 text-sm">
        <strong>{title}</strong>
        <span className="text-soft tabular-nums">{note}</span>
      </figcaption>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${Math.max(bars.length, 1) * (BAR + GAP)} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="mt-1 h-24 w-full border-b border-line-strong"
      >
        {bars.map(({ name, value, text }, index) => {
          const height = Math.max(value > 0 ? 1 : 0, (value / most) * HEIGHT)
          return (
            <rect
              key={name}
              x={index * (BAR + GAP)}
              y={HEIGHT - height}
              width={BAR}
              height={height}
              className="fill-vermilion"
            >
              <title>{`${name}: ${text}`}</title>
            </rect>
          )
        })}
      </svg>
    </figure>
  )
}
