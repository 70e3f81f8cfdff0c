import { serverNow } from '#client/server-clock.ts'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { read } from '#admin/query.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { formatNumber } from '#contract/format.ts'
import type { CampaignKind } from '#contract/operator/campaign-reports.ts'
import { operatorBudgets, type Promotion } from '#contract/operator/promotions.ts'
import { PROMOTION_WORDS } from '#contract/operator/words.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import type { SelectField } from '#ui/field.tsx'
import { ActButton, DialogButton } from './act-dialog.tsx'
import { listScreen } from './data-list.tsx'
import { column, type Column } from './data-table.tsx'
import { ChoiceField } from './fields.tsx'
import { optionsOf } from './filter-bar.tsx'
import { kitCopy, labels } from './kit.copy.ts'
import { ReportLink } from './links.tsx'

const words = kitCopy.campaign

type Campaign = Pick<Promotion, 'id' | 'title' | 'state' | 'ends_at'>

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
  PlanDialog: ComponentType<{ onClose: () => void }>
  /** What it gives, for whoever is about to start it. */
  givesOf: (row: Row) => string
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
    column('state', labels.state, (row) => <State state={row.state} overAt={overAt(row)} />),
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

const State = ({ state, overAt }: Pick<Campaign, 'state'> & { overAt: string }) =>
  isOver(state, overAt) ? (
    <Badge tone="note">{words.over}</Badge>
  ) : (
    <Badge tone={tones[state]}>{PROMOTION_WORDS[state]}</Badge>
  )

function Acts<Row extends Campaign>({
  row,
  endpoints,
  copy,
  givesOf,
  linkOf,
}: Pick<Props<Row>, 'endpoints' | 'copy' | 'givesOf' | 'linkOf'> & { row: Row }) {
  const { id, title, state } = row
  const params = { id } as never
  return (
    <span className="flex flex-wrap items-center gap-2">
      {state === 'planned' && (
        <ActButton
          label={words.start}
          aria-label={copy.startOf(title)}
          endpoint={endpoints.start}
          params={params}
          text={copy.startText}
        >
          {() => <p>{givesOf(row)}</p>}
        </ActButton>
      )}
      {state !== 'stopped' && (
        <ActButton
          label={words.stop}
          kind="plain"
          aria-label={copy.stopOf(title)}
          endpoint={endpoints.stop}
          params={params}
          text={copy.stopText}
        />
      )}
      <ReportLink kind={kindOf(endpoints.list)} id={id} title={title} />
      {linkOf?.(row)}
    </span>
  )
}

/** The budget that a campaign takes its TCoin from. */
export function BudgetField(field: Omit<ComponentProps<typeof SelectField>, 'label'>) {
  const { data: budgets = [] } = useQuery(read(operatorBudgets.list, { query: { range: '[0,99]' } }))
  return (
    <ChoiceField
      {...field}
      label={words.budget}
      blank={words.chooseBudget}
      options={budgets.map(({ id, title, balance }) => ({
        value: id,
        label: words.budgetOption(title, formatNumber(balance)),
      }))}
    />
  )
}
