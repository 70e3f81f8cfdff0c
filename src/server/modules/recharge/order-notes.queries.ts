import { sql } from 'kysely'
import type { OperatorNote } from '#contract/operator/notes.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

const notes = (db: Db) =>
  db
    .selectFrom('order_note as note')
    .innerJoin('users as author', 'author.id', 'note.author_id')
    .select(['note.id', 'note.text', 'note.author_id', 'author.username', 'note.created_at'])

type Row = Awaited<ReturnType<ReturnType<typeof notes>['executeTakeFirstOrThrow']>>

const toNote = ({ id, text, author_id, username, created_at }: Row): OperatorNote => ({
  id,
  text,
  author: { id: author_id, username },
  created_at: created_at.toISOString(),
})

export async function selectOrderNotes(
  db: Db,
  { orderId, before, limit }: { orderId: string; before: string | undefined; limit: number },
): Promise<OperatorNote[]> {
  const rows = await notes(db)
    .where('note.order_id', '=', orderId)
    .$if(before !== undefined, (query) => query.where('note.id', '<', before as string))
    .orderBy('note.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toNote)
}

/** The new note's id; undefined when there is no such order. */
export async function insertOrderNote(
  tx: Tx,
  { code, authorId, text }: { code: string; authorId: string; text: string },
): Promise<string | undefined> {
  const inserted = await tx
    .insertInto('order_note')
    .columns(['order_id', 'user_id', 'author_id', 'text'])
    .expression((from) =>
      from
        .selectFrom('payment_order')
        .select([
          'id',
          'user_id',
          sql<string>`${authorId}::bigint`.as('author_id'),
          sql<string>`${text}::text`.as('text'),
        ])
        .where('code', '=', code),
    )
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}
