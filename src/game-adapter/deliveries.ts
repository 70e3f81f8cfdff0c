import { createHash } from 'node:crypto'
import type { Good } from '#contract/deliveries.ts'
import { ok, promised, reasonAgainst, refused, wrong, type Answer } from '#game-server/reading.ts'
import type { Delivery } from '#game-server/world.ts'
import type { Accounts } from './accounts.ts'
import type { Characters } from './characters.ts'
import type { Config } from './config.ts'
import { isDuplicate, type Database, type Row, type Session, type Value } from './database.ts'
import { keyOf, momentOf, textOf } from './values.ts'

export type DeliveriesOf = {
  config: Pick<Config, 'caps' | 'items' | 'servers'>
  database: Database
  accounts: Accounts
  characters: Characters
}

const INSERT = `INSERT INTO portal_delivery
  (id, status, body_hash, server_id, account, character_id, character_name, goods, reason, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3))`

/** Stores the delivery for good, or its refusal. The primary key decides between copies that come at once. */
export function deliver(of: DeliveriesOf, id: string, delivery: Delivery): Promise<Answer> {
  const hash = createHash('sha256').update(promised(delivery)).digest()
  return of.database.use(async (session) => {
    const known = await rowOf(session, id)
    if (known !== undefined) return answerAgain(known, hash)
    const { reason, name } = await check(of, session, delivery)
    const { serverId, account, characterId, goods } = delivery
    const values: Value[] = [
      id,
      reason === null ? 'applied' : 'refused',
      hash,
      serverId,
      keyOf(account),
      characterId,
      name,
      JSON.stringify(goods),
      reason,
    ]
    try {
      await session.change(INSERT, values)
    } catch (error) {
      if (!isDuplicate(error)) throw error
      // A copy or a cancellation was faster, and is committed.
      const row = await rowOf(session, id)
      if (row === undefined) throw error
      return answerAgain(row, hash)
    }
    return reason === null ? ok({ status: 'applied' }) : refused(reason)
  })
}

const rowOf = async (session: Session, id: string): Promise<Row | undefined> =>
  (
    await session.rows(
      'SELECT status, body_hash, reason, waiting, collected_at FROM portal_delivery WHERE id = ?',
      [id],
    )
  )[0]

function answerAgain({ status, body_hash: known, reason }: Row, hash: Buffer): Answer {
  if (status === 'cancelled') return refused('cancelled')
  if (!Buffer.isBuffer(known) || !known.equals(hash)) return wrong(409, 'another-body')
  return status === 'applied' ? ok({ status: 'applied' }) : refused(textOf(reason) ?? 'refused')
}

type Checked = { reason: string | null; name: string | null }

async function check(of: DeliveriesOf, session: Session, delivery: Delivery): Promise<Checked> {
  const { goods } = delivery
  const against = reasonAgainst(goods, of.config.caps) ?? neverFitting(of.config, goods)
  return against === null ? checkRecipient(of, session, delivery) : { reason: against, name: null }
}

/** The name of the character, or why there is none. */
export async function checkRecipient(
  of: DeliveriesOf,
  session: Session,
  { serverId, account, characterId }: Omit<Delivery, 'goods'>,
): Promise<Checked> {
  if (!of.config.servers.some(({ id }) => id === serverId)) return { reason: 'no-such-server', name: null }
  const found = await of.accounts.find(session, account)
  if (found.kind === 'none') return { reason: 'no-such-account', name: null }
  if (found.kind !== 'one') return { reason: found.kind, name: null }
  const list = await of.characters.of(session, found.account, serverId)
  // As texts: for the database "10293abc" and "010293" are the number 10293.
  const character = list.find(({ id }) => String(id) === characterId)
  return character === undefined
    ? { reason: 'no-such-character', name: null }
    : { reason: null, name: character.name }
}

/** What is above a cap by itself. What only does not fit beside what the character has today waits in the game. */
function neverFitting({ caps, items }: DeliveriesOf['config'], goods: readonly Good[]): string | null {
  const sums = { luong: 0, yen: 0 }
  for (const { kind, code, quantity } of goods) {
    if (kind !== 'item') {
      sums[kind] += quantity
      continue
    }
    const item = items?.find((known) => known.code === code)
    if (items !== undefined && item === undefined) return 'unknown-item'
    if (item !== undefined && quantity > item.max) return 'over-limit'
  }
  return sums.luong > caps.luong || sums.yen > caps.yen ? 'over-limit' : null
}

/** What a character waits for. */
export function statusOf({ database }: DeliveriesOf, id: string): Promise<Answer> {
  return database.use(async (session) => {
    const row = await rowOf(session, id)
    const isApplied = row?.status === 'applied'
    return ok({
      status: row === undefined || row.status === 'refused' ? 'unknown' : row.status,
      collected_at: isApplied ? momentOf(row.collected_at) : null,
      waiting: isApplied && row.collected_at === null ? row.waiting : null,
    })
  })
}

/** Stores a row for an unknown id too. Each statement commits by itself: in one transaction two of them can deadlock. */
export function cancel({ database }: DeliveriesOf, id: string): Promise<Answer> {
  return database.use(async (session) => {
    try {
      await session.change(
        `INSERT INTO portal_delivery (id, status, created_at) VALUES (?, 'cancelled', UTC_TIMESTAMP(3))`,
        [id],
      )
      return ok({ status: 'cancelled' })
    } catch (error) {
      if (!isDuplicate(error)) throw error
    }
    await session.change(
      `UPDATE portal_delivery SET status = 'cancelled' WHERE id = ? AND status = 'refused'`,
      [id],
    )
    const row = await rowOf(session, id)
    return ok({ status: row?.status === 'applied' ? 'applied' : 'cancelled' })
  })
}

export type Uncollected = {
  serverId: string
  account: string
  characterId: string
  luong: number
  yen: number
}

/** Everything that is applied and not collected: it counts as the character's already. */
export async function uncollected(session: Session): Promise<Uncollected[]> {
  const rows = await session.rows(
    `SELECT server_id, account, character_id, goods FROM portal_delivery
      WHERE status = 'applied' AND collected_at IS NULL`,
  )
  return rows.flatMap((row) => {
    const goods = JSON.parse(textOf(row.goods) ?? '[]') as Good[]
    const sum = (of: Good['kind']) =>
      goods.filter(({ kind }) => kind === of).reduce((total, { quantity }) => total + quantity, 0)
    return [
      {
        serverId: String(row.server_id),
        account: String(row.account),
        characterId: String(row.character_id),
        luong: sum('luong'),
        yen: sum('yen'),
      },
    ]
  })
}
