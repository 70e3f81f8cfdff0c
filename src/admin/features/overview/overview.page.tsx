import { useState } from 'react'
import { Link } from 'react-router'
import { AlarmList } from '#admin/kit/alarm-list.tsx'
import { collectorFacts } from '#admin/kit/collector.tsx'
import { ageText, momentText, vnd } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'
import { formatNumber } from '#contract/format.ts'
import { type OperatorDigest, operatorDigestCall } from '#contract/operator/audit.ts'
import { gameBridgeCall } from '#contract/operator/deliveries.ts'
import { operatorStatistics } from '#contract/operator/statistics.ts'
import { Button } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'
import { ComparedTable, moneyIn, todayInVietnam } from './compared-table.tsx'
import { Figures } from './figures.tsx'
import { overviewCopy as copy } from './overview.copy.ts'

export function Component() {
  const maySeeFigures = useMay()('statistics.read')
  return (
    <ScreenFrame>
      <Panel title={copy.waits}>
        <AlarmList />
      </Panel>
      {maySeeFigures && <Today />}
      <Game />
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
        {({ rows: [row], unmatched_since, compared, cases }) =>
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
                  { label: copy.waitingCases, value: formatNumber(cases.waiting) },
                  {
                    label: copy.firstAnswer,
                    value:
                      cases.first_answer_seconds === null ? copy.none : ageText(cases.first_answer_seconds),
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

/** Whether the goods that the game has applied are collected, where it tells. */
function Game() {
  const isShown = useMay()('deliveries.read')
  if (!isShown) return null
  return (
    <Panel title={copy.game}>
      <Loaded query={read(gameBridgeCall)}>
        {({ collector, uncollected }) =>
          collector === null ? (
            <p className="text-soft">{copy.gameTellsNothing}</p>
          ) : (
            <Facts
              className="max-w-2xl"
              facts={[
                ...collectorFacts(collector),
                {
                  label: copy.uncollected,
                  value: <Link to="/deliveries?uncollected=true">{formatNumber(uncollected)}</Link>,
                },
              ]}
            />
          )
        }
      </Loaded>
    </Panel>
  )
}

const digestCopy = {
  title: 'Việc của ban vận hành',
  days: ['Hôm nay', 'Hôm qua'],
  nothing: 'Không ai cộng, điều chỉnh, hoàn tiền, đổi giá, tài khoản nhận, hạn mức hay vai trò.',
} as const

/** What operators did with money, prices, accounts and roles, for owners: what they are mailed of yesterday, and today's so far. */
export function Digest() {
  const isShown = useMay()('audit.read')
  const [days, setDays] = useState(0)
  if (!isShown) return null
  return (
    <Panel title={digestCopy.title}>
      <div className="mb-3 flex flex-wrap gap-2">
        {digestCopy.days.map((label, before) => (
          <Button
            key={label}
            kind="plain"
            className="aria-pressed:border-vermilion aria-pressed:bg-wash aria-pressed:text-vermilion"
            aria-pressed={before === days}
            onClick={() => setDays(before)}
          >
            {label}
          </Button>
        ))}
      </div>
      <Loaded key={days} query={read(operatorDigestCall, { query: { day: todayInVietnam(days) } })}>
        {(digest) => <Operators digest={digest} />}
      </Loaded>
    </Panel>
  )
}

function Operators({ digest: { operators } }: { digest: OperatorDigest }) {
  if (operators.length === 0) return <p className="text-soft">{digestCopy.nothing}</p>
  return (
    <dl className="space-y-3">
      {operators.map(({ operator, lines }) => (
        <div key={operator?.id ?? ''}>
          <dt className="font-bold">
            {operator === null ? (
              labels.system
            ) : (
              <Link to={`/audit?actor=${operator.username}`}>{operator.username}</Link>
            )}
          </dt>
          {lines.map((line) => (
            <dd key={line} className="wrap-anywhere">
              {line}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  )
}
