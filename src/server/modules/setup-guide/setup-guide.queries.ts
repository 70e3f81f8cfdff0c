import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

/** A game that was not read for so long is out of reach; it is read each minute. */
const GAME_MINUTES_MAX = 10

/** So many events of a provider are looked at: in a new portal there are fewer, and none is read to the end in an old one. */
const EVENTS_MAX = 1_000

type Looked = { accountNumbers: readonly string[]; providers: readonly string[] }

export type Evidence = {
  /** Accounts to which money came and was credited. */
  credited_accounts: string[]
  /** Providers whose notice came by itself, rightly signed; lists that the portal fetched do not count. */
  notified_providers: string[]
  is_game_read: boolean
  /** An operator proved an address by a code or link that came by mail. */
  is_mail_proved: boolean
  /** Owners who sign in with a second factor. */
  owners: number
  /** `backup`, `restore-test`: those that succeeded once. */
  runs: string[]
  /** Kinds of legal texts whose version in force was published by an operator, and not by the installation. */
  published_texts: string[]
  has_post: boolean
  has_promotion: boolean
}

export async function readEvidence(db: Db, { accountNumbers, providers }: Looked): Promise<Evidence> {
  const { rows } = await sql<Evidence>`
    SELECT ARRAY(SELECT number FROM unnest(${accountNumbers}::text[]) AS number
                  WHERE EXISTS (SELECT FROM bank_transaction
                                 WHERE account_number = number AND credited > 0))
             AS credited_accounts,
           ARRAY(SELECT name FROM unnest(${providers}::text[]) AS name
                  WHERE EXISTS (SELECT FROM (SELECT signature FROM payment_event WHERE provider = name LIMIT ${EVENTS_MAX}::integer)
                                 WHERE signature = 'valid'))
             AS notified_providers,
           EXISTS (SELECT FROM game_description
                    WHERE description IS NOT NULL AND read_at > now() - make_interval(mins => ${GAME_MINUTES_MAX}::integer))
             AS is_game_read,
           EXISTS (SELECT FROM user_roles JOIN user_contacts USING (user_id) WHERE email_verified_at IS NOT NULL)
             AS is_mail_proved,
           (SELECT count(*)::integer FROM user_roles JOIN second_factor USING (user_id)
             WHERE role = 'owner' AND confirmed_at IS NOT NULL)
             AS owners,
           ARRAY(SELECT kind FROM backup_run WHERE succeeded_at IS NOT NULL) AS runs,
           ARRAY(SELECT kind FROM (SELECT DISTINCT ON (kind) kind, published_by FROM legal_text ORDER BY kind, version DESC)
                  WHERE published_by IS NOT NULL)
             AS published_texts,
           EXISTS (SELECT FROM posts WHERE is_published AND publish_at <= now()) AS has_post,
           EXISTS (SELECT FROM promotion WHERE state IN ('running', 'stopped') AND started_at IS NOT NULL) AS has_promotion`.execute(
    db,
  )
  return rows[0] as Evidence
}
