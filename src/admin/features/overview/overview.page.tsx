import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { AlarmList } from '#admin/kit/alarm-list.tsx'
import { collectorFacts } from '#admin/kit/collector.tsx'
import { FileButton } from '#admin/kit/file-button.tsx'
import { ageText, momentText, vnd } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { ToggleButton } from '#admin/kit/toggle-button.tsx'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { formatNumber } from '#contract/format.ts'
import { type OperatorDigest, operatorDigestCall } from '#contract/operator/audit.ts'
import { gameBridgeCall } from '#contract/operator/deliveries.ts'
import { setupGuideCall } from '#contract/operator/setup-guide.ts'
import { operatorStatistics } from '#contract/operator/statistics.ts'
import { LEDGER_WORDS } from '#contract/operator/words.ts'
import { Facts } from '#ui/facts.tsx'
import { Cards, ledgerList } from './cards.tsx'
import { overviewCopy as copy } from './overview.copy.ts'
import { PartsChart } from './parts-chart.tsx'
import { PeriodBar } from './period-bar.tsx'
import { type Period, todayInVietnam, usePeriod } from './period.ts'
import { Cohorts, WeekHours } from './returning.tsx'

export function Component() {
  const maySeeFigures = useMay()('statistics.read')
  return (
    <ScreenFrame acts={<SetupLink />}>
      <Panel title={copy.waits}>
        <AlarmList />
      </Panel>
      {maySeeFigures && <Figures />}
      <Game />
      <Digest />
    </ScreenFrame>
  )
}

/** What a new portal still needs, for those who can do it, until all is done. */
function SetupLink() {
  const isShown = useMay()('settings.money')
  const { data: steps } = useQuery({ ...read(setupGuideCall), enabled: isShown })
  const done = steps?.filter(({ is_done }) => is_done).length ?? 0
  if (steps === undefined || done === steps.length) return null
  return <Link to="/setup-guide">{copy.setup(done, steps.length)}</Link>
}

/** All of one period, chosen once. */
function Figures() {
  const { period } = usePeriod()
  const { from, to, by } = period
  const query = { from, to, by }
  return (
    <>
      <Panel
        title={copy.figures}
        acts={<FileButton path={operatorStatistics.read.path} query={query} name={copy.file(from, to)} />}
      >
        <div className="space-y-4">
          <PeriodBar />
          <Loaded query={read(operatorStatistics.read, { query })}>
            {(statistics) => <Shown statistics={statistics} period={period} />}
          </Loaded>
        </div>
      </Panel>
      <PartsChart period={period} />
      <WeekHours period={period} />
      <Cohorts />
    </>
  )
}

type ShownProps = { statistics: AnswerOf<typeof operatorStatistics.read>; period: Period }

function Shown({ statistics, period }: ShownProps) {
  const { computed_at, compared, unmatched_since, cases } = statistics
  const figures = compared?.now.figures
  return (
    <>
      <Cards statistics={statistics} period={period} />
      <p className="text-sm text-soft">
        {computed_at === null ? copy.notComputed : copy.computed(momentText(compared?.now.to ?? computed_at))}{' '}
        {compared?.before
          ? copy.comparison.beside(momentText(compared.before.from), momentText(compared.before.to))
          : copy.comparison.nothingBefore}
      </p>
      <details>
        <summary className="cursor-pointer py-2 font-bold">{copy.more}</summary>
        <Facts
          className="max-w-2xl"
          facts={[
            ...(figures
              ? [
                  {
                    label: copy.moneyBack,
                    value: <Link to={ledgerList('reversal', period)}>{vnd(figures.money_back)}</Link>,
                  },
                  { label: copy.refunded, value: <Refunded total={figures.refunded} period={period} /> },
                  { label: copy.inWallets, value: formatNumber(figures.in_wallets) },
                  { label: copy.held, value: formatNumber(figures.held) },
                  { label: copy.debts, value: formatNumber(figures.debts) },
                  { label: copy.luong, value: formatNumber(figures.luong) },
                  ...(figures.active_players === null
                    ? []
                    : [{ label: copy.activePlayers, value: formatNumber(figures.active_players) }]),
                ]
              : []),
            {
              label: copy.unmatched,
              value: unmatched_since === null ? copy.nothing : copy.since(momentText(unmatched_since)),
            },
            { label: copy.waitingCases, value: formatNumber(cases.waiting) },
            {
              label: copy.firstAnswer,
              value: cases.first_answer_seconds === null ? copy.nothing : ageText(cases.first_answer_seconds),
            },
          ]}
        />
      </details>
    </>
  )
}

const REFUNDS = ['exchange_refund', 'gift_refund'] as const

/** The TCoin given back, and the lists of what they were paid for. */
const Refunded = ({ total, period }: { total: number; period: Period }) => (
  <>
    {formatNumber(total)}{' '}
    {REFUNDS.map((kind) => (
      <span key={kind} className="mr-3 inline-block">
        <Link to={ledgerList(kind, period)}>{LEDGER_WORDS[kind]}</Link>
      </span>
    ))}
  </>
)

type WaitsForServerProps = AnswerOf<typeof gameBridgeCall>['waiting_by_server'][number]

/** How much waits for a server, each count with its list. */
const WaitsForServer = ({ server_id: id, open, uncollected }: WaitsForServerProps) => (
  <span className="flex flex-wrap justify-end gap-x-4">
    {open > 0 && (
      <Link to={`/deliveries?server_id=${encodeURIComponent(id)}`}>
        {copy.waitsForServer.open(formatNumber(open))}
      </Link>
    )}
    {uncollected > 0 && (
      <Link to={`/deliveries?uncollected=true&server_id=${encodeURIComponent(id)}`}>
        {copy.waitsForServer.uncollected(formatNumber(uncollected))}
      </Link>
    )}
  </span>
)

/** Whether the goods that the game has applied are collected, where it tells, and for which server goods wait. */
function Game() {
  const isShown = useMay()('deliveries.read')
  if (!isShown) return null
  return (
    <Panel title={copy.game}>
      <Loaded query={read(gameBridgeCall)}>
        {({ collector, uncollected, waiting_by_server: servers }) => {
          const toUncollected = <Link to="/deliveries?uncollected=true">{formatNumber(uncollected)}</Link>
          const facts = [
            ...collectorFacts(collector),
            ...(collector === null ? [] : [{ label: copy.uncollected, value: toUncollected }]),
            ...servers.map((server) => ({
              label: server.server_name,
              value: <WaitsForServer {...server} />,
            })),
          ]
          return (
            <div className="space-y-3">
              {collector === null && <p className="text-soft">{copy.gameTellsNothing}</p>}
              {facts.length > 0 && <Facts className="max-w-2xl" facts={facts} />}
            </div>
          )
        }}
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
          <ToggleButton key={label} isPressed={before === days} onClick={() => setDays(before)}>
            {label}
          </ToggleButton>
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
