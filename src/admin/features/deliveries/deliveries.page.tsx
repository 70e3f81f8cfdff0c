import { Link } from 'react-router'
import { listScreen } from '#admin/kit/data-list.tsx'
import { column, type Column, momentColumn, numberColumn } from '#admin/kit/data-table.tsx'
import { type Filter, optionsOf } from '#admin/kit/filter-bar.tsx'
import { momentText } from '#admin/kit/format.ts'
import { collectorFacts } from '#admin/kit/collector.tsx'
import { labels } from '#admin/kit/kit.copy.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { Loaded } from '#admin/kit/loaded.tsx'
import { FoldedPanel } from '#admin/kit/screen.tsx'
import { ActOnSeveral } from '#admin/kit/several.tsx'
import { read } from '#admin/query.ts'
import { deliveryKindName, goodsInWords } from '#contract/deliveries.ts'
import { formatNumber } from '#contract/format.ts'
import { gameBridgeCall, operatorDeliveries, type OperatorDelivery } from '#contract/operator/deliveries.ts'
import { Badge } from '#ui/badge.tsx'
import { Facts } from '#ui/facts.tsx'
import { collectionText, deliveriesCopy, DeliveryState } from './delivery-parts.tsx'

const columns: readonly Column<OperatorDelivery>[] = [
  column('id', labels.id, ({ id }) => <Link to={`/deliveries/${id}`}>{id.slice(0, 8)}</Link>),
  momentColumn('created_at', deliveriesCopy.createdAt, { sort: 'created_at' }),
  column('state', labels.state, ({ state, kind }) => <DeliveryState state={state} kind={kind} />),
  column('collection', deliveriesCopy.collection, collectionText),
  column('player', labels.player, ({ user_id: id, account: username }) => (
    <PersonLink person={{ id, username }} />
  )),
  column('character', deliveriesCopy.character, ({ character_name }) => character_name),
  column('kind', deliveriesCopy.kind, ({ kind }) => deliveryKindName(kind)),
  column('goods', deliveriesCopy.goods, ({ goods }) => goodsInWords(goods), { onPhone: 'main' }),
  numberColumn('amount', deliveriesCopy.amount),
  column('attempt', deliveriesCopy.attempt, ({ attempt }) => attempt, { isNumber: true }),
  column(
    'error',
    deliveriesCopy.error,
    ({ last_error }) => last_error && <span className="wrap-anywhere">{last_error}</span>,
    { isText: true },
  ),
]

const filters: readonly Filter[] = [
  { name: 'state', label: labels.state, options: optionsOf(deliveriesCopy.states) },
  {
    name: 'open',
    label: deliveriesCopy.onlyOpen,
    type: 'flag',
    options: [{ value: 'true', label: deliveriesCopy.openOnly }],
  },
  {
    name: 'uncollected',
    label: deliveriesCopy.uncollected,
    type: 'flag',
    options: [{ value: 'true', label: deliveriesCopy.uncollectedOnly }],
  },
  { name: 'waiting', label: deliveriesCopy.waiting, options: optionsOf(deliveriesCopy.waitingReasons) },
  { name: 'server_id', label: deliveriesCopy.waitsForServer },
  { name: 'user', label: deliveriesCopy.user },
  { name: 'batch', label: deliveriesCopy.batch },
  { name: 'from', label: labels.from, type: 'date' },
  { name: 'to', label: labels.to, type: 'date' },
]

export const Component = listScreen(operatorDeliveries.list, columns, filters, {
  lead: (
    <>
      <Link to="/game-comparison">{deliveriesCopy.toComparison}</Link>
      <GameBridgePanel />
    </>
  ),
  bulk: { permission: 'deliveries.resolve', Acts: RetryMany },
  usualSort: ['created_at', 'DESC'],
  empty: deliveriesCopy.empty,
  refreshMs: 30_000,
  isFile: true,
})

const copy = deliveriesCopy.bridge

/** Whether the game answers, and how much waits for it. */
function GameBridgePanel() {
  return (
    <FoldedPanel title={copy.title}>
      <Loaded query={read(gameBridgeCall)}>
        {({ breaker, last_answered_at: lastAnsweredAt, queue, oldest_at: oldestAt, ...goods }) => (
          <Facts
            className="max-w-2xl"
            facts={[
              {
                label: copy.breaker,
                value: <Badge tone={breaker === 'open' ? 'danger' : 'success'}>{copy.states[breaker]}</Badge>,
              },
              { label: copy.lastAnswered, value: momentText(lastAnsweredAt) },
              ...Object.entries(queue).map(([state, count]) => ({
                label: deliveriesCopy.states[state as OperatorDelivery['state']],
                value: formatNumber(count),
              })),
              { label: copy.oldest, value: momentText(oldestAt) },
              { label: copy.uncollected, value: formatNumber(goods.uncollected) },
              ...collectorFacts(goods.collector),
            ]}
          />
        )}
      </Loaded>
    </FoldedPanel>
  )
}

const retryManyCopy = deliveriesCopy.many

type Props = { chosen: readonly OperatorDelivery[]; onDone: () => void }

/** Sends the chosen deliveries again, then shows the result of each. */
function RetryMany({ chosen, onDone }: Props) {
  return (
    <ActOnSeveral
      label={retryManyCopy.label}
      count={chosen.length}
      endpoint={operatorDeliveries.retryMany}
      toBody={({ reason }) => ({ ids: chosen.map(({ id }) => id), reason })}
      linkTo={(id) => ({ to: `/deliveries/${id}`, name: id.slice(0, 8) })}
      onDone={onDone}
      text={retryManyCopy.text(chosen.length)}
    />
  )
}
