import { ActButton, DialogButton } from '#admin/kit/act-dialog.tsx'
import { ListPage } from '#admin/kit/data-list.tsx'
import { column, type Column, numberColumn } from '#admin/kit/data-table.tsx'
import { type Filter, optionsOf } from '#admin/kit/filter-bar.tsx'
import { plannedTime } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { operatorPromotions, type Promotion } from '#contract/operator/promotions.ts'
import { Link } from 'react-router'
import { PlanDialog } from './promotion-form.tsx'
import { PromotionState } from './promotion-state.tsx'
import { promotionsCopy as copy } from './promotions.copy.ts'

const columns: readonly Column<Promotion>[] = [
  column('title', copy.title, ({ title }) => title, { isText: true }),
  column('state', copy.state, ({ state, ends_at }) => <PromotionState state={state} endsAt={ends_at} />),
  column('time', copy.time, plannedTime, { isText: true }),
  column('sentence', copy.sentence, ({ sentence }) => sentence, { isText: true }),
  column(
    'budget',
    copy.budget,
    ({ budget_id, budget_title }) => <Link to={`/budgets?id=${budget_id}`}>{budget_title}</Link>,
    { isText: true },
  ),
  numberColumn('given', copy.given),
  numberColumn('held', copy.held),
  numberColumn('orders', copy.orders),
  numberColumn('players', copy.players),
  column('acts', labels.acts, (promotion) => <Acts promotion={promotion} />),
]

function Acts({ promotion: { id, title, state, sentence } }: { promotion: Promotion }) {
  return (
    <span className="flex flex-wrap gap-2">
      {state === 'planned' && (
        <ActButton
          label={copy.start}
          aria-label={copy.startOf(title)}
          title={copy.startOf(title)}
          submitLabel={copy.start}
          endpoint={operatorPromotions.start}
          params={{ id }}
          text={copy.startText}
        >
          {() => <p>{sentence}</p>}
        </ActButton>
      )}
      {state !== 'stopped' && (
        <ActButton
          label={copy.stop}
          kind="plain"
          aria-label={copy.stopOf(title)}
          title={copy.stopOf(title)}
          submitLabel={copy.stop}
          endpoint={operatorPromotions.stop}
          params={{ id }}
          text={copy.stopText}
        />
      )}
    </span>
  )
}

const filters: readonly Filter[] = [{ name: 'state', label: copy.state, options: optionsOf(copy.states) }]

export const Component = () => (
  <ListPage
    lead={<p className="max-w-3xl">{copy.intro}</p>}
    acts={<DialogButton label={copy.plan} renderDialog={(onClose) => <PlanDialog onClose={onClose} />} />}
    endpoint={operatorPromotions.list}
    columns={columns}
    filters={filters}
    usualSort={['id', 'DESC']}
    empty={copy.empty}
    refreshMs={60_000}
  />
)
