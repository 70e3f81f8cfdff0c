import { createHash } from 'node:crypto'
import type { TableRows, Value } from './copying.ts'
import { history, momentOf, type Movement, type Purchase } from './history.ts'
import { momentText, characterNameOf, usernameOf, oneOf, SPAN_MS, type Existing, type Plan } from './plan.ts'

type Bought = Movement & { purchase: Purchase }

const RATE = 30
const BONUS_PERCENT = 10

const received = (amount: number) => (amount * RATE * (100 + BONUS_PERCENT)) / 10_000

export function purchaseTables(plan: Plan, existing: Existing): TableRows[] {
  const each = (row: (bought: Bought) => Value[]): (() => Iterable<Value[]>) =>
    function* () {
      for (const movement of history(plan, existing))
        if (movement.purchase && movement.kind === 'exchange_hold')
          yield row({ ...movement, purchase: movement.purchase })
    }
  return [
    {
      table: 'delivery',
      columns:
        `id kind user_id amount server_id account character_id character_name goods state attempt last_error
        created_at settled_at`.split(/\s+/),
      rows: each((bought) => deliveryRow(plan, existing, bought)),
    },
    {
      table: 'exchange_order',
      columns: ['delivery_id', 'user_id', 'amount', 'rate', 'bonus_percent', 'receive', 'created_at'],
      rows: each(({ purchase, user, amount, at }) => [
        purchase.id,
        user,
        amount,
        RATE,
        BONUS_PERCENT,
        received(amount),
        momentText(at),
      ]),
    },
    {
      table: 'idempotency_key',
      columns:
        `scope key request_hash result_type result_id status_code response answer_erased created_at`.split(
          ' ',
        ),
      rows: each(({ purchase: { id }, user, at }) => {
        const hash = `\\x${createHash('sha256').update(id).digest('hex')}`
        const of = [`user:${user}:exchange`, `fill-${id}`, hash]
        return [...of, 'delivery', id, 200, '{"erased": true}', true, momentText(at)]
      }),
    },
  ]
}

function deliveryRow(plan: Plan, { servers }: Existing, { purchase, user, amount, at }: Bought): Value[] {
  const player = user - 1
  const isOver = purchase.state !== 'parked'
  // The statement is filled at an even pace: the refund stands two entries behind its purchase.
  const overAt = purchase.state === 'refunded' ? at + (2 * SPAN_MS) / plan.entries : at
  return [
    purchase.id,
    'exchange',
    user,
    amount,
    oneOf(servers, player),
    usernameOf(plan, player),
    String(user),
    characterNameOf(plan, player),
    JSON.stringify([{ kind: 'luong', quantity: received(amount) }]),
    purchase.state,
    1,
    purchase.state === 'delivered' ? null : 'the game did not answer',
    momentText(at),
    isOver ? momentText(Math.min(overAt, momentOf(plan, player, plan.entries - 1))) : null,
  ]
}
