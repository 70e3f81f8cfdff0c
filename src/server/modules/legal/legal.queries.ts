import { sql } from 'kysely'
import { LEGAL_KINDS, type LegalKind } from '#contract/legal.ts'
import { ADVISORY_LOCKS } from '#server/platform/db/advisory-lock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { contentChanges } from '#server/domain/content.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { notFound } from '#server/platform/values/errors.ts'

export type VersionRow = {
  kind: LegalKind
  version: number
  published_at: Date
  /** Null: the text that comes with the portal. */
  published_by: { id: string; username: string } | null
}

type TextRow = VersionRow & { content: string }

const VERSIONS_MAX = 100

const version = sql`t.kind, t.version, t.published_at,
  CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id::text, 'username', u.username) END AS published_by`

/** The one in force of each kind. */
export async function listCurrentVersions(db: Db): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    SELECT DISTINCT ON (t.kind) ${version} FROM legal_text t LEFT JOIN users u ON u.id = t.published_by
     WHERE t.kind = ANY(${[...LEGAL_KINDS]}::text[]) ORDER BY t.kind, t.version DESC`.execute(db)
  return rows
}

export async function listVersionsOf(db: Db, kind: LegalKind): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    SELECT ${version} FROM legal_text t LEFT JOIN users u ON u.id = t.published_by
     WHERE t.kind = ${kind} ORDER BY t.version DESC LIMIT ${VERSIONS_MAX}`.execute(db)
  return rows
}

/** The version in force, or the one that is named. Throws NOT_FOUND. */
export async function getText(db: Db | Tx, kind: LegalKind, number?: string): Promise<TextRow> {
  const { rows } = await sql<TextRow>`
    SELECT ${version}, t.content FROM legal_text t LEFT JOIN users u ON u.id = t.published_by
     WHERE t.kind = ${kind} AND t.version = coalesce(${number ?? null}::bigint, t.version)
     ORDER BY t.version DESC LIMIT 1`.execute(db)
  if (rows[0] === undefined) throw notFound()
  return rows[0]
}

/** `ranking`: the question whether to be shown in the rankings of recharges, which comes with the portal. */
export type VersionedText = LegalKind | 'ranking' | 'push' | 'digest'

/** Those of which no version is published are left out. */
export async function selectCurrentVersions(
  db: Db | Tx,
  kinds: readonly VersionedText[],
): Promise<{ kind: string; version: number }[]> {
  const { rows } = await sql<{ kind: string; version: number }>`
    SELECT kind, max(version) AS version FROM legal_text WHERE kind = ANY (${kinds}::text[]) GROUP BY kind`.execute(
    db,
  )
  return rows
}

/** Publishing takes turns; held until the transaction ends. */
export async function lockPublishing(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.legalTexts})`.execute(tx)
}

type NewText = { kind: LegalKind; version: number; content: string; operatorId: string }

export async function insertText(tx: Tx, { kind, version, content, operatorId }: NewText): Promise<void> {
  await tx.insertInto('legal_text').values({ kind, version, content, published_by: operatorId }).execute()
  await contentChanges(tx, 'legal')
}

export type DraftKey = { kind: LegalKind; userId: string }

export type DraftRow = { content: string; based_on: number; saved_at: Date }

export async function findDraft(db: Db | Tx, { kind, userId }: DraftKey): Promise<DraftRow | undefined> {
  return db
    .selectFrom('legal_draft')
    .select(['content', 'based_on', 'saved_at'])
    .where('kind', '=', kind)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export async function putDraft(
  tx: Tx,
  { kind, userId }: DraftKey,
  draft: { content: string; basedOn: number },
): Promise<DraftRow> {
  const state = { content: draft.content, based_on: draft.basedOn, saved_at: sql<Date>`clock_timestamp()` }
  return tx
    .insertInto('legal_draft')
    .values({ kind, user_id: userId, ...state })
    .onConflict((conflict) => conflict.columns(['kind', 'user_id']).doUpdateSet(state))
    .returning(['content', 'based_on', 'saved_at'])
    .executeTakeFirstOrThrow()
}

export async function deleteDraft(tx: Tx, { kind, userId }: DraftKey): Promise<void> {
  await tx.deleteFrom('legal_draft').where('kind', '=', kind).where('user_id', '=', userId).execute()
}
