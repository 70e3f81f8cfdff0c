import { sql, type Insertable } from 'kysely'
import type { GroupFields, OperatorGroup } from '#contract/operator/groups.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countRows } from '#server/platform/db/list.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { notFound } from '#server/platform/values/errors.ts'

export async function insertGroups(
  tx: Tx,
  groups: readonly Insertable<DB['ranking_groups']>[],
): Promise<void> {
  await tx.insertInto('ranking_groups').values(groups).execute()
}

const described = (db: Db | Tx) =>
  db
    .selectFrom('ranking_groups')
    .leftJoin('ranking_snapshots', 'ranking_snapshots.group_id', 'ranking_groups.id')
    .select([
      'ranking_groups.id',
      'name',
      'description',
      'source',
      'board',
      'has_board_name',
      'value_name',
      'server_id',
      'position',
      'recharge_period',
      sql<string | null>`starts_on::text`.as('starts_on'),
      sql<string | null>`ends_on::text`.as('ends_on'),
      'taken_at',
      'ranking_groups.updated_at',
    ])
    .$narrowType<{ source: OperatorGroup['source']; recharge_period: OperatorGroup['recharge_period'] }>()

type Row = Awaited<ReturnType<ReturnType<typeof described>['executeTakeFirstOrThrow']>>

const toGroup = (row: Row): OperatorGroup => ({
  ...row,
  taken_at: row.taken_at?.toISOString() ?? null,
  updated_at: row.updated_at.toISOString(),
})

export async function selectGroupPage(
  db: Db,
  ids: readonly string[] | undefined,
  { order, from, to }: ListPage,
): Promise<ListRows<OperatorGroup>> {
  const matching = described(db).$if(ids !== undefined, (query) =>
    query.where('ranking_groups.id', 'in', ids as string[]),
  )
  const rows = await matching
    .orderBy('position', order)
    .orderBy('ranking_groups.id', order)
    .offset(from)
    .limit(to - from + 1)
    .execute()
  return { total: await countRows(matching), rows: rows.map(toGroup) }
}

async function getGroup(tx: Tx, id: string): Promise<OperatorGroup> {
  return toGroup(await described(tx).where('ranking_groups.id', '=', id).executeTakeFirstOrThrow())
}

/** Locks a group before it is changed. Throws NOT_FOUND. */
export async function lockGroup(tx: Tx, id: string): Promise<OperatorGroup> {
  const groups = tx.selectFrom('ranking_groups').select('id').where('id', '=', id).forUpdate()
  await groups.executeTakeFirstOrThrow(notFound)
  return getGroup(tx, id)
}

export async function insertGroup(tx: Tx, fields: GroupFields): Promise<OperatorGroup> {
  const { id } = await tx
    .insertInto('ranking_groups')
    .values(fields)
    .returning('id')
    .executeTakeFirstOrThrow()
  return getGroup(tx, id)
}

export async function updateGroup(tx: Tx, id: string, fields: GroupFields): Promise<OperatorGroup> {
  await tx
    .updateTable('ranking_groups')
    .set({ ...fields, updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
  return getGroup(tx, id)
}

/**
 * Removes the rankings, also those of earlier days: the next round of the job reads new ones. A refresh that is under way
 * loses its claim, so that it cannot store what it has read.
 */
export async function outdateSnapshot(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('ranking_groups')
    .set({ claimed_run: null, claimed_until: null })
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('ranking_days').where('group_id', '=', id).execute()
  await tx.deleteFrom('ranking_entries').where('group_id', '=', id).execute()
  await tx
    .updateTable('ranking_snapshots')
    .set({ taken_at: sql<Date>`to_timestamp(0)` })
    .where('group_id', '=', id)
    .execute()
}

/** With its rankings, which belong to it. */
export async function deleteGroup(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('ranking_groups').where('id', '=', id).execute()
}

export async function hasServer(tx: Tx, id: string): Promise<boolean> {
  return (await tx.selectFrom('servers').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}
