import {
  chargeIn,
  deliveryIn,
  isBoard,
  isGameId,
  noticeIn,
  ok,
  readDelivery,
  readLimit,
  readName,
  readOffset,
  wrong,
  type Answer,
} from '#game-server/reading.ts'
import { boardsOf, topOf, type BoardsOf } from './boards.ts'
import { answerCharge } from './charges.ts'
import { DatabaseUnavailable } from './database.ts'
import { cancel, deliver, statusOf } from './deliveries.ts'
import type { Log } from './log.ts'
import { answerNotice } from './notices.ts'
import { describeGame, findAccount, storeAccount } from './portal-accounts.ts'

export type Call = { method: string; url: string; body: Buffer }

export type CallsOf = BoardsOf & { log: Log }

const UNKNOWN_CALL = wrong(404, 'no-such-call')
const UNKNOWN_METHOD = wrong(405, 'no-such-method')

/** One call of the contract. Without the database the answer is 503: the portal sends the same again. */
export async function answer(of: CallsOf, call: Call): Promise<Answer> {
  try {
    return await answerNow(of, call)
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    of.log.error('the database cannot be used', error.cause)
    return wrong(503, 'database-unavailable')
  }
}

async function answerNow(of: CallsOf, call: Call): Promise<Answer> {
  const { method, url } = call
  const delivery = deliveryIn(url)
  if (delivery !== null) return answerDelivery(of, delivery, call)
  const charge = chargeIn(url)
  if (charge !== null) return answerCharge(of, charge, call)
  const { pathname, searchParams } = new URL(url, 'http://game')
  const notice = noticeIn(url)
  if (notice !== null) return answerNotice(of.database, notice, call)
  const account = /^\/v1\/accounts\/([^/]+)$/.exec(pathname)?.[1]
  if (account !== undefined) return answerAccount(of, account, call)
  if (method !== 'GET') return UNKNOWN_CALL
  if (pathname === '/v1/game') {
    return describeGame(of.database, of.config, searchParams.get('accounts_until'))
  }
  if (pathname === '/v1/characters') return listCharacters(of, searchParams)
  const board = /^\/v1\/rankings\/([^/]+)$/.exec(pathname)?.[1]
  return board === undefined ? UNKNOWN_CALL : rank(of, board, searchParams)
}

async function answerDelivery(
  of: CallsOf,
  { id, isCancel }: { id: string; isCancel: boolean },
  { method, body }: Call,
): Promise<Answer> {
  if (!isGameId(id)) return wrong(400, 'bad-request', 'id')
  if (isCancel) return method === 'POST' ? cancel(of, id) : UNKNOWN_METHOD
  if (method === 'GET') return statusOf(of, id)
  if (method !== 'PUT') return UNKNOWN_METHOD
  const read = readDelivery(body)
  return 'value' in read ? deliver(of, id, read.value) : wrong(400, 'bad-request', read.field)
}

async function answerAccount(of: CallsOf, encoded: string, { method, body }: Call): Promise<Answer> {
  let account: string
  try {
    account = decodeURIComponent(encoded)
  } catch {
    return wrong(400, 'bad-request', 'account')
  }
  if (account.length > 64) return wrong(400, 'bad-request', 'account')
  if (method === 'GET') return findAccount(of, account)
  return method === 'PUT' ? storeAccount(of.database, account, body) : UNKNOWN_METHOD
}

async function listCharacters(of: CallsOf, query: URLSearchParams): Promise<Answer> {
  const server = readName(query, 'server_id')
  if (!('value' in server)) return wrong(400, 'bad-request', server.field)
  const account = readName(query, 'account')
  if (!('value' in account)) return wrong(400, 'bad-request', account.field)
  if (!of.config.servers.some(({ id }) => id === server.value)) return ok([])
  const list = await of.database.use(async (session) => {
    const found = await of.accounts.find(session, account.value)
    return found.kind === 'one' ? of.characters.of(session, found.account, server.value) : []
  })
  return ok(
    list.map(({ id, name, head, classId, level }) => ({
      id: String(id),
      name,
      head,
      class_id: classId,
      level,
    })),
  )
}

async function rank(of: CallsOf, board: string, query: URLSearchParams): Promise<Answer> {
  const server = readName(query, 'server_id')
  if (!('value' in server)) return wrong(400, 'bad-request', server.field)
  if (!isBoard(board) || !boardsOf(of.config).includes(board)) return wrong(404, 'no-such-board', 'board')
  const limit = readLimit(query)
  if (!('value' in limit)) return wrong(400, 'bad-request', limit.field)
  const offset = readOffset(query)
  if (!('value' in offset)) return wrong(400, 'bad-request', offset.field)
  if (!of.config.servers.some(({ id }) => id === server.value)) return ok([])
  const asked = { board, serverId: server.value, limit: limit.value, offset: offset.value }
  return ok(await topOf(of, asked))
}
