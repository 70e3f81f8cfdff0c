import { openAccounts, type Accounts } from './accounts.ts'
import { openNotices, type Notices } from './notices.ts'
import { Charges } from './charges.ts'
import { Collector, HELD_MAX, ITEMS } from './collecting.ts'
import { CLASS_NAMES, HEADS_PER_CLASS } from '#contract/characters.ts'
import {
  chargeIn,
  deliveryIn,
  ok,
  refused,
  wrong,
  type Answer,
  isBoard,
  isGameId,
  isMoment,
  noticeIn,
  promised,
  readDelivery,
  readLimit,
  readOffset,
  readName,
  reasonAgainst,
} from './reading.ts'
import { openJournal, type ChargeRow, type DecidedRow, type JournalRow } from './journal.ts'
import { BOARDS, type Character, type Delivery, type World } from './world.ts'

export type GameCall = { method: string; url: string; body: Buffer }

export type Game = {
  collector: Collector
  answer(call: GameCall): Promise<Answer>
  /** Refuses a delivery or charge for good, whatever it is: the bag is full, the character is not in the game. */
  refuse(call: GameCall): Promise<Answer>
  close(): Promise<void>
}

/** A decided row that is being written to disk. It is not answered before that. */
type Decided = { row: DecidedRow; written: Promise<void> }

/** As many as easily fit into memory; the journal is restarted long before. */
const ROWS_MAX = 2_000_000
const UNKNOWN_CALL = wrong(404, 'no-such-call')

/** The rules of the contract for the game's data and a durable journal. Each delivery is decided once, in one step. */
export async function openGame(world: World, dataDir: string): Promise<Game> {
  const decided = new Map<string, Decided>()
  const collector = new Collector(world, (id, at) => {
    // Nobody waits for this row: without it the next start collects the same goods from the same journal.
    journal.append({ id, status: 'collected', at }).catch(() => {})
  })
  const accounts = openAccounts(world, (row) => journal.append(row))
  const notices = openNotices((row) => journal.append(row))
  const charges = new Charges({ world, collector, append: (row) => journal.append(row) })
  const journal = await openJournal(dataDir, (row) =>
    replay(row, { decided, collector, accounts, charges, notices }),
  )
  collector.collectAll()

  /** From here on this is the delivery's result for every caller; callers wait until it is on disk. */
  async function decide(row: DecidedRow): Promise<void> {
    const written = journal.append(row)
    decided.set(row.id, { row, written })
    await written
  }

  async function deliver(id: string, delivery: Delivery): Promise<Answer> {
    const earlier = decided.get(id)
    if (earlier) {
      await earlier.written
      return answerAgain(earlier.row, delivery)
    }
    const reason = reasonAgainst(delivery.goods) ?? (world.find(delivery) ? null : 'no-such-character')
    if (reason !== null) {
      await decide({ id, status: 'refused', delivery, reason })
      return refused(reason)
    }
    await decide({ id, status: 'applied', delivery })
    collector.add(id, delivery)
    collector.collect(id)
    return ok({ status: 'applied' })
  }

  async function cancel(id: string): Promise<Answer> {
    const earlier = decided.get(id)
    // A cancellation, also over a refusal. No await before it is recorded: a delivery could be applied in between.
    if (earlier === undefined || earlier.row.status === 'refused') await decide({ id, status: 'cancelled' })
    else await earlier.written
    return ok({ status: earlier?.row.status === 'applied' ? 'applied' : 'cancelled' })
  }

  async function refuse({ url, body }: GameCall): Promise<Answer> {
    const charge = chargeIn(url)
    if (charge !== null) return charges.refuse(charge, body)
    const id = deliveryIn(url)?.id ?? ''
    const read = readDelivery(body)
    if (!('value' in read) || decided.has(id)) return answer({ method: 'PUT', url, body })
    await decide({ id, status: 'refused', delivery: read.value, reason: 'bag-full' })
    return refused('bag-full')
  }

  async function answer({ method, url, body }: GameCall): Promise<Answer> {
    const account = accountIn(url)
    if (account !== null) return accounts.answer(account, { method, body })
    const notice = noticeIn(url)
    if (notice !== null) return notices.answer(notice, { method, body })
    const charge = chargeIn(url)
    if (charge !== null) return charges.answer(charge, { method, body })
    const named = deliveryIn(url)
    if (!named) return method === 'GET' ? answerQuestion({ world, collector }, url) : UNKNOWN_CALL
    const { id, isCancel } = named
    if (!isGameId(id)) return wrong(400, 'bad-request', 'id')
    if (decided.size >= ROWS_MAX && !decided.has(id)) return wrong(503, 'journal-full')
    if (isCancel) return method === 'POST' ? cancel(id) : wrong(405, 'no-such-method')
    if (method === 'GET') return statusOf({ decided, collector }, id)
    if (method !== 'PUT') return wrong(405, 'no-such-method')
    const read = readDelivery(body)
    return 'value' in read ? deliver(id, read.value) : wrong(400, 'bad-request', read.field)
  }

  return { collector, answer, refuse, close: () => journal.close() }
}

async function statusOf({ decided, collector }: Pick<Restored, 'decided' | 'collector'>, id: string) {
  const known = decided.get(id)
  await known?.written
  // A refused delivery was not applied; sending it again returns the refusal.
  const status = known === undefined || known.row.status === 'refused' ? 'unknown' : known.row.status
  return ok({ status, ...collector.answerAbout(id) })
}

type Restored = {
  decided: Map<string, Decided>
  collector: Collector
  accounts: Accounts
  charges: Charges
  notices: Notices
}

/** What the journal has, at the start. */
function replay(row: JournalRow, { decided, collector, accounts, charges, notices }: Restored): void {
  if (row.status === 'notice') return notices.restore(row.id, row.notice)
  if (row.status === 'account') return accounts.restore(row.change)
  if (row.status === 'collected') return collector.give(row.id, row.at ?? new Date(0).toISOString())
  if (isOfCharge(row)) return charges.restore(row)
  decided.set(row.id, { row, written: Promise.resolve() })
  if (row.status === 'applied') collector.add(row.id, row.delivery)
}

const isOfCharge = (row: JournalRow): row is ChargeRow =>
  row.status === 'charged' || row.status === 'charge-refused' || row.status === 'charge-refunded'

function accountIn(url: string): string | null {
  const [, written = ''] = /^\/v1\/accounts\/([^/?]+)$/.exec(url) ?? []
  try {
    return written === '' ? null : decodeURIComponent(written)
  } catch {
    return null // no text
  }
}

/** Goods that wait are in no ranking before they are collected. */
const COUNTS = { yen: { of: 'character', waiting: false }, luong: { of: 'character', waiting: false } }

function describe(world: World, { seenAt }: Collector, query: URLSearchParams): Answer {
  const until = query.get('accounts_until')
  if (until !== null && !isMoment(until)) return wrong(400, 'bad-request', 'accounts_until')
  return ok({
    servers: world.servers(),
    boards: BOARDS,
    counts: COUNTS,
    items: ITEMS,
    max: HELD_MAX,
    classes: { ...CLASS_NAMES },
    heads: Array.from({ length: CLASS_NAMES.length * HEADS_PER_CLASS }, (_, index) => index + 1),
    collector_seen_at: seenAt,
    charges: true,
    notices: true,
  })
}

function answerAgain(row: DecidedRow, delivery: Delivery): Answer {
  if (row.status === 'cancelled') return refused('cancelled')
  if (promised(row.delivery) !== promised(delivery)) return wrong(409, 'another-body')
  return row.status === 'applied' ? ok({ status: 'applied' }) : refused(row.reason)
}

function answerQuestion({ world, collector }: { world: World; collector: Collector }, url: string): Answer {
  const { pathname, searchParams } = new URL(url, 'http://game')
  if (pathname === '/v1/game') return describe(world, collector, searchParams)
  const board = /^\/v1\/rankings\/([^/]+)$/.exec(pathname)?.[1]
  if (pathname !== '/v1/characters' && board === undefined) return UNKNOWN_CALL
  const server = readName(searchParams, 'server_id')
  if (!('value' in server)) return wrong(400, 'bad-request', server.field)
  if (board === undefined) {
    const account = readName(searchParams, 'account')
    if (!('value' in account)) return wrong(400, 'bad-request', account.field)
    return ok(world.charactersOf(server.value, account.value).map(shown))
  }
  if (!isBoard(board)) return wrong(404, 'no-such-board', 'board')
  const limit = readLimit(searchParams)
  if (!('value' in limit)) return wrong(400, 'bad-request', limit.field)
  const offset = readOffset(searchParams)
  if (!('value' in offset)) return wrong(400, 'bad-request', offset.field)
  const ranked = world.top(board, server.value, { limit: limit.value, offset: offset.value })
  return ok(
    ranked.map(({ name, classId, level, value, account }) => ({
      name,
      class_id: classId,
      level,
      value,
      account,
    })),
  )
}

const shown = ({ id, name, head, classId, level }: Character) => ({
  id,
  name,
  head,
  class_id: classId,
  level,
})
