import { sql } from 'kysely'
import type { CaseKind, CaseState } from '#contract/help/case-forms.ts'
import type { CaseMessage, CaseRow } from '#contract/help/cases.ts'
import { notify } from '#server/domain/notices.ts'
import { inPages, type Person } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countRows } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { CleanPicture } from '#server/platform/pictures/reencode.ts'
import { sweep } from '#server/platform/queues/sweeping.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { IsResting } from '#server/platform/queues/due-rows.ts'

export type About = { kind: CaseKind; id: string; title: string }

/** Undefined when the player has a case about it that is not closed. */
export async function insertCase(tx: Tx, userId: string, about: About): Promise<string | undefined> {
  const row = await tx
    .insertInto('help_case')
    .values({ user_id: userId, about_kind: about.kind, about_id: about.id, about_title: about.title })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'about_kind', 'about_id'])
        // Written out: with a parameter the partial index is not recognised once the statement is prepared.
        .where(sql<boolean>`state <> 'closed'`)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function findUnclosedCase(
  db: Db | Tx,
  userId: string,
  { kind, id }: Pick<About, 'kind' | 'id'>,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('help_case')
    .select('id')
    .where('user_id', '=', userId)
    .where('about_kind', '=', kind)
    .where('about_id', '=', id)
    .where('state', '<>', 'closed')
    .executeTakeFirst()
  return row?.id
}

/** How many of a player's cases wait for an answer, besides those about claims. Only exact under the player's lock. */
export async function countWaiting(tx: Tx, userId: string): Promise<number> {
  return countRows(
    tx
      .selectFrom('help_case')
      .where('user_id', '=', userId)
      .where('state', '=', 'open')
      .where('about_kind', '<>', 'claim'),
  )
}

export type LockedCase = {
  id: string
  /** Null for a visitor's. */
  userId: string | null
  about: About
  state: CaseState
  assignedTo: string | null
  messages: number
}

/** Locks a case against messages and acts at the same moment. */
export async function lockCase(tx: Tx, id: string): Promise<LockedCase | undefined> {
  const row = await tx
    .selectFrom('help_case')
    .select(['id', 'user_id', 'about_kind', 'about_id', 'about_title', 'state', 'assigned_to', 'messages'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      userId: row.user_id,
      about: { kind: row.about_kind as CaseKind, id: row.about_id, title: row.about_title },
      state: row.state as CaseState,
      assignedTo: row.assigned_to,
      messages: row.messages,
    }
  )
}

/** The case about a claim; the claim is locked by the caller. */
export async function findCaseOfClaim(tx: Tx, claimId: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('help_case')
    .select('id')
    .where('about_kind', '=', 'claim')
    .where('about_id', '=', claimId)
    .executeTakeFirst()
  return row?.id
}

export type NewMessage = {
  caseId: string
  /** Null for a visitor. */
  authorId: string | null
  isStaff: boolean
  text: string
  pictures: readonly CleanPicture[]
}

/** Writes a message and what follows for its case, which is locked: a player's one opens it, an operator's answers it. */
export async function insertMessage(
  tx: Tx,
  { caseId, authorId, isStaff, text, pictures }: NewMessage,
): Promise<string> {
  const { id } = await tx
    .insertInto('help_message')
    .values({ case_id: caseId, author_id: authorId, is_staff: isStaff, text })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (pictures.length > 0) {
    await tx
      .insertInto('help_picture')
      .values(pictures.map((picture) => ({ message_id: id, ...picture })))
      .execute()
  }
  await sql`
    UPDATE help_case
       SET messages = messages + 1, last_message_at = clock_timestamp(),
           state = ${isStaff ? 'answered' : 'open'}, closed_at = NULL,
           first_answered_at = coalesce(first_answered_at, CASE WHEN ${isStaff} THEN clock_timestamp() END)
     WHERE id = ${caseId}::bigint`.execute(tx)
  notify(tx, 'operator_event', 'cases')
  return id
}

export async function updateState(tx: Tx, id: string, state: CaseState): Promise<void> {
  await sql`
    UPDATE help_case SET state = ${state}, closed_at = CASE WHEN ${state} = 'closed' THEN clock_timestamp() END
     WHERE id = ${id}::bigint`.execute(tx)
  notify(tx, 'operator_event', 'cases')
}

export async function updateAssigned(tx: Tx, id: string, operatorId: string | null): Promise<void> {
  await tx.updateTable('help_case').set({ assigned_to: operatorId }).where('id', '=', id).execute()
}

export const CASE_COLUMNS = [
  'id',
  'about_kind',
  'about_id',
  'about_title',
  'state',
  'created_at',
  'last_message_at',
] as const

type Row = {
  id: string
  about_kind: string
  about_id: string
  about_title: string
  state: string
  created_at: Date
  last_message_at: Date
}

export const toCaseRow = (row: Row): CaseRow => ({
  id: row.id,
  about: { kind: row.about_kind as CaseKind, id: row.about_id, title: row.about_title },
  state: row.state as CaseState,
  created_at: row.created_at.toISOString(),
  last_message_at: row.last_message_at.toISOString(),
})

export async function selectCasesOf(
  db: Db,
  userId: string,
  page: { limit: number; offset: number },
): Promise<{ total: number; rows: CaseRow[] }> {
  const own = db.selectFrom('help_case').where('user_id', '=', userId)
  const rows = await own
    .select(CASE_COLUMNS)
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return { total: await countRows(own), rows: rows.map(toCaseRow) }
}

export async function findCaseOf(db: Db, userId: string, id: string): Promise<CaseRow | undefined> {
  const row = await db
    .selectFrom('help_case')
    .select(CASE_COLUMNS)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row && toCaseRow(row)
}

type StoredMessage = Omit<CaseMessage, 'author'> & {
  author: { id: string; username: string } | null
  is_staff: boolean
}

/** All messages of a case, the oldest first: their number is limited. */
export async function selectMessages(db: Db, caseId: string): Promise<StoredMessage[]> {
  const { rows } = await sql<Omit<StoredMessage, 'created_at'> & { created_at: Date }>`
    SELECT m.id, CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id::text, 'username', u.username) END AS author, m.is_staff, m.text, m.created_at,
           ARRAY(SELECT p.id::text FROM help_picture p WHERE p.message_id = m.id ORDER BY p.id) AS pictures
      FROM help_message m LEFT JOIN users u ON u.id = m.author_id
     WHERE m.case_id = ${caseId}::bigint ORDER BY m.id`.execute(db)
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }))
}

/** `userId`: only of a case of this player. */
export async function findPicture(
  db: Db,
  { caseId, picture, userId }: { caseId: string; picture: string; userId: string | null },
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('help_picture')
    .innerJoin('help_message', 'help_message.id', 'help_picture.message_id')
    .innerJoin('help_case', 'help_case.id', 'help_message.case_id')
    .select('help_picture.content')
    .where('help_picture.id', '=', picture)
    .where('help_case.id', '=', caseId)
    .$if(userId !== null, (query) => query.where('help_case.user_id', '=', userId))
    .executeTakeFirst()
  return row?.content
}

/** Closes one batch of cases in which nobody wrote since their answer; true when there may be more. */
export const closeSilent = (deps: { db: Db; log: Log }, days: number): Promise<boolean> =>
  sweep(deps, {
    job: 'silent cases',
    table: 'help_case',
    isDue: sql`due.state = 'answered' AND due.last_message_at < now() - make_interval(days => ${days}::integer)`,
    set: sql`state = 'closed', closed_at = clock_timestamp()`,
    order: sql`due.last_message_at`,
    skipsLocked: true,
  })

const isPast = (days: number) =>
  sql`state = 'closed' AND closed_at < now() - make_interval(days => ${days}::integer)`

/** The ids of one batch of cases that were closed so long ago. */
export async function listPast(
  db: Db,
  isResting: IsResting,
  { days, limit }: { days: number; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM help_case WHERE ${isPast(days)} AND NOT ${isResting(sql`help_case.id`)}
     ORDER BY closed_at LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Those of these cases that still are, locked. */
export async function lockPast(tx: Tx, ids: readonly string[], days: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM help_case WHERE id = ANY (${[...ids]}::bigint[]) AND ${isPast(days)}
     ORDER BY closed_at FOR UPDATE SKIP LOCKED`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Deletes cases with their messages and pictures. */
export async function deleteCases(tx: Tx, ids: readonly string[]): Promise<void> {
  const messages = sql`SELECT id FROM help_message WHERE case_id = ANY (${[...ids]}::bigint[])`
  await sql`DELETE FROM help_picture WHERE message_id IN (${messages})`.execute(tx)
  await sql`DELETE FROM help_message WHERE case_id = ANY (${[...ids]}::bigint[])`.execute(tx)
  await sql`DELETE FROM help_visitor WHERE case_id = ANY (${[...ids]}::bigint[])`.execute(tx)
  await sql`DELETE FROM help_case WHERE id = ANY (${[...ids]}::bigint[])`.execute(tx)
}

/** Also what was asked with their phone or address before they signed in. */
export async function eraseCasesOf(tx: Tx, { id, email, phone }: Person): Promise<void> {
  const contacts = [email?.toLowerCase() ?? null, phone].filter((contact) => contact !== null)
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM help_case WHERE user_id = ${id}::bigint
        OR id IN (SELECT case_id FROM help_visitor WHERE contact = ANY (${contacts}::text[])) FOR UPDATE`.execute(
    tx,
  )
  await deleteCases(
    tx,
    rows.map((row) => row.id),
  )
}

export const exportCases = inPages(
  ({ id }, { after, limit }) => sql`
    SELECT c.id::text AS cursor, c.about_kind, c.about_id, c.about_title, c.state, c.created_at, c.closed_at,
           (SELECT json_agg(json_build_object('from', CASE WHEN m.is_staff THEN 'staff' ELSE 'player' END, 'text', m.text,
                     'created_at', m.created_at,
                     'pictures', (SELECT count(*) FROM help_picture p WHERE p.message_id = m.id)) ORDER BY m.id)
              FROM help_message m WHERE m.case_id = c.id) AS messages
      FROM help_case c WHERE c.user_id = ${id}::bigint AND c.id > coalesce(${after}::bigint, 0)
     ORDER BY c.id LIMIT ${limit}`,
)
