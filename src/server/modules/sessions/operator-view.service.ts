import type { AnswerOf } from '#contract/endpoint.ts'
import type { operatorUserActs } from '#contract/operator/users.ts'
import type { Db } from '#server/platform/db/database.ts'
import { listLiveSessions } from './sessions.queries.ts'
import { describeDevice, describePlace } from './sessions.rules.ts'
import { selectSignInsBefore } from './sign-ins.queries.ts'
import { toSignIn } from './sign-ins.service.ts'

/** A player's live sessions, as operators see them. */
export async function listSessionsOf(
  db: Db,
  userId: string,
): Promise<AnswerOf<typeof operatorUserActs.sessions>> {
  const rows = await listLiveSessions(db, userId)
  return rows.map(({ id, createdAt, lastUsedAt, userAgent, place, kind }) => ({
    id,
    kind,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt.toISOString(),
    device: describeDevice(userAgent),
    place: describePlace(place),
  }))
}

/** A player's sign-ins, the newest first, behind the one named `before`. */
export async function listSignInsOf(
  db: Db,
  wanted: { userId: string; before: string | undefined; limit: number },
): Promise<AnswerOf<typeof operatorUserActs.signIns>['rows']> {
  return (await selectSignInsBefore(db, wanted)).map(toSignIn)
}
