import { Link } from 'react-router'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { momentText } from '#admin/kit/format.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { ActOnSeveral } from '#admin/kit/several.tsx'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'
import { formatNumber } from '#contract/format.ts'
import { goodsInWords } from '#contract/deliveries.ts'
import {
  DELIVERY_STATES,
  gameBridgeCall,
  operatorDeliveries,
  type OperatorDelivery,
} from '#contract/operator/deliveries.ts'
import { PURCHASES } from '#contract/purchases.ts'
import { Badge } from '#ui/badge.tsx'
import { Facts } from '#ui/facts.tsx'
import { deliveriesCopy } from './deliveries.copy.ts'
import { DeliveryState } from './delivery-state.tsx'

const columns: readonly Column<OperatorDelivery>[] = [
  {
    name: 'id',
    label: deliveriesCopy.id,
    cell: ({ id }) => <Link to={`/deliveries/${id}`}>{id.slice(0, 8)}</Link>,
  },
  {
    name: 'created_at',
    label: deliveriesCopy.createdAt,
    sort: 'created_at',
    cell: ({ created_at }) => momentText(created_at),
  },
  { name: 'state', label: deliveriesCopy.state, cell: ({ state }) => <DeliveryState state={state} /> },
  {
    name: 'player',
    label: deliveriesCopy.player,
    cell: ({ user_id: id, account: username }) => <PersonLink person={{ id, username }} />,
  },
  { name: 'character', label: deliveriesCopy.character, cell: ({ character_name }) => character_name },
  { name: 'kind', label: deliveriesCopy.kind, cell: ({ kind }) => PURCHASES[kind].name },
  { name: 'goods', label: deliveriesCopy.goods, cell: ({ goods }) => goodsInWords(goods) },
  {
    name: 'amount',
    label: deliveriesCopy.amount,
    isNumber: true,
    cell: ({ amount }) => formatNumber(amount),
  },
  { name: 'attempt', label: deliveriesCopy.attempt, isNumber: true, cell: ({ attempt }) => attempt },
  {
    name: 'error',
    label: deliveriesCopy.error,
    isText: true,
    cell: ({ last_error }) => last_error && <span className="wrap-anywhere">{last_error}</span>,
  },
]

const filters: readonly Filter[] = [
  {
    name: 'state',
    label: deliveriesCopy.state,
    options: DELIVERY_STATES.map((value) => ({ value, label: deliveriesCopy.states[value] })),
  },
  {
    name: 'open',
    label: deliveriesCopy.onlyOpen,
    type: 'flag',
    options: [{ value: 'true', label: deliveriesCopy.openOnly }],
  },
  { name: 'user', label: deliveriesCopy.user },
]

const retryChosen = (chosen: readonly OperatorDelivery[], clear: () => void) => (
  <RetryMany chosen={chosen} onDone={clear} />
)

export function Component() {
  const mayAct = useMay()('deliveries.resolve')
  return (
    <ScreenFrame title={deliveriesCopy.title}>
      <GameBridgePanel />
      <DataList
        endpoint={operatorDeliveries.list}
        label={deliveriesCopy.title}
        columns={columns}
        filters={filters}
        usualSort={['created_at', 'DESC']}
        empty={deliveriesCopy.empty}
        refreshMs={30_000}
        isFile
        {...(mayAct && { bulk: retryChosen })}
      />
    </ScreenFrame>
  )
}

const copy = deliveriesCopy.bridge

/** Whether the game answers, and how much waits for it. */
function GameBridgePanel() {
  return (
    <Panel title={copy.title}>
      <Loaded query={read(gameBridgeCall)}>
        {({ breaker, last_answered_at: lastAnsweredAt, queue, oldest_at: oldestAt }) => (
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
            ]}
          />
        )}
      </Loaded>
    </Panel>
  )
}

const retryManyCopy = deliveriesCopy.many

type Props = { chosen: readonly OperatorDelivery[]; onDone: () => void }

/** Sends the chosen deliveries again, then says of each what came of it. */
function RetryMany({ chosen, onDone }: Props) {
  return (
    <ActOnSeveral
      label={retryManyCopy.label}
      count={chosen.length}
      endpoint={operatorDeliveries.retryMany}
      toBody={({ reason }) => ({ ids: chosen.map(({ id }) => id), reason })}
      linkTo={(id) => ({ to: `/deliveries/${id}`, name: id.slice(0, 8) })}
      onDone={onDone}
    >
      {() => <p>{retryManyCopy.text(chosen.length)}</p>}
    </ActOnSeveral>
  )
}
