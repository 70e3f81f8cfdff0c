import { sql } from 'kysely'
import type { QueryOf } from '#contract/endpoint.ts'
import type { OperatorDeletion, operatorDeletions } from '#contract/operator/deletion-requests.ts'
import type { Db } from '#server/platform/db/database.ts'
import { beyond, countWithinReach } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { toDeletionRequest } from './deletions.queries.ts'
import { listMatters, type OpenMatters } from './open-matters.service.ts'

/** The filter of the list's query. */
export type DeletionFilter = NonNullable<QueryOf<typeof operatorDeletions.list>['filter']>

const named = (db: Db | Tx) =>
  db
    .selectFrom('deletion_request as request')
    .innerJoin('users as player', 'player.id', 'request.user_id')
    .leftJoin('users as decider', 'decider.id', 'request.decided_by')
    .select([
      'request.id',
      'request.user_id',
      'player.username',
      'request.state',
      'request.asked_at',
      'request.due_at',
      'request.given_up',
      'request.message',
      'request.ended_at',
      'request.decided_at',
      'request.decided_by',
      'decider.username as decider',
      'request.hindered_by',
      'request.attempt',
    ])
    .$narrowType<{ state: OperatorDeletion['state']; hindered_by: OpenMatters | null }>()

type Row = Awaited<ReturnType<ReturnType<typeof named>['executeTakeFirstOrThrow']>>

function toOperatorDeletion({
  user_id,
  username,
  decided_by,
  decider,
  hindered_by,
  ...row
}: Row): OperatorDeletion {
  return {
    ...toDeletionRequest(row),
    user: { id: user_id, username },
    decided_at: row.decided_at?.toISOString() ?? null,
    decided_by: decided_by === null || decider === null ? null : { id: decided_by, username: decider },
    hindered_by: hindered_by === null ? null : listMatters(hindered_by),
  }
}

const matching = (db: Db, { id, state, user_id }: DeletionFilter) =>
  db
    .selectFrom('deletion_request as wanted')
    .$if(id !== undefined, (query) => query.where('wanted.id', 'in', id as string[]))
    .$if(state !== undefined, (query) => query.where('wanted.state', 'in', state as string[]))
    .$if(user_id !== undefined, (query) => query.where('wanted.user_id', '=', user_id as string))

/** By the moment they are due. The names are joined to the page's rows only. */
export async function listStoredDeletions(
  db: Db,
  filter: DeletionFilter,
  { order, from, to, after }: ListPage,
): Promise<OperatorDeletion[]> {
  const mark = sql`((SELECT due_at FROM deletion_request WHERE id = ${after}::bigint), ${after}::bigint)`
  const page = matching(db, filter)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(wanted.due_at, wanted.id) ${beyond(order)} ${mark}`),
    )
    .select('wanted.id')
    .orderBy('wanted.due_at', order)
    .orderBy('wanted.id', order)
    .offset(from)
    .limit(to - from + 1)
  const rows = await named(db)
    .where('request.id', 'in', page)
    .orderBy('request.due_at', order)
    .orderBy('request.id', order)
    .execute()
  return rows.map(toOperatorDeletion)
}

export async function countStoredDeletions(db: Db, filter: DeletionFilter): Promise<number> {
  return countWithinReach(db, matching(db, filter))
}

export async function findDeletion(db: Db | Tx, id: string): Promise<OperatorDeletion | undefined> {
  const row = await named(db).where('request.id', '=', id).executeTakeFirst()
  return row && toOperatorDeletion(row)
}

/** Locks a request against a second operator, a worker and its player before it is read. */
export async function lockDeletion(tx: Tx, id: string): Promise<OperatorDeletion | undefined> {
  await tx.selectFrom('deletion_request').select('id').where('id', '=', id).forUpdate().execute()
  return findDeletion(tx, id)
}

type Decision = { id: string; operatorId: string }

/** From now on a worker may carry it out, once the last mail has left. */
export async function setApproved(
  tx: Tx,
  { id, operatorId, lastMailId }: Decision & { lastMailId: string | null },
): Promise<void> {
  await tx
    .updateTable('deletion_request')
    .set({
      state: 'approved',
      decided_by: operatorId,
      decided_at: sql<Date>`clock_timestamp()`,
      hindered_by: null,
      last_mail_id: lastMailId,
      attempt: 0,
      next_attempt_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', id)
    .execute()
}

export async function setRefused(
  tx: Tx,
  { id, operatorId, message }: Decision & { message: string },
): Promise<void> {
  await tx
    .updateTable('deletion_request')
    .set({
      state: 'refused',
      decided_by: operatorId,
      decided_at: sql<Date>`clock_timestamp()`,
      ended_at: sql<Date>`clock_timestamp()`,
      message,
    })
    .where('id', '=', id)
    .execute()
}
