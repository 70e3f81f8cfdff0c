import { Link } from 'react-router'
import { column, type Column, DataTable, numberColumn } from '#admin/kit/data-table.tsx'
import { FileButton } from '#admin/kit/file-button.tsx'
import { momentText, periodText, shortPeriodText } from '#admin/kit/format.ts'
import { RowPage } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame, useDocumentTitle } from '#admin/kit/screen.tsx'
import { StackedChart } from '#admin/kit/stacked-chart.tsx'
import { useMay } from '#admin/session/console-session.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { type CampaignReport, operatorCampaignReports } from '#contract/operator/campaign-reports.ts'
import { buttonClass } from '#ui/button.tsx'
import { campaignOf, costFigures, type Figure, moneyFigures, peopleFigures } from './figures.ts'
import { reportCopy as copy } from './report.copy.ts'

type Answer = AnswerOf<typeof operatorCampaignReports.read>

export const Component = () => (
  <RowPage endpoint={operatorCampaignReports.read}>{(campaign) => <Report campaign={campaign} />}</RowPage>
)

function Report({ campaign }: { campaign: Answer }) {
  const { kind, id, report } = campaign
  const title = copy.titleOf(campaign.title ?? copy.monthOf(id))
  const may = useMay()
  const [permission, path] = campaignOf(campaign)
  useDocumentTitle(title)
  return (
    <ScreenFrame
      title={title}
      acts={
        <>
          {may(permission) && (
            <Link to={path} className={buttonClass('plain')}>
              {copy.open}
            </Link>
          )}
          {report && <FileButton path={`/operator/campaign-reports/${kind}/${id}`} query={{}} />}
        </>
      }
    >
      <p className="max-w-3xl">
        {copy.kinds[kind]}. {copy.means[kind]}
      </p>
      {report === null ? (
        <p>{copy.nothing}</p>
      ) : (
        <>
          <p className="max-w-3xl text-sm text-soft">{timesOf(report)}</p>
          <FigurePanel title={copy.money} figures={moneyFigures({ kind, id, report })} />
          <FigurePanel title={copy.cost} figures={costFigures({ kind, id, report })} />
          <FigurePanel title={copy.people} figures={peopleFigures({ kind, id, report })} />
          <Course report={report} />
        </>
      )}
    </ScreenFrame>
  )
}

function timesOf({ starts_at, ends_at, counted_until }: CampaignReport): string {
  const begins = Date.parse(starts_at)
  const before = new Date(2 * begins - Date.parse(ends_at)).toISOString()
  return [
    copy.ran(momentText(starts_at), momentText(ends_at)),
    copy.before(momentText(before), momentText(starts_at)),
    copy.counted(momentText(counted_until)),
  ].join(' ')
}

const FigurePanel = ({ title, figures }: { title: string; figures: readonly Figure[] }) => (
  <Panel title={title}>
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,11rem),1fr))] gap-3">
      {figures.map((figure) => (
        <FigureItem key={figure.label} figure={figure} />
      ))}
    </ul>
  </Panel>
)

/** A figure that leads to what it counts. */
function FigureItem({ figure: { label, value, note, list } }: { figure: Figure }) {
  const may = useMay()
  const isLink = list !== undefined && may(list[0])
  return (
    <li className={`relative rounded-xl border border-line p-3 ${isLink ? 'hover:bg-sunken' : ''}`}>
      <p className="text-sm text-soft">
        {isLink ? (
          <Link to={list[1]} className="after:absolute after:inset-0 after:rounded-xl">
            {label}
          </Link>
        ) : (
          label
        )}
      </p>
      <p className="text-lg leading-tight font-bold wrap-anywhere tabular-nums">{value}</p>
      {note !== undefined && <p className="text-sm text-soft">{note}</p>}
    </li>
  )
}

type Row = CampaignReport['rows'][number] & { id: string; label: string }

const columns: readonly Column<Row>[] = [
  column('period', copy.period, ({ label }) => label),
  numberColumn('brought', copy.broughtColumn),
  numberColumn('given', copy.givenColumn),
  numberColumn('players', copy.joinedColumn),
]

function Course({ report: { by, rows } }: { report: CampaignReport }) {
  const shown = rows
    .map((row): Row => ({ ...row, id: row.start, label: periodText(row.start, by) }))
    .reverse()
  return (
    <Panel title={copy.course}>
      {rows.length === 0 ? (
        <p>{copy.noCourse}</p>
      ) : (
        <>
          <div className="h-72">
            <StackedChart
              label={copy.chart}
              bars={rows.map(({ start }) => ({
                short: shortPeriodText(start, by),
                long: periodText(start, by),
              }))}
              series={[{ name: copy.brought, amounts: rows.map(({ brought }) => brought), colour: 0 }]}
              unit="đ"
            />
          </div>
          <details>
            <summary className="cursor-pointer py-2 font-bold">{copy.table}</summary>
            {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard */}
            <section className="overflow-x-auto" tabIndex={0} aria-label={copy.table}>
              <DataTable label={copy.course} columns={columns} rows={shown} />
            </section>
          </details>
        </>
      )}
    </Panel>
  )
}
