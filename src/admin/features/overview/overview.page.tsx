import { AlarmList } from '#admin/kit/alarm-list.tsx'
import { momentText, vnd } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'
import { formatNumber } from '#contract/format.ts'
import { operatorStatistics } from '#contract/operator/statistics.ts'
import { Facts } from '#ui/facts.tsx'
import { ComparedTable, moneyIn, todayInVietnam } from './compared-table.tsx'
import { Digest } from './digest.tsx'
import { Figures } from './figures.tsx'
import { overviewCopy as copy } from './overview.copy.ts'

export function Component() {
  const maySeeFigures = useMay()('statistics.read')
  return (
    <ScreenFrame title={copy.title}>
      <Panel title={copy.waits}>
        <AlarmList />
      </Panel>
      {maySeeFigures && <Today />}
      <Digest />
      {maySeeFigures && <Figures />}
    </ScreenFrame>
  )
}

function Today() {
  const today = todayInVietnam()
  return (
    <Panel title={copy.today}>
      <Loaded query={read(operatorStatistics.read, { query: { from: today, to: today, by: 'day' } })}>
        {({ rows: [row], unmatched_since, compared }) =>
          row && (
            <div className="grid items-start gap-6 lg:grid-cols-2">
              <Facts
                className="max-w-2xl"
                facts={[
                  { label: copy.moneyIn, value: vnd(moneyIn(row)) },
                  { label: copy.issued, value: formatNumber(row.issued) },
                  { label: copy.spent, value: formatNumber(row.spent) },
                  { label: copy.held, value: formatNumber(row.held) },
                  { label: copy.newPlayers, value: formatNumber(row.new_players) },
                  { label: copy.firstRecharges, value: formatNumber(row.first_recharges) },
                  {
                    label: copy.unmatched,
                    value: unmatched_since === null ? copy.none : copy.since(momentText(unmatched_since)),
                  },
                ]}
              />
              <div className="space-y-2">
                <h3 className="font-bold">{copy.comparison.today}</h3>
                <ComparedTable compared={compared} label={copy.comparison.today} />
              </div>
            </div>
          )
        }
      </Loaded>
    </Panel>
  )
}
