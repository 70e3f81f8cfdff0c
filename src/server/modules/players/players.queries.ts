import { sql, type RawBuilder } from 'kysely'
import { LIST_REACH_MAX, type OperatorNote } from '#contract/operator/fields.ts'
import type { OperatorUser, OperatorUserDetail } from '#contract/operator/users.ts'
import { parseCoins } from '#server/domain/coins.ts'
import { noteColumns, toOperatorNote } from '#server/domain/operator-notes.ts'
import type { Db } from '#server/platform/db/database.ts'
import { allOf, beyond, countWithinReach } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { notFound } from '#server/platform/values/errors.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { onOnePage, type Person } from '#server/domain/personal-part.ts'
import { beginsWith } from '#contract/search-form.ts'
import type { IsResting } from '#server/platform/queues/due-rows.ts'

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

/** Each part reads one index, and no more rows than a list reaches. */
const found = ({ name, phone, email }: Search) => sql`
  (SELECT named.id FROM users named WHERE named.username_key LIKE ${beginsWith(name)}
    LIMIT ${LIST_REACH_MAX})
  UNION ALL
  (SELECT played.user_id FROM game_character played WHERE search_form(played.name) LIKE ${beginsWith(name)}
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
const described = sql`
  u.id, u.username, u.created_at, s.id AS server_id, s.name AS server_name, w.balance, r.balance AS owed,
  a.user_id IS NOT NULL AS activated,
  ${running('u.ban_until')} AS trading_ban_until, ${running('u.sign_in_ban_until')} AS sign_in_ban_until`

const joined = sql`
  JOIN servers s ON s.id = u.server_id
  JOIN ledger_account w ON w.id = u.wallet_account_id
  LEFT JOIN ledger_account r ON r.user_id = u.id AND r.kind = 'receivable'
  LEFT JOIN activation a ON a.user_id = u.id`

type DescribedRow = {
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

const toOperatorUser = (row: DescribedRow): OperatorUser => ({
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

/** What the portal itself knows of a player; the contacts are not masked yet. */
type StoredPlayer = Omit<OperatorUserDetail, 'email' | 'phone' | 'unmatched' | 'characters'> & {
  characters: Omit<OperatorUserDetail['characters'][number], 'class_name'>[]
  email: string | null
  email_verified: boolean
  phone: string | null
  phone_verified: boolean
}

type Row = DescribedRow &
  Pick<StoredPlayer, 'email' | 'email_verified' | 'phone' | 'phone_verified' | 'roles'> &
  Pick<StoredPlayer, 'has_second_factor' | 'invited_by' | 'characters'> & {
    ban_reason: string | null
    sign_in_ban_reason: string | null
    activated_at: Date | null
    fee: string | null
    last_sign_in_at: Date | null
  }

const CHARACTERS_MAX = 50

export async function findPlayer(db: Db, userId: string): Promise<StoredPlayer | undefined> {
  const { rows } = await sql<Row>`
    SELECT ${described}, u.ban_reason, u.sign_in_ban_reason, a.activated_at, a.fee,
           c.email, c.email_verified_at IS NOT NULL AS email_verified,
           c.phone, c.phone_verified_at IS NOT NULL AS phone_verified,
           ARRAY(SELECT held.role FROM user_roles held WHERE held.user_id = u.id ORDER BY held.role) AS roles,
           f.confirmed_at IS NOT NULL AS has_second_factor,
           CASE WHEN i.id IS NOT NULL THEN json_build_object('id', i.id::text, 'username', i.username) END AS invited_by,
           (SELECT coalesce(json_agg(json_build_object('id', g.id, 'name', g.name, 'level', g.level,
                                                        'class_id', g.class_id) ORDER BY g.level DESC, g.id), '[]')
              FROM (SELECT * FROM game_character WHERE user_id = u.id ORDER BY level DESC, id
                     LIMIT ${CHARACTERS_MAX}) g) AS characters,
           (SELECT max(n.at) FROM sign_in n WHERE n.user_id = u.id AND n.outcome = 'succeeded') AS last_sign_in_at
      FROM users u ${joined}
      LEFT JOIN user_contacts c ON c.user_id = u.id
      LEFT JOIN second_factor f ON f.user_id = u.id
      LEFT JOIN users i ON i.id = u.referrer_id
     WHERE u.id = ${userId}::bigint`.execute(db)
  return rows[0] && toPlayer(rows[0])
}

function toPlayer(row: Row): StoredPlayer {
  const user = toOperatorUser(row)
  const ban = (until: string | null, reason: string | null) => (until === null ? null : { until, reason })
  return {
    ...user,
    email: row.email,
    email_verified: row.email_verified,
    phone: row.phone,
    phone_verified: row.phone_verified,
    bans: {
      'sign-in': ban(user.sign_in_ban_until, row.sign_in_ban_reason),
      trading: ban(user.trading_ban_until, row.ban_reason),
    },
    activation:
      row.activated_at === null
        ? null
        : { at: row.activated_at.toISOString(), fee: parseCoins(row.fee ?? '0') },
    roles: row.roles,
    has_second_factor: row.has_second_factor,
    invited_by: row.invited_by,
    characters: row.characters,
    last_sign_in_at: row.last_sign_in_at?.toISOString() ?? null,
  }
}

/** What leads to a player's rows in other tables. Throws NOT_FOUND. */
export async function getWho(
  db: Db | Tx,
  userId: string,
): Promise<{ id: string; username: string; walletId: string }> {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'wallet_account_id as walletId'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow(notFound)
}

const notes = (db: Db | Tx) =>
  db
    .selectFrom('player_note as note')
    .innerJoin('users as author', 'author.id', 'note.author_id')
    .select(noteColumns)

export async function selectNotes(
  db: Db,
  { userId, before, limit }: { userId: string; before: string | undefined; limit: number },
): Promise<OperatorNote[]> {
  const rows = await notes(db)
    .where('note.user_id', '=', userId)
    .$if(before !== undefined, (query) => query.where('note.id', '<', before as string))
    .orderBy('note.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toOperatorNote)
}

export async function insertNote(
  tx: Tx,
  note: { userId: string; authorId: string; text: string },
): Promise<OperatorNote> {
  const { id } = await tx
    .insertInto('player_note')
    .values({ user_id: note.userId, author_id: note.authorId, text: note.text })
    .returning('id')
    .executeTakeFirstOrThrow()
  return toOperatorNote(await notes(tx).where('note.id', '=', id).executeTakeFirstOrThrow())
}

/** Stores what the wallets of some players hold; answers how many rows changed. */
/** Answers how many have changed. */
export async function storeBalances(db: Db, userIds: readonly string[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO listed_balance AS listed (user_id, balance)
      SELECT u.id, w.balance FROM users u JOIN ledger_account w ON w.id = u.wallet_account_id
       WHERE u.id = ANY (${[...userIds]}::bigint[])
       ORDER BY u.id
      ON CONFLICT (user_id) DO UPDATE SET balance = EXCLUDED.balance WHERE listed.balance <> EXCLUDED.balance`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** Those whose listed balance is not theirs any more, since it moved or they registered in the last so many minutes. */
export async function listChangedBalances(
  db: Db,
  isResting: IsResting,
  minutes: number,
  limit: number,
): Promise<string[]> {
  const since = sql`now() - make_interval(mins => ${minutes}::integer)`
  const { rows } = await sql<{ id: string }>`
    WITH changed AS (
      SELECT moved.user_id FROM ledger_account moved WHERE moved.kind = 'user_wallet' AND moved.id IN (
          SELECT debit_account FROM ledger_transfer WHERE created_at >= ${since}
          UNION SELECT credit_account FROM ledger_transfer WHERE created_at >= ${since})
      UNION SELECT registered.id FROM users registered WHERE registered.created_at >= ${since})
    SELECT u.id FROM changed JOIN users u ON u.id = changed.user_id JOIN ledger_account w ON w.id = u.wallet_account_id
      LEFT JOIN listed_balance listed ON listed.user_id = u.id
     WHERE listed.balance IS DISTINCT FROM w.balance AND NOT ${isResting(sql`u.id`)} LIMIT ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Of the next players by id those of whom that is so, whatever happened; `last` is null when there were fewer. */
export async function listNextBalances(
  db: Db,
  isResting: IsResting,
  { after, limit }: { after: string; limit: number },
): Promise<{ ids: string[]; last: string | null }> {
  const { rows } = await sql<{ ids: string[]; last: string | null; count: number }>`
    SELECT coalesce(array_agg(next.id::text ORDER BY next.id) FILTER (
             WHERE listed.balance IS DISTINCT FROM w.balance AND NOT ${isResting(sql`next.id`)}), '{}') AS ids,
           max(next.id) AS last, count(*)::integer AS count
      FROM (SELECT id, wallet_account_id FROM users WHERE id > ${after}::bigint ORDER BY id LIMIT ${limit}) next
      JOIN ledger_account w ON w.id = next.wallet_account_id
      LEFT JOIN listed_balance listed ON listed.user_id = next.id`.execute(db)
  const [{ ids, last, count } = { ids: [], last: null, count: 0 }] = rows
  return { ids, last: count === limit ? last : null }
}

export const exportNotes = onOnePage(
  ({ id }) => sql`
    SELECT created_at FROM player_note WHERE user_id = ${id}::bigint ORDER BY id`,
)

export async function eraseNotes(tx: Tx, { id }: Person): Promise<void> {
  await tx.deleteFrom('player_note').where('user_id', '=', id).execute()
}

/** TCoin in the wallets of some players. */
export async function selectWalletBalances(
  db: Db | Tx,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('users')
    .innerJoin('ledger_account as wallet', 'wallet.id', 'users.wallet_account_id')
    .select(['users.id', 'wallet.balance'])
    .where('users.id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, balance }) => [id, parseCoins(balance)]))
}
