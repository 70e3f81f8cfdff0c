import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { CaseRow } from '#contract/help/cases.ts'
import { type About, CASE_COLUMNS, toCaseRow } from './cases.queries.ts'

export type Visitor = { channel: 'phone' | 'email'; contact: string }

/** How many cases of a contact wait for an answer; what else is asked with it waits, until the transaction ends. */
export async function countWaitingLocked(tx: Tx, { contact }: Visitor): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`help_visitor:${contact}`}, 0))`.execute(tx)
  const { rows } = await sql<{ count: string }>`
    SELECT count(*) AS count FROM help_visitor v JOIN help_case c ON c.id = v.case_id
     WHERE v.contact = ${contact} AND c.state = 'open'`.execute(tx)
  return Number(rows[0]?.count)
}

export async function insertVisitorCase(tx: Tx, visitor: Visitor, about: About): Promise<string> {
  const { id } = await tx
    .insertInto('help_case')
    .values({ about_kind: about.kind, about_id: about.id, about_title: about.title })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('help_visitor')
    .values({ case_id: id, ...visitor })
    .execute()
  return id
}

/** A case of a visitor; undefined for a player's. */
export async function findVisitorCase(db: Db, id: string): Promise<CaseRow | undefined> {
  const row = await db
    .selectFrom('help_case')
    .innerJoin('help_visitor', 'case_id', 'id')
    .select(CASE_COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toCaseRow(row)
}

/** The newest first. */
export async function selectCasesWith(db: Db, { contact }: Visitor, limit: number): Promise<CaseRow[]> {
  const rows = await db
    .selectFrom('help_case')
    .innerJoin('help_visitor', 'case_id', 'id')
    .select(CASE_COLUMNS)
    .where('contact', '=', contact)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toCaseRow)
}

export async function findVisitor(db: Db | Tx, caseId: string): Promise<Visitor | undefined> {
  const row = await db
    .selectFrom('help_visitor')
    .select(['channel', 'contact'])
    .where('case_id', '=', caseId)
    .executeTakeFirst()
  return row && { channel: row.channel as Visitor['channel'], contact: row.contact }
}

export type Guess = { id: string; username: string; is_proved: boolean }

/** Accounts that have the contact of a visitor's case: perhaps theirs. Never told to the visitor. */
export async function guessAccounts(db: Db, caseId: string): Promise<Guess[]> {
  const { rows } = await sql<Guess>`
    WITH visitor AS (SELECT channel, contact FROM help_visitor WHERE case_id = ${caseId}::bigint),
      found AS (
        SELECT c.user_id, c.phone_verified_at AS proved_at
          FROM visitor v JOIN user_contacts c ON c.phone = v.contact WHERE v.channel = 'phone'
        UNION ALL
        SELECT c.user_id, c.email_verified_at
          FROM visitor v JOIN user_contacts c ON lower(c.email) = v.contact AND c.email IS NOT NULL WHERE v.channel = 'email')
    SELECT u.id, u.username, f.proved_at IS NOT NULL AS is_proved FROM found f JOIN users u ON u.id = f.user_id
     ORDER BY is_proved DESC, u.id LIMIT 5`.execute(db)
  return rows
}
