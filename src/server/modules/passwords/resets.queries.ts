import { sql } from 'kysely'
import { paths } from '#contract/pages.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isDue, isPast } from '#server/platform/db/due.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { onOnePage, type Person } from '#server/domain/personal-part.ts'
import { LINK_MINUTES_MAX } from './passwords.mails.ts'
import { sweep } from '#server/platform/queues/sweeping.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { IsResting } from '#server/platform/queues/due-rows.ts'

/** What somebody typed who requests a link by mail, or a code that the game shows. It is stored sealed: it names a person. */
type ResetRequested = { username: string; requestId: string } & (
  | { way: 'email'; email: string }
  | { way: 'game' }
)

const SEAL_PURPOSE = 'password request'

export const openRequest = async (vault: Vault, sealed: Buffer): Promise<ResetRequested> =>
  JSON.parse(await vault.open(SEAL_PURPOSE, sealed)) as ResetRequested

export async function insertRequest(
  { db, vault }: { db: Db; vault: Vault },
  requested: ResetRequested,
): Promise<void> {
  const sealed = await vault.seal(SEAL_PURPOSE, JSON.stringify(requested))
  await db.insertInto('password_request').values({ sealed }).execute()
}

type LinkRequest = { id: string; sealed: Buffer; ageSeconds: number }

export async function listDueRequests(
  db: Db,
  isResting: IsResting,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM password_request 
     WHERE ${isDue(sql`next_attempt_at`, leaseSeconds)} AND NOT ${isResting(sql`password_request.id`)}
     ORDER BY next_attempt_at LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Leases a request that is due; when the lease runs out, another worker may take it. */
export async function claimRequest(
  db: Db,
  id: string,
  leaseSeconds: number,
): Promise<LinkRequest | undefined> {
  const { rows } = await sql<LinkRequest>`
    UPDATE password_request SET next_attempt_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
     WHERE id = ${id}::bigint AND ${isDue(sql`next_attempt_at`, leaseSeconds)}
    RETURNING id, sealed, extract(epoch FROM now() - created_at)::float8 AS "ageSeconds"`.execute(db)
  return rows[0]
}

/** False when somebody else has answered it. */
export async function deleteRequest(tx: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('password_request').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}

export const linkTo = (publicUrl: string, token: string): string => publicUrl + paths.password(token)

export type Reset = { userId: string; username: string; sealedEmail: Buffer }

// A link becomes invalid when the password changes in any way.
const markOfPassword = sql`sha256(convert_to(u.password_hash, 'UTF8'))`
// The age is the statement's, not the transaction's, which may have waited for a lock.
const isLive = sql<boolean>`
  NOT ${isPast(sql`r.made_at`, LINK_MINUTES_MAX * 60)}
  AND r.password_mark = ${markOfPassword}`

/** Makes an account's one link, in place of the one before. */
export async function replaceReset(
  tx: Tx,
  { userId, tokenHash, sealedEmail }: { userId: string; tokenHash: Buffer; sealedEmail: Buffer },
): Promise<void> {
  await sql`
    INSERT INTO password_reset (user_id, token_hash, password_mark, sealed_email)
    SELECT u.id, ${tokenHash}::bytea, ${markOfPassword}, ${sealedEmail}::bytea
      FROM users u WHERE u.id = ${userId}::bigint
    ON CONFLICT (user_id) DO UPDATE
      SET token_hash = excluded.token_hash, password_mark = excluded.password_mark,
          sealed_email = excluded.sealed_email, made_at = clock_timestamp()`.execute(tx)
}

const selectReset = (tokenHash: Buffer) => sql`
  SELECT r.user_id AS "userId", u.username, r.sealed_email AS "sealedEmail"
    FROM password_reset r JOIN users u ON u.id = r.user_id
   WHERE r.token_hash = ${tokenHash} AND ${isLive}`

export async function findReset(db: Db, tokenHash: Buffer): Promise<Reset | undefined> {
  const { rows } = await sql<Reset>`${selectReset(tokenHash)}`.execute(db)
  return rows[0]
}

/**
 * The same, locked: of many at once one finds it, and a change of password that came first counts, since PostgreSQL checks
 * the conditions again after the wait for the lock.
 */
export async function lockReset(tx: Tx, tokenHash: Buffer): Promise<Reset | undefined> {
  const { rows } = await sql<Reset>`
    ${selectReset(tokenHash)} FOR UPDATE OF r FOR NO KEY UPDATE OF u`.execute(tx)
  return rows[0]
}

export async function deleteReset(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('password_reset').where('user_id', '=', userId).execute()
}

/** Removes one batch of links that are too old to open anything; true when there may be more. */
export const removeOldLinks = (deps: { db: Db; log: Log }): Promise<boolean> =>
  sweep(deps, {
    job: 'old password links',
    table: 'password_reset',
    isDue: sql`due.made_at < now() - make_interval(mins => ${LINK_MINUTES_MAX}::integer)`,
    order: sql`due.made_at`,
    skipsLocked: true,
  })

const PAGE_ROWS = 500

async function selectRequests(tx: Tx, after: string): Promise<{ id: string; sealed: Buffer }[]> {
  const { rows } = await sql<{ id: string; sealed: Buffer }>`
    SELECT id, sealed FROM password_request WHERE id > ${after}::bigint ORDER BY id LIMIT ${PAGE_ROWS}`.execute(
    tx,
  )
  return rows
}

export const exportPasswordLinks = onOnePage(
  ({ id }) => sql`
    SELECT made_at FROM password_reset WHERE user_id = ${id}::bigint`,
)

/**
 * Requests are sealed, and answered within seconds: the few that wait are opened to find this person's. What cannot be opened
 * can be read by nobody else either.
 */
export async function erasePasswordRequests(
  tx: Tx,
  { id, username, email }: Person,
  { vault }: { vault: Vault },
): Promise<void> {
  await deleteReset(tx, id)
  for (let page = await selectRequests(tx, '0'); page.length > 0;) {
    for (const request of page) {
      const requested = await openRequest(vault, request.sealed).catch(() => null)
      const isTheirs =
        requested?.username.toLowerCase() === username.toLowerCase() ||
        (email !== null &&
          requested?.way !== 'game' &&
          requested?.email.toLowerCase() === email.toLowerCase())
      if (isTheirs) await tx.deleteFrom('password_request').where('id', '=', request.id).execute()
    }
    page = await selectRequests(tx, page.at(-1)?.id ?? '0')
  }
}
