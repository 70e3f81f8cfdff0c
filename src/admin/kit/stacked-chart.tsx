import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { formatNumber } from '#contract/format.ts'
import { compactNumber } from './format.ts'

/** `colour`: its place among the colours of charts. */
export type Series = { name: string; amounts: readonly number[]; colour: number }

type Props = {
  /** What the chart shows, for screen readers. */
  label: string
  /** Under the axis, and in full above the figures of a bar. */
  bars: readonly { short: string; long: string }[]
  series: readonly Series[]
  unit: string
}

/** How many colours charts have. */
export const COLOURS = 7

const fillOf = (colour: number) => `var(--chart-${(colour % COLOURS) + 1})`

/** The colour of a series beside its name. */
export const Swatch = ({ colour }: Pick<Series, 'colour'>) => (
  <svg aria-hidden="true" viewBox="0 0 10 10" className="size-2.5 shrink-0">
    <rect width="10" height="10" rx="2" fill={fillOf(colour)} />
  </svg>
)

/** Stacked bars with axes. Pointed at, or reached by Tab and moved by the arrow keys, a bar says its figures. */
export function StackedChart({ label, bars, series, unit }: Props) {
  const data = bars.map(({ short, long }, at) => ({
    short,
    long,
    ...Object.fromEntries(series.map(({ amounts }, index) => [`s${index}`, amounts[at] ?? 0])),
  }))
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart
        data={data}
        title={label}
        accessibilityLayer
        margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="short" tick={TICK} tickLine={false} minTickGap={16} />
        <YAxis tick={TICK} tickLine={false} axisLine={false} width={64} tickFormatter={compactNumber} />
        <Tooltip content={<Told series={series} unit={unit} />} />
        {series.map(({ name, colour }, at) => (
          <Bar
            key={name}
            dataKey={`s${at}`}
            name={name}
            stackId="all"
            fill={fillOf(colour)}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  )
}

const TICK = { fill: 'var(--ink-soft)', fontSize: 12 }

type ToldProps = Pick<Props, 'series' | 'unit'> & {
  // Given by the chart.
  active?: boolean
  payload?: readonly { payload?: unknown }[]
}

/** The figures of the bar that is pointed at or has the focus. */
function Told({ active = false, payload, series, unit }: ToldProps) {
  const bar = payload?.[0]?.payload as (Record<string, number> & { long: string }) | undefined
  if (!active || bar === undefined) return null
  const parts = series.map(({ name, colour }, at) => ({ name, amount: bar[`s${at}`] ?? 0, colour }))
  return (
    <div className="rounded-lg border border-line bg-raised px-3 py-2 text-sm shadow-lg">
      <p className="font-bold">{bar.long}</p>
      <ul>
        {parts
          .filter(({ amount }) => amount > 0)
          .map(({ name, amount, colour }) => (
            <li key={name} className="flex items-center justify-between gap-4">
              <span className="flex items-center gap-2">
                <Swatch colour={colour} />
                {name}
              </span>
              <span className="tabular-nums">{formatNumber(amount)}</span>
            </li>
          ))}
      </ul>
      <p className="tabular-nums">
        {formatNumber(parts.reduce((sum, { amount }) => sum + amount, 0))} {unit}
      </p>
    </div>
  )
}
