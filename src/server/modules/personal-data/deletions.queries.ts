import { sql } from 'kysely'
import type { Client } from 'pg'
import type { QueryOf } from '#contract/endpoint.ts'
import type { OperatorDeletion, operatorDeletions } from '#contract/operator/deletion-requests.ts'
import type { DeletionRequest } from '#contract/accounts/personal-data.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isDue } from '#server/platform/db/due.ts'
import { beyond, countWithinReach } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { inPages, type PersonalPart } from '#server/domain/personal-part.ts'
import { listMatters, type OpenMatters } from './deletions.errors.ts'
import type { IsResting } from '#server/platform/queues/due-rows.ts'

const requests = (db: Db | Tx) =>
  db
    .selectFrom('deletion_request')
    .select(['id', 'state', 'asked_at', 'due_at', 'given_up', 'message', 'ended_at'])
    .$narrowType<Pick<DeletionRequest, 'state'>>()

type Row = Awaited<ReturnType<ReturnType<typeof requests>['executeTakeFirstOrThrow']>>

/** The row may have more columns, which stay as they are. */
const toDeletionRequest = <Found extends Row>(row: Found) => ({
  ...row,
  asked_at: row.asked_at.toISOString(),
  due_at: row.due_at.toISOString(),
  given_up: parseCoins(row.given_up),
  ended_at: row.ended_at?.toISOString() ?? null,
})

export async function findLatestRequest(db: Db, userId: string): Promise<DeletionRequest | null> {
  const row = await requests(db)
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : toDeletionRequest(row)
}

/** The request that is open; of several, which the index forbids, any. */
export async function findOpenRequest(tx: Tx, userId: string): Promise<DeletionRequest | undefined> {
  const row = await requests(tx)
    .where('user_id', '=', userId)
    .where('state', 'in', ['waiting', 'approved'])
    .executeTakeFirst()
  return row && toDeletionRequest(row)
}

/** Under the player's lock, which prevents a second open one. */
export async function insertRequest(
  tx: Tx,
  { userId, days, givenUp }: { userId: string; days: number; givenUp: number },
): Promise<DeletionRequest> {
  const { id } = await tx
    .insertInto('deletion_request')
    .values({
      user_id: userId,
      due_at: sql<Date>`clock_timestamp() + make_interval(days => ${days}::integer)`,
      given_up: givenUp,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return toDeletionRequest(await requests(tx).where('id', '=', id).executeTakeFirstOrThrow())
}

/** Ends the request that is open, unless a worker or an operator has it in hand; null when there is none. */
export async function withdrawOpenRequest(tx: Tx, userId: string): Promise<DeletionRequest | null> {
  const { rows } = await sql<{ id: string }>`
    UPDATE deletion_request SET state = 'withdrawn', ended_at = clock_timestamp(), next_attempt_at = NULL
     WHERE id = (SELECT id FROM deletion_request
                  WHERE user_id = ${userId}::bigint AND state IN ('waiting', 'approved') FOR UPDATE SKIP LOCKED)
    RETURNING id`.execute(tx)
  const [withdrawn] = rows
  if (withdrawn === undefined) return null
  return toDeletionRequest(await requests(tx).where('id', '=', withdrawn.id).executeTakeFirstOrThrow())
}

export async function updateApprovedToWaiting(client: Client): Promise<void> {
  await client.query(
    `UPDATE deletion_request
        SET state = 'waiting', decided_at = NULL, decided_by = NULL, last_mail_id = NULL, next_attempt_at = NULL
      WHERE state = 'approved'`,
  )
}

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

type NamedRow = Awaited<ReturnType<ReturnType<typeof named>['executeTakeFirstOrThrow']>>

function toOperatorDeletion({
  user_id,
  username,
  decided_by,
  decider,
  hindered_by,
  ...row
}: NamedRow): OperatorDeletion {
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
    .selectFrom('deletion_request as listed')
    .$if(id !== undefined, (query) => query.where('listed.id', 'in', id as string[]))
    .$if(state !== undefined, (query) => query.where('listed.state', 'in', state as string[]))
    .$if(user_id !== undefined, (query) => query.where('listed.user_id', '=', user_id as string))

/** By the moment they are due. The names are joined to the page's rows only. */
export async function listStoredDeletions(
  db: Db,
  filter: DeletionFilter,
  { order, from, to, after }: ListPage,
): Promise<OperatorDeletion[]> {
  const mark = sql`((SELECT due_at FROM deletion_request WHERE id = ${after}::bigint), ${after}::bigint)`
  const page = matching(db, filter)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(listed.due_at, listed.id) ${beyond(order)} ${mark}`),
    )
    .select('listed.id')
    .orderBy('listed.due_at', order)
    .orderBy('listed.id', order)
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

export type DueDeletion = { id: string; userId: string; givenUp: number; lastMailId: string | null }

/** How long the mail that was sent before an erasure is waited for, until it is looked for again. */
const MAIL_WAIT_SECONDS = 5

const dueDeletions = (db: Db | Tx) =>
  db
    .selectFrom('deletion_request')
    .where('state', '=', 'approved')
    .where(isDue(sql`next_attempt_at`, MAIL_WAIT_SECONDS))

/** The approved requests, those first that have been due the longest. */
export async function listDueDeletions(db: Db, isResting: IsResting, limit: number): Promise<string[]> {
  const rows = await dueDeletions(db)
    .select('id')
    .where(sql<boolean>`NOT ${isResting(sql`deletion_request.id`)}`)
    .orderBy('next_attempt_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** One that is due, locked; what another worker has in hand is passed over. */
export async function lockDueDeletion(tx: Tx, id: string): Promise<DueDeletion | undefined> {
  const row = await dueDeletions(tx)
    .select(['id', 'user_id', 'given_up', 'last_mail_id'])
    .where('id', '=', id)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      userId: row.user_id,
      givenUp: parseCoins(row.given_up),
      lastMailId: row.last_mail_id,
    }
  )
}

export async function waitForMail(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('deletion_request')
    .set({ next_attempt_at: sql<Date>`clock_timestamp() + make_interval(secs => ${MAIL_WAIT_SECONDS})` })
    .where('id', '=', id)
    .execute()
}

/** Back to the operators, unless the player has withdrawn it meanwhile; answers whether. */
export async function sendBack(
  tx: Tx,
  { id, matters }: { id: string; matters: OpenMatters },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('deletion_request')
    .set({
      state: 'waiting',
      hindered_by: JSON.stringify(matters),
      decided_at: null,
      decided_by: null,
      last_mail_id: null,
      next_attempt_at: null,
    })
    .where('id', '=', id)
    .where('state', '=', 'approved')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Counts a try that failed, for the operators who look at the request. */
export async function countAttempt(db: Db, id: string): Promise<void> {
  await sql`
    UPDATE deletion_request SET attempt = attempt + 1 WHERE id = ${id}::bigint AND state = 'approved'`.execute(
    db,
  )
}

/** Requests and their outcome stay, without the operators' messages. An erasure closes the request that is open. */
export const personalDeletions: PersonalPart = {
  lists: {
    deletion_requests: inPages(
      ({ id }, { after, limit }) => sql`
        SELECT id::text AS cursor, state, asked_at, due_at, given_up, decided_at, message, ended_at
          FROM deletion_request WHERE user_id = ${id}::bigint AND id > coalesce(${after}::bigint, 0)
         ORDER BY id LIMIT ${limit}`,
    ),
  },
  async erase(tx, { id }) {
    await sql`
      UPDATE deletion_request
         SET message = NULL, next_attempt_at = NULL, ended_at = coalesce(ended_at, clock_timestamp()),
             state = CASE WHEN state IN ('waiting', 'approved') THEN 'carried-out' ELSE state END
       WHERE user_id = ${id}::bigint`.execute(tx)
  },
}
