import { Link } from 'react-router'
import { DELIVERY_STATES, operatorDeliveries, type OperatorDelivery } from '#contract/operator/deliveries.ts'
import { formatNumber } from '#contract/format-number.ts'
import { goodsInWords } from '#contract/goods.ts'
import { PURCHASES } from '#contract/purchases.ts'
import { deliveriesCopy as copy } from '#admin/features/deliveries/deliveries.copy.ts'
import { GameBridgePanel } from '#admin/features/deliveries/game-bridge-panel.tsx'
import { RetryMany } from '#admin/features/deliveries/retry-many.tsx'
import { DeliveryState } from '#admin/features/deliveries/delivery-state.tsx'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { momentText } from '#admin/kit/format.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { useMay } from '#admin/session/console-session.ts'

const columns: readonly Column<OperatorDelivery>[] = [
  { name: 'id', label: copy.id, cell: ({ id }) => <Link to={`/deliveries/${id}`}>{id.slice(0, 8)}</Link> },
  {
    name: 'created_at',
    label: copy.createdAt,
    sort: 'created_at',
    cell: ({ created_at }) => momentText(created_at),
  },
  { name: 'state', label: copy.state, cell: ({ state }) => <DeliveryState state={state} /> },
  {
    name: 'player',
    label: copy.player,
    cell: ({ user_id: id, account: username }) => <PersonLink person={{ id, username }} />,
  },
  { name: 'character', label: copy.character, cell: ({ character_name }) => character_name },
  { name: 'kind', label: copy.kind, cell: ({ kind }) => PURCHASES[kind].name },
  { name: 'goods', label: copy.goods, cell: ({ goods }) => goodsInWords(goods) },
  { name: 'amount', label: copy.amount, isNumber: true, cell: ({ amount }) => formatNumber(amount) },
  { name: 'attempt', label: copy.attempt, isNumber: true, cell: ({ attempt }) => attempt },
  {
    name: 'error',
    label: copy.error,
    isText: true,
    cell: ({ last_error }) => last_error && <span className="wrap-anywhere">{last_error}</span>,
  },
]

const filters: readonly Filter[] = [
  {
    name: 'state',
    label: copy.state,
    options: DELIVERY_STATES.map((value) => ({ value, label: copy.states[value] })),
  },
  { name: 'open', label: copy.onlyOpen, type: 'flag', options: [{ value: 'true', label: copy.openOnly }] },
  { name: 'user', label: copy.user },
]

const retryChosen = (chosen: readonly OperatorDelivery[], clear: () => void) => (
  <RetryMany chosen={chosen} onDone={clear} />
)

export function Component() {
  const mayAct = useMay()('deliveries.resolve')
  return (
    <ScreenFrame title={copy.title}>
      <GameBridgePanel />
      <DataList
        endpoint={operatorDeliveries.list}
        label={copy.title}
        columns={columns}
        filters={filters}
        usualSort={['created_at', 'DESC']}
        empty={copy.empty}
        refreshMs={30_000}
        isFile
        {...(mayAct && { bulk: retryChosen })}
      />
    </ScreenFrame>
  )
}
