import { compactNumber } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import { formatDay, formatNumber } from '#contract/format.ts'
import { COHORT_WEEKS, operatorStatistics } from '#contract/operator/statistics.ts'
import { overviewCopy as copy } from './overview.copy.ts'
import type { Period } from './period.ts'

const words = copy.cohorts

/** The weeks after the first one. */
const AFTER = Array.from({ length: COHORT_WEEKS - 1 }, (_, at) => at + 1)
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** Of those who paid first in a week, how many paid again in each week after it. */
export const Cohorts = () => (
  <Panel title={words.title}>
    <p className="mb-3 text-sm text-soft">{words.lead}</p>
    <Loaded query={read(operatorStatistics.cohorts)}>
      {(cohorts) =>
        !cohorts.some(hasPayers) ? (
          <p>{words.nothing}</p>
        ) : (
          <HeatTable
            label={words.table}
            heads={[words.week, words.payers, ...AFTER.map((weeks) => words.after(weeks))]}
            rows={cohorts.slice(cohorts.findIndex(hasPayers)).map(({ week, payers, weeks }) => ({
              name: formatDay(`${week}T00:00:00+07:00`),
              cells: [
                { text: formatNumber(payers) },
                ...weeks.slice(1).map((later) => ({
                  text: payers === 0 ? '' : `${Math.round((later.payers / payers) * 100)} %`,
                  under: later.payers === 0 ? undefined : formatNumber(later.payers),
                  heat: heatOf(later.payers, payers),
                })),
              ],
            }))}
          />
        )
      }
    </Loaded>
  </Panel>
)

const hasPayers = ({ payers }: { payers: number }) => payers > 0

const STEPS = 5

/** 0 to 5: how much of the most there is. */
const heatOf = (value: number, most: number): number => (most === 0 ? 0 : Math.ceil((value / most) * STEPS))

/** When money comes in, by weekday and hour. */
export const WeekHours = ({ period: { from, to } }: { period: Period }) => (
  <Panel title={copy.hours.title}>
    <Loaded query={read(operatorStatistics.hours, { query: { from, to } })}>
      {({ money_in }) => {
        const most = Math.max(...money_in.flat())
        if (most === 0) return <p>{copy.hours.nothing}</p>
        const ofWeek = HOURS.map((hour) => money_in.reduce((sum, hours) => sum + (hours[hour] ?? 0), 0))
        const day = money_in.findIndex((hours) => hours.includes(most))
        return (
          <>
            <p className="mb-3 text-sm">
              {copy.hours.most(copy.hours.days[day] ?? '', mostText(money_in[day] ?? []), mostText(ofWeek))}
            </p>
            <HeatTable
              label={copy.hours.table}
              heads={[copy.hours.day, ...HOURS.map((hour) => copy.hours.hour(hour))]}
              rows={[
                ...money_in.map((hours, at) => hoursRow(copy.hours.days[at] ?? '', hours, most)),
                hoursRow(copy.hours.week, ofWeek, Math.max(...ofWeek)),
              ]}
            />
          </>
        )
      }}
    </Loaded>
  </Panel>
)

function mostText(hours: readonly number[]): string {
  const most = Math.max(...hours)
  return copy.hours.span(hours.indexOf(most), formatNumber(most))
}

const hoursRow = (name: string, hours: readonly number[], most: number): HeatRow => ({
  name,
  cells: hours.map((amount) => ({
    text: amount === 0 ? '' : compactNumber(amount),
    heat: heatOf(amount, most),
  })),
})

/** Below the text of a cell stands another figure where it has one. */
type HeatRow = { name: string; cells: readonly { text: string; under?: string | undefined; heat?: number }[] }
type HeatProps = {
  label: string
  /** Of the names of the rows, and of each column. */
  heads: readonly string[]
  rows: readonly HeatRow[]
}

/** Figures whose ground tells how large they are. Scrolled sideways where it is wider than its place. */
const HeatTable = ({ label, heads, rows }: HeatProps) => (
  // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
  <section className="overflow-x-auto" tabIndex={0} aria-label={label}>
    <table className="heat-table">
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, cells }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {cells.map(({ text, under, heat }, at) => (
              <td key={at} data-heat={heat}>
                {text}
                {under !== undefined && <span className="block">{under}</span>}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
