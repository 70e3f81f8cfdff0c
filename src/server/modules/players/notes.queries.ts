import type { OperatorNote } from '#contract/operator/notes.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

const notes = (db: Db | Tx) =>
  db
    .selectFrom('player_note as note')
    .innerJoin('users as author', 'author.id', 'note.author_id')
    .select(['note.id', 'note.text', 'note.author_id', 'author.username', 'note.created_at'])

type Row = Awaited<ReturnType<ReturnType<typeof notes>['executeTakeFirstOrThrow']>>

const toNote = ({ id, text, author_id, username, created_at }: Row): OperatorNote => ({
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
