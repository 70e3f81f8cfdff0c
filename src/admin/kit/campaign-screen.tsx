import { serverNow } from '#client/server-clock.ts'
import type { ComponentType, ReactNode } from 'react'
import { Link } from 'react-router'
import type { Endpoint } from '#contract/endpoint.ts'
import { formatNumber } from '#contract/format.ts'
import type { CampaignKind } from '#contract/operator/campaign-reports.ts'
import type { Promotion } from '#contract/operator/promotions.ts'
import { PROMOTION_WORDS } from '#contract/operator/words.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import { ActButton, ActDialog, DialogButton } from './act-dialog.tsx'
import { lackOf, type PlanProps, useBudgets } from './campaign-form.tsx'
import { listScreen } from './data-list.tsx'
import { column, type Column } from './data-table.tsx'
import { optionsOf } from './filter-bar.tsx'
import { kitCopy, labels } from './kit.copy.ts'
import { ReportLink } from './links.tsx'

const words = kitCopy.campaign

type Campaign = Pick<Promotion, 'id' | 'title' | 'state' | 'ends_at' | 'proposal_id'>

type Props<Row extends Campaign> = {
  endpoints: { list: Endpoint; start: Endpoint; stop: Endpoint }
  copy: {
    intro: string
    empty: string
    title: string
    plan: string
    startOf: (title: string) => string
    startText: string
    stopOf: (title: string) => string
    stopText: string
  }
  /** Between its state and what can be done. */
  columns: readonly Column<Row>[]
  PlanDialog: ComponentType<PlanProps<Row>>
  /** What it gives, for whoever is about to start it. */
  givesOf: (row: Row) => string
  /** What it takes from which budget at most; null where it takes nothing. */
  costOf?: (row: Row) => { budget: string; coins: number } | null
  /** When it gives nothing more by itself; its end when left out. */
  overAt?: (row: Row) => string
  /** Beside the buttons that start and stop it. */
  linkOf?: (row: Row) => ReactNode
}

/** The screen of what is planned, started once a second person approves, and stopped. */
export const campaignScreen = <Row extends Campaign>(props: Props<Row>) => {
  const { endpoints, copy, columns, PlanDialog, overAt = ({ ends_at }: Row) => ends_at } = props
  const shown: readonly Column<Row>[] = [
    column('title', copy.title, ({ title }) => title, { isText: true }),
    column('state', labels.state, (row) => <State row={row} overAt={overAt(row)} />),
    ...columns,
    column('acts', labels.acts, (row) => <Acts row={row} {...props} />),
  ]
  const filters = [{ name: 'state', label: labels.state, options: optionsOf(PROMOTION_WORDS) }]
  return listScreen(endpoints.list, shown as never, filters, {
    lead: <p className="max-w-3xl">{copy.intro}</p>,
    acts: <DialogButton label={copy.plan} renderDialog={(onClose) => <PlanDialog onClose={onClose} />} />,
    usualSort: ['id', 'DESC'],
    empty: copy.empty,
    refreshMs: 60_000,
  })
}

/** Reports are found by the address of the list. */
const kindOf = ({ path }: Endpoint) => path.slice(path.lastIndexOf('/') + 1) as CampaignKind

const tones = { planned: 'waiting', running: 'success', stopped: 'note' } as const satisfies Record<
  Campaign['state'],
  BadgeTone
>

/** Its time has passed while it ran. */
const isOver = (state: Campaign['state'], overAt: string): boolean =>
  state === 'running' && Date.parse(overAt) <= serverNow()

function State({ row: { state, title, proposal_id }, overAt }: { row: Campaign; overAt: string }) {
  if (isOver(state, overAt)) return <Badge tone="note">{words.over}</Badge>
  if (proposal_id === null) return <Badge tone={tones[state]}>{PROMOTION_WORDS[state]}</Badge>
  return (
    <Link to="/proposals" aria-label={words.seeProposalOf(title)}>
      {words.proposed}
    </Link>
  )
}

type ActsProps<Row extends Campaign> = Pick<
  Props<Row>,
  'endpoints' | 'copy' | 'givesOf' | 'costOf' | 'linkOf' | 'PlanDialog'
> & { row: Row }

function Acts<Row extends Campaign>({ row, ...props }: ActsProps<Row>) {
  const { endpoints, copy, linkOf, PlanDialog } = props
  const { id, title, state, proposal_id } = row
  return (
    <div className="flex flex-wrap items-center gap-2">
      {state === 'planned' && proposal_id === null && (
        <DialogButton
          label={words.start}
          aria-label={copy.startOf(title)}
          renderDialog={(onClose) => <StartDialog {...props} row={row} onClose={onClose} />}
        />
      )}
      {state === 'planned' && (
        <DialogButton
          label={labels.edit}
          kind="plain"
          aria-label={words.editOf(title)}
          renderDialog={(onClose) => <PlanDialog from={row} isEdit onClose={onClose} />}
        />
      )}
      <DialogButton
        label={words.copy}
        kind="plain"
        aria-label={words.copyOf(title)}
        renderDialog={(onClose) => <PlanDialog from={row} onClose={onClose} />}
      />
      {state !== 'stopped' && (
        <ActButton
          label={words.stop}
          kind="plain"
          aria-label={copy.stopOf(title)}
          endpoint={endpoints.stop}
          params={{ id } as never}
          text={copy.stopText}
        />
      )}
      <ReportLink kind={kindOf(endpoints.list)} id={id} title={title} />
      {linkOf?.(row)}
    </div>
  )
}

type StartProps<Row extends Campaign> = Pick<Props<Row>, 'endpoints' | 'copy' | 'givesOf' | 'costOf'> & {
  row: Row
  onClose: () => void
}

/** Proposes the start, with what the budget lacks for it. */
function StartDialog<Row extends Campaign>({
  row,
  endpoints,
  copy,
  givesOf,
  costOf,
  onClose,
}: StartProps<Row>) {
  const budgets = useBudgets() ?? []
  const cost = costOf?.(row) ?? null
  const lack = cost === null ? 0 : lackOf(budgets, cost.budget, cost.coins)
  return (
    <ActDialog
      title={copy.startOf(row.title)}
      submitLabel={words.start}
      endpoint={endpoints.start}
      params={{ id: row.id } as never}
      toBody={({ reason }) => ({ reason, ...(lack > 0 && { funding: lack }) }) as never}
      text={copy.startText}
      onClose={onClose}
    >
      {() => (
        <>
          <p>{givesOf(row)}</p>
          {lack > 0 && <p>{words.fundedWith(formatNumber(lack))}</p>}
        </>
      )}
    </ActDialog>
  )
}
