import type { AnswerOf } from '#contract/endpoint.ts'
import type { OperatorNote } from '#contract/operator/fields.ts'
import type { operatorUserActs } from '#contract/operator/users.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { notFound } from '#server/platform/values/errors.ts'
import { findWho, insertNote, selectNotes } from './player.queries.ts'
import type { PlayersDeps } from './players-deps.ts'
import { partOf, PART_ROWS } from '#server/platform/http/list.ts'

type Acts = typeof operatorUserActs

export async function listNotes(
  db: Db,
  userId: string,
  before: string | undefined,
): Promise<AnswerOf<Acts['notes']>> {
  if ((await findWho(db, userId)) === undefined) throw notFound()
  return partOf(await selectNotes(db, { userId, before, limit: PART_ROWS + 1 }))
}

/** The words stand in the note alone: they may name people, and the audit trail keeps only that there is one. */
export async function addNote(deps: PlayersDeps, call: UserCall<Acts['addNote']>): Promise<OperatorNote> {
  const { params, body, identity } = call
  return actAsOperator(deps, call, {
    action: 'users.note',
    work: async (tx) => {
      if ((await findWho(tx, params.id)) === undefined) throw notFound()
      const note = await insertNote(tx, { userId: params.id, authorId: identity.userId, text: body.note })
      return {
        answer: note,
        audit: { subject: { type: 'user', id: params.id }, details: { note_id: note.id } },
      }
    },
  })
}
