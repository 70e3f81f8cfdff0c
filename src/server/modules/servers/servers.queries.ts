import { sql } from 'kysely'
import { SERVER_ID } from '#contract/fields.ts'
import { GAME_SERVERS_MAX, type OperatorServer } from '#contract/operator/servers.ts'
import { countRows, hasRows } from '#server/platform/db/list.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { notFound } from '#server/platform/values/errors.ts'

export async function hasServers(tx: Tx): Promise<boolean> {
  return hasRows(tx.selectFrom('servers'))
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

export type GameServer = { id: string; name: string; order: number; present: OperatorServer | null }

/** Those that the game describes; ids that no server of the portal could have are left out. */
export async function selectGameServers(db: Db): Promise<GameServer[]> {
  const { rows } = await sql<Omit<GameServer, 'present'> & { present: Row | null }>`
    SELECT told.id, told.name, told.place::integer - 1 AS order, to_jsonb(s) AS present
      FROM game_description
      CROSS JOIN ROWS FROM (jsonb_to_recordset(description -> 'servers') AS (id text, name text))
                 WITH ORDINALITY told (id, name, place)
      LEFT JOIN servers s ON s.id = told.id
     WHERE told.id ~ ${SERVER_ID.source}
     ORDER BY told.place LIMIT ${GAME_SERVERS_MAX}`.execute(db)
  return rows.map(({ present, ...row }) => ({
    ...row,
    present: present && toServer({ ...present, updated_at: new Date(present.updated_at) }),
  }))
}

/** Locks one server before it is changed. Throws NOT_FOUND. */
export async function lockServer(tx: Tx, id: string): Promise<OperatorServer> {
  const servers = tx.selectFrom('servers').selectAll().where('id', '=', id).forUpdate()
  return toServer(await servers.executeTakeFirstOrThrow(notFound))
}

type ServerFields = Pick<OperatorServer, 'id' | 'name' | 'position'>

/** Answers those that were inserted: one whose id is taken is not. */
export async function insertServers(tx: Tx, servers: readonly ServerFields[]): Promise<OperatorServer[]> {
  const rows = await tx
    .insertInto('servers')
    .values(servers)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .execute()
  return rows.map(toServer)
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
