import {
  ok,
  refused,
  wrong,
  type Answer,
  isBoard,
  isDeliveryId,
  readDelivery,
  readLimit,
  readName,
  reasonAgainst,
} from './reading.ts'
import { openJournal, type JournalRow } from './journal.ts'
import type { Character, Delivery, World } from './world.ts'

export type GameCall = { method: string; url: string; body: Buffer }

export type Game = {
  answer(call: GameCall): Promise<Answer>
  /** Refuses a delivery for good, whatever it is: the bag is full. */
  refuse(call: GameCall): Promise<Answer>
  close(): Promise<void>
}

/** A decided row that is being written to disk. It is not answered before that. */
type Decided = { row: JournalRow; isKept: Promise<void> }

/** As many as easily fit into memory; the journal is restarted long before. */
const ROWS_MAX = 2_000_000
const UNKNOWN_CALL = wrong(404, 'no-such-call')

/** The rules of the contract for the game's data and a durable journal. Each delivery is decided once, in one step. */
export async function openGame(world: World, dataDir: string): Promise<Game> {
  const decided = new Map<string, Decided>()
  const journal = await openJournal(dataDir, (row) => {
    decided.set(row.id, { row, isKept: Promise.resolve() })
    // One who left the game since has taken the goods along.
    const character = row.status === 'applied' ? world.find(row.delivery) : undefined
    if (row.status === 'applied' && character) world.handOver(character, row.delivery.goods)
  })

  /** From here on this is the delivery's result for every caller; callers wait until it is on disk. */
  async function decide(row: JournalRow): Promise<void> {
    const isKept = journal.append(row)
    decided.set(row.id, { row, isKept })
    await isKept
  }

  async function deliver(id: string, delivery: Delivery): Promise<Answer> {
    const earlier = decided.get(id)
    if (earlier) {
      await earlier.isKept
      return answerAgain(earlier.row, delivery)
    }
    const character = world.find(delivery)
    const reason = reasonAgainst(delivery.goods) ?? (character ? null : 'no-such-character')
    if (reason !== null || !character) {
      await decide({ id, status: 'refused', delivery, reason: reason ?? 'no-such-character' })
      return refused(reason ?? 'no-such-character')
    }
    await decide({ id, status: 'applied', delivery })
    world.handOver(character, delivery.goods)
    return ok({ status: 'applied' })
  }

  async function cancel(id: string): Promise<Answer> {
    const earlier = decided.get(id)
    // A cancellation, also over a refusal. No await before it is recorded: a delivery could be applied in between.
    if (earlier === undefined || earlier.row.status === 'refused') await decide({ id, status: 'cancelled' })
    else await earlier.isKept
    return ok({ status: earlier?.row.status === 'applied' ? 'applied' : 'cancelled' })
  }

  async function statusOf(id: string): Promise<Answer> {
    const known = decided.get(id)
    await known?.isKept
    // A refused delivery was not applied; sending it again returns the refusal.
    const status = known === undefined || known.row.status === 'refused' ? 'unknown' : known.row.status
    return ok({ status })
  }

  async function refuse({ url, body }: GameCall): Promise<Answer> {
    const id = deliveryIn(url)?.id ?? ''
    const read = readDelivery(body)
    if (!('value' in read) || decided.has(id)) return answer({ method: 'PUT', url, body })
    await decide({ id, status: 'refused', delivery: read.value, reason: 'bag-full' })
    return refused('bag-full')
  }

  async function answer({ method, url, body }: GameCall): Promise<Answer> {
    const named = deliveryIn(url)
    if (!named) return method === 'GET' ? answerQuestion(world, url) : UNKNOWN_CALL
    const { id, isCancel } = named
    if (!isDeliveryId(id)) return wrong(400, 'bad-request', 'id')
    if (decided.size >= ROWS_MAX && !decided.has(id)) return wrong(503, 'journal-full')
    if (isCancel) return method === 'POST' ? cancel(id) : wrong(405, 'no-such-method')
    if (method === 'GET') return statusOf(id)
    if (method !== 'PUT') return wrong(405, 'no-such-method')
    const read = readDelivery(body)
    return 'value' in read ? deliver(id, read.value) : wrong(400, 'bad-request', read.field)
  }

  return { answer, refuse, close: () => journal.close() }
}

function deliveryIn(url: string): { id: string; isCancel: boolean } | null {
  const [, id = '', cancel] = /^\/v1\/deliveries\/([^/?]+)(\/cancel)?$/.exec(url) ?? []
  return id === '' ? null : { id, isCancel: cancel !== undefined }
}

function answerAgain(row: JournalRow, delivery: Delivery): Answer {
  if (row.status === 'cancelled') return refused('cancelled')
  if (promised(row.delivery) !== promised(delivery)) return wrong(409, 'another-body')
  return row.status === 'applied' ? ok({ status: 'applied' }) : refused(row.reason)
}

/** One text for equal bodies, whatever the order of their fields. */
const promised = ({ serverId, account, characterId, goods }: Delivery) =>
  JSON.stringify([
    serverId,
    account,
    characterId,
    goods.map(({ kind, code = null, quantity, days = null }) => [kind, code, quantity, days]),
  ])

function answerQuestion(world: World, url: string): Answer {
  const { pathname, searchParams } = new URL(url, 'http://game')
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
  const ranked = world.top(board, server.value, limit.value)
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
