import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import { formatDay, formatNumber } from '#contract/format.ts'
import { COHORT_WEEKS, operatorStatistics } from '#contract/operator/statistics.ts'
import { overviewCopy as copy } from './overview.copy.ts'
import type { Period } from './period.ts'

const words = copy.cohorts

/** Of those who paid first in a week, how many paid again in each week after it. */
export const Cohorts = () => (
  <Panel title={words.title}>
    <p className="mb-3 text-sm text-soft">{words.lead}</p>
    <Loaded query={read(operatorStatistics.cohorts)}>
      {(cohorts) =>
        cohorts.every(({ payers }) => payers === 0) ? (
          <p>{words.nothing}</p>
        ) : (
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
          <section className="overflow-x-auto" tabIndex={0} aria-label={words.table}>
            <table className="heat-table">
              <thead>
                <tr>
                  <th scope="col">{words.week}</th>
                  <th scope="col">{words.payers}</th>
                  {Array.from({ length: COHORT_WEEKS - 1 }, (_, at) => (
                    <th key={at} scope="col">
                      {words.after(at + 1)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {cohorts
                  .filter(({ payers }) => payers > 0)
                  .map(({ week, payers, weeks }) => (
                    <tr key={week}>
                      <th scope="row">{formatDay(`${week}T00:00:00+07:00`)}</th>
                      <td>{formatNumber(payers)}</td>
                      {weeks.slice(1).map((later, at) => (
                        <td key={at} data-heat={heatOf(later.payers, payers)}>
                          {later.payers === 0 ? copy.none : `${Math.round((later.payers / payers) * 100)} %`}
                        </td>
                      ))}
                    </tr>
                  ))}
              </tbody>
            </table>
          </section>
        )
      }
    </Loaded>
  </Panel>
)

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
        return (
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
          <section className="overflow-x-auto" tabIndex={0} aria-label={copy.hours.table}>
            <table className="heat-table">
              <thead>
                <tr>
                  <th scope="col">{copy.hours.day}</th>
                  {Array.from({ length: 24 }, (_, hour) => (
                    <th key={hour} scope="col">
                      {copy.hours.hour(hour)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {money_in.map((hours, day) => (
                  <tr key={day}>
                    <th scope="row">{copy.hours.days[day]}</th>
                    {hours.map((amount, hour) => (
                      <td key={hour} data-heat={heatOf(amount, most)}>
                        {amount === 0 ? '' : THOUSANDS.format(amount)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )
      }}
    </Loaded>
  </Panel>
)

const THOUSANDS = new Intl.NumberFormat('vi-VN', { notation: 'compact', maximumFractionDigits: 1 })
