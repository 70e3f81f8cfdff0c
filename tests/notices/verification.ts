import type pg from 'pg'
import { countsOf, sum } from '../harness/numbers.ts'
import { FIRST_PLAYER } from '../torture/notices/setup.ts'
import { digestOf } from './rules/reading.ts'
import type { Order, Told } from './rules/rules.ts'

/** An event as it is stored, with what became of it. */
export type Row = {
  id: string
  provider: string
  event_id: string
  status: string
  reason: string | null
  direction: string
  amount: string
  account: string
  virtual: string | null
  reference: string | null
  at: Date | null
  arrived_at: Date
  memo: string
  code: string | null
  payer: string | null
  raw: Buffer
  transfer: string | null
  state: string | null
  transfer_reason: string | null
  transfer_amount: string | null
  transfer_account: string | null
  order: string | null
  coins: string | null
}

export async function storedRows(owner: pg.Client): Promise<Row[]> {
  const { rows } = await owner.query<Row>(
    `SELECT event.id, event.provider, event.provider_event_id AS event_id, event.status, event.reason, event.direction,
        event.amount, event.account_number AS account, event.virtual_account AS virtual, event.bank_ref AS reference,
        event.booked_at AS at, event.received_at AS arrived_at, body.memo, body.code, body.payer_account AS payer,
        body.raw, bank.id AS transfer, bank.state, bank.reason AS transfer_reason, bank.amount AS transfer_amount,
        bank.account_number AS transfer_account, paid.code AS "order", posted.amount AS coins
       FROM payment_event event JOIN payment_event_body body ON body.event_id = event.id
       LEFT JOIN bank_transaction bank ON bank.id = event.bank_transaction_id
       LEFT JOIN payment_order paid ON paid.id = bank.order_id
       LEFT JOIN ledger_transfer posted ON posted.id = bank.transfer_id
      ORDER BY event.id`,
  )
  return rows
}

const [CREDITED, WAITING, SET_ASIDE] = ['credited', 'waiting', 'set aside'] as const

function fateOf({ status, state }: Row): string {
  if (status === 'applied') return state === 'credited' ? CREDITED : `applied, ${state}`
  if (status === 'stale' || status === 'review') return WAITING
  return status === 'duplicate' || status === 'ignored' ? SET_ASIDE : status
}

/** What is compared of a row, as one text; both sides are to write the same. */
const factsOf = (row: Row) =>
  JSON.stringify({
    provider: row.provider,
    direction: row.direction,
    amount: Number(row.amount),
    account: row.account,
    virtual: row.virtual,
    reference: row.reference,
    memo: row.memo,
    code: row.code,
    at: row.at?.toISOString() ?? null,
    payer: row.payer,
    fate: fateOf(row),
    reason: row.reason,
    transfer:
      row.transfer === null
        ? null
        : {
            state: row.state,
            account: row.transfer_account,
            amount: Number(row.transfer_amount),
            order: row.order,
          },
  })

const expectedFacts = ({ read, fate, reason, transfer }: Told) =>
  JSON.stringify({
    provider: read.provider,
    direction: read.direction,
    amount: read.amount,
    account: read.account,
    virtual: read.virtual,
    reference: read.reference,
    memo: read.memo,
    code: read.code,
    at: read.at?.toISOString() ?? null,
    payer: read.payer,
    fate,
    reason,
    transfer:
      transfer === null
        ? null
        : {
            state: transfer.state,
            account: transfer.account,
            amount: transfer.amount,
            order: transfer.order,
          },
  })

/** Where a row belongs: its provider, its id there, and the mark of what came under a known one. */
function placeOf({ provider, event_id }: Row): string {
  const [id = '', mark = ''] = event_id.split('#')
  // The bytes of one element among several have no form that both sides know.
  return `${provider} ${id.startsWith('unreadable:') ? 'unreadable' : id} ${mark.split('-')[0]}`
}

const expectedPlace = ({ read, mark }: Told) =>
  `${read.provider} ${read.id.startsWith('unreadable:') ? 'unreadable' : read.id} ${mark ?? ''}`

function gathered<T>(all: readonly T[], place: (one: T) => string): Map<string, T[]> {
  const places = new Map<string, T[]>()
  for (const one of all) {
    const there = places.get(place(one))
    if (there === undefined) places.set(place(one), [one])
    else there.push(one)
  }
  return places
}

/** Each row that is stored beside the one that has to be. */
export function compareRows(
  rows: readonly Row[],
  told: readonly Told[],
  atOnce: readonly string[][],
): string[] {
  const wrong: string[] = []
  const stored = gathered(rows, placeOf)
  const expected = gathered(told, expectedPlace)
  turnOver(stored, expected, atOnce)
  for (const place of new Set([...stored.keys(), ...expected.keys()])) {
    const found = countsOf((stored.get(place) ?? []).map(factsOf))
    const wanted = countsOf((expected.get(place) ?? []).map(expectedFacts))
    for (const facts of new Set([...found.keys(), ...wanted.keys()])) {
      const [is, shall] = [found.get(facts) ?? 0, wanted.get(facts) ?? 0]
      if (is !== shall) wrong.push(`${place}: ${is} times, not ${shall}: ${facts}`)
    }
  }
  return [...wrong, ...wrongLinks(stored, expected), ...wrongBytes(stored, expected)]
}

/** Of two that came at one moment either may have been the first. */
function turnOver(
  stored: Map<string, Row[]>,
  expected: Map<string, Told[]>,
  atOnce: readonly string[][],
): void {
  for (const [one = '', other = ''] of atOnce) {
    const [first, second] = [expected.get(one)?.[0], expected.get(other)?.[0]]
    if (first === undefined || second?.reason !== 'same-transfer') continue
    if (stored.get(one)?.[0]?.reason !== 'same-transfer') continue
    const { fate, reason, transfer } = first
    Object.assign(first, { fate: second.fate, reason: second.reason, transfer: second.transfer })
    Object.assign(second, { fate, reason, transfer })
  }
}

/** What the rules call one transfer has to be one row, and what they call two has to be two. */
function wrongLinks(stored: Map<string, Row[]>, expected: Map<string, Told[]>): string[] {
  const wrong: string[] = []
  const rowsOf = new Map<object, string>()
  const transfersOf = new Map<string, object>()
  for (const [place, told] of expected) {
    const [row, ...more] = stored.get(place) ?? []
    const transfer = told[0]?.transfer
    if (!row || more.length > 0 || told.length > 1 || !transfer || row.transfer === null) continue
    const [known, meant] = [rowsOf.get(transfer), transfersOf.get(row.transfer)]
    if (known !== undefined && known !== row.transfer) wrong.push(`${place}: linked to another transfer`)
    if (meant !== undefined && meant !== transfer) wrong.push(`${place}: linked to a transfer of another`)
    rowsOf.set(transfer, row.transfer)
    transfersOf.set(row.transfer, transfer)
  }
  return wrong
}

/** Every notice is kept as it came. */
function wrongBytes(stored: Map<string, Row[]>, expected: Map<string, Told[]>): string[] {
  const wrong: string[] = []
  for (const [place, told] of expected) {
    const rows = stored.get(place) ?? []
    const kept = new Set(rows.map(({ raw }) => digestOf(raw)))
    const lost = told.filter(({ read }) => read.raw !== null && !kept.has(digestOf(read.raw)))
    if (lost.length > 0) wrong.push(`${place}: ${lost.length} not kept as they came`)
    const misnamed = rows.filter(
      ({ event_id, raw }) =>
        event_id.startsWith('unreadable:') && !event_id.startsWith(`unreadable:${digestOf(raw)}`),
    )
    if (misnamed.length > 0) wrong.push(`${place}: ${misnamed.length} are not named by their bytes`)
  }
  return wrong
}

const vietnamDay = (moment: Date) => new Date(moment.getTime() + 7 * 3_600_000).toISOString().slice(0, 10)

/** In đ, by account and day: what was told of money that came, and what became of it. */
export function compareSums(rows: readonly Row[], told: readonly Told[]): string[] {
  const sums = new Map<string, { rules: number; portal: number }>()
  const add = (key: string, side: 'rules' | 'portal', amount: number) => {
    const entry = sums.get(key) ?? { rules: 0, portal: 0 }
    entry[side] += amount
    sums.set(key, entry)
  }
  const arrivals = new Map(rows.map((row) => [placeOf(row), row.arrived_at]))
  for (const one of told) {
    const { read, fate } = one
    if (read.direction === 'out') continue
    const day = vietnamDay(read.at ?? arrivals.get(expectedPlace(one)) ?? one.arrivedAt)
    add(`${read.account} ${day} ${fate}`, 'rules', read.amount)
    add(`${read.account} ${day} told`, 'rules', read.amount)
  }
  for (const row of rows) {
    if (row.direction === 'out') continue
    const day = vietnamDay(row.at ?? row.arrived_at)
    add(`${row.account} ${day} ${fateOf(row)}`, 'portal', Number(row.amount))
    add(`${row.account} ${day} told`, 'portal', Number(row.amount))
  }
  return [...sums].flatMap(([key, { rules, portal }]) =>
    rules === portal ? [] : [`${key}: ${portal} đ stored, ${rules} đ by the rules`],
  )
}

/** What reached the players: each credit once, to the right one, and nothing else. */
export async function compareLedger(
  owner: pg.Client,
  told: readonly Told[],
  orders: ReadonlyMap<string, Order>,
) {
  const wallets = await owner.query<{ player: number; balance: string }>(
    `SELECT (user_id - $1)::int AS player, balance FROM ledger_account WHERE kind = 'user_wallet' AND user_id >= $1`,
    [FIRST_PLAYER],
  )
  const recharged = await owner.query<{ coins: string }>(
    `SELECT coalesce(sum(amount), 0) AS coins FROM ledger_transfer WHERE kind = 'recharge'`,
  )
  const coins = new Map<number, number>()
  for (const { fate, transfer } of told) {
    const order = fate === CREDITED ? orders.get(transfer?.order ?? '') : undefined
    if (order) coins.set(order.player, (coins.get(order.player) ?? 0) + (transfer?.amount ?? 0) * order.rate)
  }
  const wrong = wallets.rows
    .filter(({ player, balance }) => Number(balance) !== (coins.get(player) ?? 0))
    .map(({ player, balance }) => `player ${player} has ${balance} TCoin, not ${coins.get(player) ?? 0}`)
  const [posted, meant] = [Number(recharged.rows[0]?.coins), sum(coins.values())]
  return posted === meant ? wrong : [...wrong, `${posted} TCoin were posted, not ${meant}`]
}

/** How many ended in each way. */
export function countFates(told: readonly Told[]): Record<string, number> {
  const names = told.map(
    ({ fate, reason, mark }) =>
      `${fate}${reason === null ? '' : `: ${reason}`}${mark === 'stale' ? ': stale' : ''}`,
  )
  return Object.fromEntries([...countsOf(names)].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
