import { useState } from 'react'
import { comparisonText } from '#admin/kit/comparison.ts'
import { column, type Column, DataTable } from '#admin/kit/data-table.tsx'
import { periodText, shortPeriodText } from '#admin/kit/format.ts'
import { ReportLink } from '#admin/kit/links.tsx'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel } from '#admin/kit/screen.tsx'
import { COLOURS, type Series, StackedChart, Swatch } from '#admin/kit/stacked-chart.tsx'
import { ToggleButton } from '#admin/kit/toggle-button.tsx'
import { read } from '#admin/query.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { formatNumber } from '#contract/format.ts'
import {
  operatorStatistics,
  STATISTICS_DIMENSIONS,
  type StatisticsDimension,
} from '#contract/operator/statistics.ts'
import { overviewCopy as copy } from './overview.copy.ts'
import type { Period } from './period.ts'

/** VND or TCoin. */
const unitOf = (of: StatisticsDimension) => (of === 'channel' || of === 'promotion' ? 'đ' : 'TCoin')

/** What came in or was spent in the period, by one of its parts: a chart, and a table of the same figures. */
export function PartsChart({ period }: { period: Period }) {
  const [of, setOf] = useState<StatisticsDimension>('channel')
  const [isTableOpen, setTableOpen] = useState(false)
  const { from, to, by } = period
  return (
    <Panel title={copy.chart.title}>
      <div className="mb-3 flex flex-wrap gap-2" role="group" aria-label={copy.chart.by}>
        {STATISTICS_DIMENSIONS.map((dimension) => (
          <ToggleButton key={dimension} isPressed={dimension === of} onClick={() => setOf(dimension)}>
            {copy.chart.dimensions[dimension]}
          </ToggleButton>
        ))}
      </div>
      <Loaded query={read(operatorStatistics.parts, { query: { from, to, by, of } })}>
        {(answer) => <Chart {...{ answer, of, period, isTableOpen }} onTable={setTableOpen} />}
      </Loaded>
    </Panel>
  )
}

type Answer = AnswerOf<typeof operatorStatistics.parts>
type Part = Answer['parts'][number]
type ChartProps = {
  answer: Answer
  of: StatisticsDimension
  period: Period
  isTableOpen: boolean
  onTable: (isOpen: boolean) => void
}
type NamedPart = Series & Pick<Part, 'id' | 'total' | 'compared'>
type Row = { id: string; label: string; amounts: readonly number[]; total: number }

function Chart({ answer: { starts, parts }, of, period: { by }, isTableOpen, onTable }: ChartProps) {
  const series: NamedPart[] = parts
    .filter(({ total }) => total > 0)
    .map(({ name, ...part }, at) => ({
      ...part,
      name: partName(of, part.id, name),
      colour: colourOf(part.id, at),
    }))
  if (series.length === 0) return <p>{copy.chart.nothing}</p>
  const label = copy.chart.label(copy.chart.dimensions[of])
  const columns: readonly Column<Row>[] = [
    column('period', copy.period, (row) => row.label),
    ...series.map(({ name }, at) => ({
      name: `s${at}`,
      label: name,
      isNumber: true,
      cell: (row: Row) => formatNumber(row.amounts[at] ?? 0),
    })),
    { name: 'total', label: copy.total(unitOf(of)), isNumber: true, cell: (row) => formatNumber(row.total) },
  ]
  const rows = starts
    .map((start, at): Row => {
      const amounts = series.map(({ amounts }) => amounts[at] ?? 0)
      return {
        id: start,
        label: periodText(start, by),
        amounts,
        total: amounts.reduce((sum, one) => sum + one, 0),
      }
    })
    .filter(({ total }) => total > 0)
    .reverse()
  const most = rows.reduce<Row | undefined>(
    (best, row) => (best && best.total >= row.total ? best : row),
    undefined,
  )
  return (
    <>
      <figure className="space-y-3">
        <div className="h-72">
          <StackedChart
            label={label}
            bars={starts.map((start) => ({
              short: shortPeriodText(start, by),
              long: periodText(start, by),
            }))}
            series={series}
            unit={unitOf(of)}
          />
        </div>
        <Legend series={series} of={of} most={starts.length > 1 ? most : undefined} />
      </figure>
      <details open={isTableOpen} onToggle={({ currentTarget }) => onTable(currentTarget.open)}>
        <summary className="cursor-pointer py-2 font-bold">{copy.chart.table}</summary>
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard */}
        <section className="overflow-x-auto" tabIndex={0} aria-label={copy.chart.table}>
          <DataTable label={label} columns={columns} rows={rows} />
        </section>
      </details>
    </>
  )
}

type LegendProps = { series: readonly NamedPart[]; of: StatisticsDimension; most: Row | undefined }

/** What each part comes to, and the highest bar. A promotion leads to what it cost. */
const Legend = ({ series, of, most }: LegendProps) => (
  <figcaption className="space-y-1 text-sm">
    <ul className="flex flex-wrap gap-x-5 gap-y-1">
      {series.map(({ id, name, total, compared, colour }) => (
        <li key={name} className="flex flex-wrap items-center gap-x-2">
          <Swatch colour={colour} />
          {name}
          <Amount amount={total} of={of} />
          {compared && <span className="text-soft">{comparisonText(compared.now, compared.before)}</span>}
          {of === 'promotion' && id !== null && <ReportLink kind="promotions" id={id} title={name} />}
        </li>
      ))}
    </ul>
    {most && (
      <p>
        {copy.chart.most} {most.label} <Amount amount={most.total} of={of} />
      </p>
    )}
  </figcaption>
)

const Amount = ({ amount, of }: { amount: number; of: StatisticsDimension }) => (
  <strong className="tabular-nums">
    {formatNumber(amount)} {unitOf(of)}
  </strong>
)

const NAMED = Object.keys(copy.chart.parts)

/** What is always there has one colour, whatever its rank; the rest has the last. */
function colourOf(id: string | null, rank: number): number {
  if (id === null) return COLOURS - 1
  const place = NAMED.indexOf(id)
  return place < 0 ? rank : place
}

function partName(of: StatisticsDimension, id: string | null, name: string | null): string {
  if (id === null) return copy.chart.rest[of]
  return name ?? (copy.chart.parts as Record<string, string>)[id] ?? id
}
