import { sql } from 'kysely'
import type { OperatorNote } from '#contract/operator/fields.ts'
import type { OperatorUserDetail } from '#contract/operator/users.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { described, type DescribedRow, joined, toOperatorUser } from './list.queries.ts'

/** What the portal itself knows of a player; the contacts are not masked yet. */
export type StoredPlayer = Omit<OperatorUserDetail, 'email' | 'phone' | 'unmatched'> & {
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

/** What leads to a player's rows in other tables. */
export async function findWho(
  db: Db | Tx,
  userId: string,
): Promise<{ id: string; username: string; walletId: string } | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'wallet_account_id as walletId'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

const notes = (db: Db | Tx) =>
  db
    .selectFrom('player_note as note')
    .innerJoin('users as author', 'author.id', 'note.author_id')
    .select(['note.id', 'note.text', 'note.author_id', 'author.username', 'note.created_at'])

type NoteRow = Awaited<ReturnType<ReturnType<typeof notes>['executeTakeFirstOrThrow']>>

const toNote = ({ id, text, author_id, username, created_at }: NoteRow): OperatorNote => ({
  id,
  text,
  author: { id: author_id, username },
  created_at: created_at.toISOString(),
})

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
  return rows.map(toNote)
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
  return toNote(await notes(tx).where('note.id', '=', id).executeTakeFirstOrThrow())
}
