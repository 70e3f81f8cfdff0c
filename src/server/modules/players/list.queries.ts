import { sql, type RawBuilder } from 'kysely'
import type { OperatorUser } from '#contract/operator/users.ts'
import { LIST_REACH_MAX } from '#contract/operator/fields.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { allOf, beyond, countWithinReach } from '#server/platform/db/list.ts'
import type { ListPage } from '#server/platform/http/list.ts'

/** What is left out, or undefined, does not matter. */
export type PlayerFilter = {
  ids?: readonly string[] | undefined
  search?: Search | undefined
  isBanned?: boolean | undefined
  hasDebt?: boolean | undefined
  serverId?: string | undefined
  from?: Date | undefined
  before?: Date | undefined
}

/** One text, as each thing that may be meant by it. */
export type Search = { name: string; phone: string; email: string }

/** The pattern of texts that begin with this one. */
export const beginsWith = (text: string): string =>
  `${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`

/** Each part reads one index, and no more rows than a list reaches. */
const found = ({ name, phone, email }: Search) => sql`
  (SELECT named.id FROM users named WHERE named.username_key LIKE lower(${beginsWith(name)})
    LIMIT ${LIST_REACH_MAX})
  UNION ALL
  (SELECT played.user_id FROM game_character played WHERE lower(played.name) LIKE lower(${beginsWith(name)})
    LIMIT ${LIST_REACH_MAX})
  UNION ALL
  (SELECT called.user_id FROM user_contacts called WHERE called.phone = ${phone})
  UNION ALL
  (SELECT mailed.user_id FROM user_contacts mailed WHERE lower(mailed.email) = lower(${email})
    LIMIT ${LIST_REACH_MAX})`

function matching(filter: PlayerFilter): RawBuilder<boolean> {
  const { ids, search, isBanned, hasDebt, serverId, from, before } = filter
  return allOf([
    ids === undefined ? null : sql`u.id = ANY (${ids}::bigint[])`,
    search === undefined ? null : sql`u.id = ANY (ARRAY(${found(search)}))`,
    isBanned
      ? sql`(u.ban_until IS NOT NULL OR u.sign_in_ban_until IS NOT NULL)
            AND (u.ban_until > now() OR u.sign_in_ban_until > now())`
      : null,
    hasDebt
      ? sql`u.id IN (SELECT owing.user_id FROM ledger_account owing WHERE owing.kind = 'receivable' AND owing.balance < 0)`
      : null,
    serverId === undefined ? null : sql`u.server_id = ${serverId}`,
    from === undefined ? null : sql`u.created_at >= ${from}`,
    before === undefined ? null : sql`u.created_at < ${before}`,
  ])
}

const running = (until: string) => sql`CASE WHEN ${sql.ref(until)} > now() THEN ${sql.ref(until)} END`

/** A player with wallet and server; where they are joined, the player is `u`. */
export const described = sql`
  u.id, u.username, u.created_at, s.id AS server_id, s.name AS server_name, w.balance, r.balance AS owed,
  a.user_id IS NOT NULL AS activated,
  ${running('u.ban_until')} AS trading_ban_until, ${running('u.sign_in_ban_until')} AS sign_in_ban_until`

export const joined = sql`
  JOIN servers s ON s.id = u.server_id
  JOIN ledger_account w ON w.id = u.wallet_account_id
  LEFT JOIN ledger_account r ON r.user_id = u.id AND r.kind = 'receivable'
  LEFT JOIN activation a ON a.user_id = u.id`

export type DescribedRow = {
  id: string
  username: string
  created_at: Date
  server_id: string
  server_name: string
  balance: string
  owed: string | null
  activated: boolean
  trading_ban_until: Date | null
  sign_in_ban_until: Date | null
}

export const toOperatorUser = (row: DescribedRow): OperatorUser => ({
  id: row.id,
  username: row.username,
  server: { id: row.server_id, name: row.server_name },
  created_at: row.created_at.toISOString(),
  balance: parseCoins(row.balance),
  debt: row.owed === null ? 0 : 0 - parseCoins(row.owed),
  activated: row.activated,
  trading_ban_until: row.trading_ban_until?.toISOString() ?? null,
  sign_in_ban_until: row.sign_in_ban_until?.toISOString() ?? null,
})

export type PlayerSort = 'created_at' | 'balance'

/** Where the order of a list stands, and the key of a row in it. */
const ORDERS: Record<
  PlayerSort,
  { from: RawBuilder<unknown>; key: RawBuilder<unknown>; keyOf: (id: string) => RawBuilder<unknown> }
> = {
  created_at: {
    from: sql`users u`,
    key: sql.ref('u.created_at'),
    keyOf: (id) => sql`SELECT created_at FROM users WHERE id = ${id}::bigint`,
  },
  balance: {
    from: sql`listed_balance l JOIN users u ON u.id = l.user_id`,
    key: sql.ref('l.balance'),
    keyOf: (id) => sql`SELECT balance FROM listed_balance WHERE user_id = ${id}::bigint`,
  },
}

/** The page is found by its ids, mostly in an index alone; what describes a player is joined to its rows only. */
export async function selectPlayers(
  db: Db,
  filter: PlayerFilter,
  { sort, order, from, to, after }: ListPage & { sort: PlayerSort },
): Promise<OperatorUser[]> {
  const direction = sql.raw(order)
  const { from: source, key, keyOf } = ORDERS[sort]
  const id = sort === 'balance' ? sql.ref('l.user_id') : sql.ref('u.id')
  const behind =
    after === undefined
      ? sql<boolean>`true`
      : sql<boolean>`(${key}, ${id}) ${beyond(order)} ((${keyOf(after)}), ${after}::bigint)`
  const { rows } = await sql<DescribedRow>`
    WITH page AS MATERIALIZED (
      SELECT u.id, ${key} AS key FROM ${source} WHERE ${matching(filter)} AND ${behind}
       ORDER BY ${key} ${direction}, ${id} ${direction} OFFSET ${from} LIMIT ${to - from + 1})
    SELECT ${described} FROM page JOIN users u ON u.id = page.id ${joined}
     ORDER BY page.key ${direction}, page.id ${direction}`.execute(db)
  return rows.map(toOperatorUser)
}

export async function countPlayers(db: Db, filter: PlayerFilter): Promise<number> {
  return countWithinReach(db, db.selectFrom('users as u').where(matching(filter)))
}
