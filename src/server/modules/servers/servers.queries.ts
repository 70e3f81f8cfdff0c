import { sql } from 'kysely'
import type { OperatorServer } from '#contract/operator/servers.ts'
import { countRows } from '#server/platform/db/list.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'

export type Server = { id: string; name: string }

export async function insertServersIfNone(tx: Tx, servers: readonly Server[]): Promise<void> {
  const present = await tx.selectFrom('servers').select('id').limit(1).execute()
  if (present.length > 0) return
  await tx
    .insertInto('servers')
    .values(servers.map(({ id, name }, position) => ({ id, name, position })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

type Row = Omit<OperatorServer, 'updated_at'> & { updated_at: Date }

const toServer = ({ updated_at, ...row }: Row): OperatorServer => ({
  ...row,
  updated_at: updated_at.toISOString(),
})

export async function selectServerPage(
  db: Db,
  ids: readonly string[] | undefined,
  { order, from, to }: ListPage,
): Promise<ListRows<OperatorServer>> {
  const matching = db
    .selectFrom('servers')
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids as string[]))
  const rows = await matching
    .selectAll()
    .orderBy('position', order)
    .orderBy('id', order)
    .offset(from)
    .limit(to - from + 1)
    .execute()
  return { total: await countRows(matching), rows: rows.map(toServer) }
}

/** Locks one server before it is changed. */
export async function lockServer(tx: Tx, id: string): Promise<OperatorServer | undefined> {
  const row = await tx.selectFrom('servers').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toServer(row)
}

type ServerFields = Pick<OperatorServer, 'id' | 'name' | 'position'>

/** Undefined when there is one with this id. */
export async function insertServer(tx: Tx, server: ServerFields): Promise<OperatorServer | undefined> {
  const row = await tx
    .insertInto('servers')
    .values(server)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  return row && toServer(row)
}

export async function updateServer(tx: Tx, { id, name, position }: ServerFields): Promise<OperatorServer> {
  const row = await tx
    .updateTable('servers')
    .set({ name, position, updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toServer(row)
}

/** Whether a player or a ranking group belongs to it. */
export async function isServerUsed(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql<{ is_used: boolean }>`
    SELECT EXISTS (SELECT FROM users WHERE server_id = ${id})
        OR EXISTS (SELECT FROM ranking_groups WHERE server_id = ${id}) AS is_used`.execute(tx)
  return rows[0]?.is_used === true
}

export async function deleteServer(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('servers').where('id', '=', id).execute()
}
