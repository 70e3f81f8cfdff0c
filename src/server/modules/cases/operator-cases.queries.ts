import { sql } from 'kysely'
import type { QueryOf } from '#contract/endpoint.ts'
import type { CaseKind, CaseState } from '#contract/help/case-forms.ts'
import type {
  AnswerTemplate,
  operatorAnswerTemplates,
  OperatorCase,
  operatorCases,
} from '#contract/operator/help/cases.ts'
import { maskEmail, maskPhone } from '#server/modules/accounts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { allOf, countRows, countWithinReach, pageById } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'

const cases = (db: Db) =>
  db
    .selectFrom('help_case as c')
    .leftJoin('users as player', 'player.id', 'c.user_id')
    .leftJoin('help_visitor as visitor', 'visitor.case_id', 'c.id')
    .leftJoin('users as assigned', 'assigned.id', 'c.assigned_to')
    .select([
      'c.id',
      'c.user_id',
      'player.username',
      'c.about_kind',
      'c.about_id',
      'c.about_title',
      'c.state',
    ])
    .select(['c.assigned_to', 'assigned.username as assigned_username', 'c.messages', 'c.created_at'])
    .select(['visitor.channel', 'visitor.contact'])
    .select(['c.last_message_at', 'c.first_answered_at', 'c.closed_at'])

type Row = Awaited<ReturnType<ReturnType<typeof cases>['executeTakeFirstOrThrow']>>

const visitorOf = ({ channel, contact }: Row): OperatorCase['visitor'] => {
  if (channel === null || contact === null) return null
  return channel === 'phone'
    ? { channel, contact: maskPhone(contact) }
    : { channel: 'email', contact: maskEmail(contact) }
}

const toCase = (row: Row): OperatorCase => ({
  id: row.id,
  user_id: row.user_id,
  username: row.username,
  visitor: visitorOf(row),
  about: { kind: row.about_kind as CaseKind, id: row.about_id, title: row.about_title },
  state: row.state as CaseState,
  assigned_to:
    row.assigned_to === null ? null : { id: row.assigned_to, username: row.assigned_username ?? '' },
  messages: row.messages,
  created_at: row.created_at.toISOString(),
  last_message_at: row.last_message_at.toISOString(),
  first_answer_seconds:
    row.first_answered_at === null
      ? null
      : Math.round((row.first_answered_at.getTime() - row.created_at.getTime()) / 1_000),
  closed_at: row.closed_at?.toISOString() ?? null,
})

type CaseFilter = NonNullable<QueryOf<typeof operatorCases.list>['filter']>

const matching = ({ id, state, about_kind, assigned_to, user_id, is_visitor }: CaseFilter) =>
  allOf([
    id === undefined ? null : sql`c.id = ANY (${id}::bigint[])`,
    state === undefined ? null : sql`c.state = ${state}`,
    about_kind === undefined ? null : sql`c.about_kind = ${about_kind}`,
    assigned_to === undefined
      ? null
      : assigned_to === 'nobody'
        ? sql`c.assigned_to IS NULL`
        : sql`c.assigned_to = ${assigned_to}::bigint`,
    user_id === undefined ? null : sql`c.user_id = ${user_id}::bigint`,
    is_visitor === undefined ? null : is_visitor ? sql`c.user_id IS NULL` : sql`c.user_id IS NOT NULL`,
  ])

export async function selectCases(
  db: Db,
  filter: CaseFilter,
  page: ListPage,
): Promise<ListRows<OperatorCase>> {
  const rows = await pageById(cases(db).where(matching(filter)), 'c.id', page).execute()
  const counted = db.selectFrom('help_case as c').where(matching(filter))
  return { total: () => countWithinReach(db, counted), rows: rows.map(toCase) }
}

export async function findCase(db: Db, id: string): Promise<OperatorCase | undefined> {
  const row = await cases(db).where('c.id', '=', id).executeTakeFirst()
  return row && toCase(row)
}

/** An operator by their username and roles. */
export async function findStaff(
  tx: Tx,
  username: string,
): Promise<{ id: string; username: string; roles: string[] } | undefined> {
  const { rows } = await sql<{ id: string; username: string; roles: string[] }>`
    SELECT u.id, u.username, ARRAY(SELECT role FROM user_roles WHERE user_id = u.id) AS roles
      FROM users u WHERE u.username_key = lower(${username})`.execute(tx)
  return rows[0]
}

export async function findUsername(tx: Tx, id: string): Promise<string> {
  const { username } = await tx
    .selectFrom('users')
    .select('username')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return username
}

const TEMPLATE = ['id', 'title', 'text', 'updated_at'] as const

type TemplateRow = Omit<AnswerTemplate, 'updated_at'> & { updated_at: Date }

const toTemplate = (row: TemplateRow): AnswerTemplate => ({
  ...row,
  updated_at: row.updated_at.toISOString(),
})

type TemplateFilter = NonNullable<QueryOf<typeof operatorAnswerTemplates.list>['filter']>

/** There are two hundred at most. */
export async function selectTemplates(
  db: Db,
  { id }: TemplateFilter,
  { order, from, to }: ListPage,
): Promise<ListRows<AnswerTemplate>> {
  const found = db
    .selectFrom('answer_template')
    .where(id === undefined ? sql<boolean>`true` : sql<boolean>`id = ANY (${id}::bigint[])`)
  const rows = await found
    .select(TEMPLATE)
    .orderBy('title', order)
    .orderBy('id')
    .offset(from)
    .limit(to - from + 1)
    .execute()
  return { total: await countRows(found), rows: rows.map(toTemplate) }
}

export const countTemplates = (tx: Tx): Promise<number> => countRows(tx.selectFrom('answer_template'))

type Template = Pick<AnswerTemplate, 'title' | 'text'>

/** Undefined when another one has the title. */
export async function insertTemplate(tx: Tx, template: Template): Promise<AnswerTemplate | undefined> {
  const { rows } = await sql<TemplateRow>`
    INSERT INTO answer_template (title, text) VALUES (${template.title}, ${template.text})
    ON CONFLICT (lower(title)) DO NOTHING RETURNING id, title, text, updated_at`.execute(tx)
  return rows[0] && toTemplate(rows[0])
}

export async function lockTemplate(tx: Tx, id: string): Promise<AnswerTemplate | undefined> {
  const row = await tx
    .selectFrom('answer_template')
    .select(TEMPLATE)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row && toTemplate(row)
}

export async function isTitleTaken(tx: Tx, title: string, besides: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM answer_template WHERE lower(title) = lower(${title}) AND id <> ${besides}::bigint`.execute(tx)
  return rows.length > 0
}

export async function updateTemplate(tx: Tx, id: string, template: Template): Promise<AnswerTemplate> {
  const row = await tx
    .updateTable('answer_template')
    .set({ ...template, updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .returning(TEMPLATE)
    .executeTakeFirstOrThrow()
  return toTemplate(row)
}

export async function deleteTemplate(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('answer_template').where('id', '=', id).execute()
}
