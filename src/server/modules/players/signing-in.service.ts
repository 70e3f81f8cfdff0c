import type { AnswerOf } from '#contract/endpoint.ts'
import type { operatorUserActs } from '#contract/operator/user-acts.ts'
import { listSessionsOf, listSignInsOf } from '#server/modules/sessions/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import { partOf, PART_ROWS } from '#server/platform/http/parts.ts'
import { findWho } from './player.queries.ts'

type Acts = typeof operatorUserActs

export async function listPlayersSessions(db: Db, userId: string): Promise<AnswerOf<Acts['sessions']>> {
  if ((await findWho(db, userId)) === undefined) throw notFound()
  return listSessionsOf(db, userId)
}

export async function listPlayersSignIns(
  db: Db,
  userId: string,
  before: string | undefined,
): Promise<AnswerOf<Acts['signIns']>> {
  if ((await findWho(db, userId)) === undefined) throw notFound()
  return partOf(await listSignInsOf(db, { userId, before, limit: PART_ROWS + 1 }))
}
