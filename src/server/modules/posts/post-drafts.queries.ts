import { sql } from 'kysely'
import type { OperatorPostDraft } from '#contract/operator/posts.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

export type DraftState = Omit<OperatorPostDraft, 'based_on' | 'saved_at'>

export type DraftRow = { state: DraftState; based_on: Date; saved_at: Date }

export type DraftKey = { postId: string; userId: string }

export async function findDraft(db: Db, { postId, userId }: DraftKey): Promise<DraftRow | undefined> {
  const { rows } = await sql<DraftRow>`
    SELECT state, based_on, saved_at FROM post_draft
     WHERE post_id = ${postId}::bigint AND user_id = ${userId}::bigint`.execute(db)
  return rows[0]
}

type NewDraft = { state: DraftState; pictures: string[]; basedOn: Date }

/** The lock on the post must be held already. */
export async function putDraft(tx: Tx, { postId, userId }: DraftKey, draft: NewDraft): Promise<DraftRow> {
  const { rows } = await sql<DraftRow>`
    INSERT INTO post_draft (post_id, user_id, state, pictures, based_on)
      VALUES (${postId}, ${userId}, ${JSON.stringify(draft.state)}::jsonb, ${draft.pictures}, ${draft.basedOn})
      ON CONFLICT (post_id, user_id) DO UPDATE SET state = excluded.state, pictures = excluded.pictures,
        based_on = excluded.based_on, saved_at = excluded.saved_at
      RETURNING state, based_on, saved_at`.execute(tx)
  return rows[0] as DraftRow
}

export async function deleteDraft(tx: Tx, { postId, userId }: DraftKey): Promise<void> {
  await tx.deleteFrom('post_draft').where('post_id', '=', postId).where('user_id', '=', userId).execute()
}
