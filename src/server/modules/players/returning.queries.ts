import { sql } from 'kysely'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Claim, KnownOfAccount, Visitor } from './returning.rules.ts'

type Row = Omit<KnownOfAccount, 'balance' | 'visitor'> & {
  balance: string
  channel: Visitor['channel'] | null
  contact: string | null
}

const provedByOther = (column: 'phone' | 'email') =>
  column === 'phone'
    ? sql`SELECT FROM user_contacts o WHERE o.phone = v.contact AND o.phone_verified_at IS NOT NULL AND o.user_id <> u.id`
    : sql`SELECT FROM user_contacts o WHERE lower(o.email) = v.contact AND o.email IS NOT NULL
            AND o.email_verified_at IS NOT NULL AND o.user_id <> u.id`

/** So many recharges are looked at, the newest first. */
const RECHARGES_MAX = 100

/** What the portal knows of each account and of the visitor who says it is theirs, by one statement; in no order. */
export async function selectKnownOfAccounts(
  db: Db | Tx,
  claims: readonly Claim[],
): Promise<KnownOfAccount[]> {
  const [userIds, caseIds] = [claims.map(({ userId }) => userId), claims.map(({ caseId }) => caseId)]
  const { rows } = await sql<Row>`
    SELECT u.id AS "userId", u.username, u.server_id AS "serverId", asked.case_id AS "caseId", u.erased_at IS NOT NULL AS "isErased",
           c.email, c.email_verified_at IS NOT NULL AS "isEmailVerified",
           c.phone, c.phone_verified_at IS NOT NULL AS "isPhoneVerified",
           CASE WHEN h.user_id IS NOT NULL THEN json_build_object('phone', h.phone, 'email', h.email) END AS hint,
           v.channel, v.contact, k.state AS "caseState", coalesce(k.messages, 0) AS "caseMessages",
           CASE v.channel WHEN 'phone' THEN EXISTS (${provedByOther('phone')})
                          ELSE EXISTS (${provedByOther('email')}) END AS "isContactOfOther",
           u.created_at AS "createdAt", i.imported_at AS "importedAt", f.confirmed_at IS NOT NULL AS "hasSecondFactor",
           (SELECT max(n.at) FROM sign_in n WHERE n.user_id = u.id AND n.outcome = 'succeeded') AS "lastSignInAt",
           w.balance, recharged."lastAt" AS "lastRechargeAt", recharged."lastMonth" AS "rechargesLastMonth",
           (SELECT count(*)::integer FROM game_character g WHERE g.user_id = u.id) AS characters,
           t.fetched_at AS "charactersAt"
      FROM unnest(${userIds}::bigint[], ${caseIds}::bigint[]) AS asked (user_id, case_id)
      JOIN users u ON u.id = asked.user_id
      JOIN ledger_account w ON w.id = u.wallet_account_id
      LEFT JOIN user_contacts c ON c.user_id = u.id
      LEFT JOIN contact_hint h ON h.user_id = u.id
      LEFT JOIN help_case k ON k.id = asked.case_id
      LEFT JOIN help_visitor v ON v.case_id = asked.case_id
      LEFT JOIN imported_account i ON i.user_id = u.id
      LEFT JOIN second_factor f ON f.user_id = u.id
      LEFT JOIN game_character_fetch t ON t.user_id = u.id
      CROSS JOIN LATERAL (
        SELECT max(p.paid_at) AS "lastAt",
               (count(*) FILTER (WHERE p.paid_at > now() - interval '30 days'))::integer AS "lastMonth"
          FROM (SELECT paid_at FROM payment_order WHERE user_id = u.id AND credited > 0
                 ORDER BY id DESC LIMIT ${RECHARGES_MAX}) p) recharged`.execute(db)
  return rows.map(({ channel, contact, ...row }) => ({
    ...row,
    balance: parseCoins(row.balance),
    visitor: channel === null || contact === null ? null : { channel, contact },
  }))
}

type ShownCharacter = { id: string; name: string; serverName: string | null; classId: number; level: number }

/** The strongest characters of an account, each with the name of its server. */
export async function selectShownCharacters(
  db: Db,
  userId: string,
  limit: number,
): Promise<ShownCharacter[]> {
  return db
    .selectFrom('game_character as g')
    .leftJoin('servers as s', 's.id', 'g.server_id')
    .select(['g.id', 'g.name', 's.name as serverName', 'g.class_id as classId', 'g.level'])
    .where('g.user_id', '=', userId)
    .orderBy('g.level', 'desc')
    .orderBy('g.id')
    .limit(limit)
    .execute()
}

/** Those of these accounts that have proved a phone or an address. */
export async function selectWithProof(db: Db, userIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    SELECT user_id AS id FROM user_contacts
     WHERE user_id = ANY (${[...userIds]}::bigint[])
       AND (email_verified_at IS NOT NULL OR phone_verified_at IS NOT NULL)`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
