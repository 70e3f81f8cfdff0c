import { sql } from 'kysely'
import { asOwner } from '#tests/support/databases.ts'
import type { TestApp } from '#tests/support/app.ts'

/** In the order in which they come. Whoever is not said to be absent has checked in; the fee is 100. */
const KINDS = {
  /** Has paid. */
  present: { state: 'admitted', charge: 'applied' },
  absent: { state: 'admitted', charge: 'applied', isAbsent: true },
  /** Holds a place while the game decides about the fee. */
  unpaid: { state: 'held', charge: 'pending' },
  unpaidAbsent: { state: 'held', charge: 'pending', isAbsent: true },
  /** Holds a place and lacks its members. */
  incomplete: { state: 'held', isIncomplete: true },
  waiting: { state: 'waiting' },
  waitingAbsent: { state: 'waiting', isAbsent: true },
} as const

type Kind = keyof typeof KINDS

const KIND_NAMES = Object.keys(KINDS) as Kind[]

type Traits = { state: string; charge?: string; isAbsent?: boolean; isIncomplete?: boolean }

/** Solo teams, each of a player who cannot sign in, at the cost of a few statements. Returns the ids of each kind. */
export async function addCrowd(
  portal: TestApp,
  id: string,
  counts: Partial<Record<Kind, number>>,
): Promise<Record<Kind, string[]>> {
  const kinds = KIND_NAMES.flatMap((kind) => Array<Kind>(counts[kind] ?? 0).fill(kind))
  const rows = kinds.map((kind) => KINDS[kind] as Traits)
  await asOwner(
    portal,
    `WITH made AS (
       SELECT greatest((SELECT max(id) FROM users), 1000000) + n AS id FROM generate_series(1, $1::integer) n),
     wallets AS (INSERT INTO ledger_account (id, kind, user_id) SELECT id, 'user_wallet', id FROM made)
     INSERT INTO users (id, username, password_hash, server_id, wallet_account_id)
     SELECT id, 'dam' || id, '-', '1', id FROM made`,
    [rows.length],
  )
  await asOwner(
    portal,
    `WITH crowd AS (
       SELECT (SELECT max(id) FROM users) - $2::integer + n AS user_id, n, traits ->> 'state' AS state, traits ->> 'charge' AS charge,
              traits ? 'isAbsent' AS is_absent, traits ? 'isIncomplete' AS is_incomplete
         FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS given (traits, n)),
     made AS (
       INSERT INTO teams (tournament_id, name, skeleton, captain_id, state, held_until, checked_in_at)
       SELECT $1::bigint, 'Đội ' || user_id, 'doi' || user_id, user_id, state,
              CASE WHEN state = 'held' THEN now() + interval '1 day' END, CASE WHEN NOT is_absent THEN now() END
         FROM crowd ORDER BY n RETURNING id, captain_id),
     members AS (
       INSERT INTO team_members (tournament_id, team_id, position, character_name, user_id, server_id, character_id, class_id, level)
       SELECT $1::bigint, made.id, 1, 'NV' || user_id, user_id, '1', 'c' || user_id, 1, 50
         FROM made JOIN crowd ON user_id = captain_id WHERE NOT is_incomplete)
     INSERT INTO tournament_charges (tournament_id, team_id, user_id, server_id, account, character_id, luong, state, applied_at)
     SELECT $1::bigint, made.id, user_id, '1', 'dam' || user_id, 'c' || user_id, 100, charge,
            CASE WHEN charge = 'applied' THEN now() END
       FROM made JOIN crowd ON user_id = captain_id WHERE charge IS NOT NULL`,
    [id, rows.length, JSON.stringify(rows)],
  )
  await asOwner(portal, 'ANALYZE users, teams, team_members, tournament_charges')
  const { rows: teams } = await sql<{ id: string }>`
    SELECT id FROM teams WHERE tournament_id = ${id}::bigint AND name LIKE 'Đội 1______' ORDER BY id`.execute(
    portal.db,
  )
  const ids = teams.slice(-rows.length).map((team) => team.id)
  return Object.fromEntries(
    KIND_NAMES.map((kind) => [kind, ids.filter((_, place) => kinds[place] === kind)]),
  ) as Record<Kind, string[]>
}
