import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import {
  type operatorGameServers,
  type operatorServers,
  type OperatorServer,
  SERVER_NAME_MAX,
} from '#contract/operator/servers.ts'
import { contentChanges } from '#server/domain/content.ts'
import { changeRow } from '#server/modules/audit/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { conflict, changedMeanwhile, invalidField } from '#server/platform/values/errors.ts'
import {
  deleteServer,
  hasServers,
  insertServers,
  isServerUsed,
  lockServer,
  selectGameServers,
  selectServerPage,
  updateServer,
} from './servers.queries.ts'

export type Server = Pick<OperatorServer, 'id' | 'name'>

/** The servers of a new installation, in their order. */
export async function insertServersIfNone(tx: Tx, servers: readonly Server[]): Promise<void> {
  if (await hasServers(tx)) return
  await insertServers(
    tx,
    servers.map((server, position) => ({ ...server, position })),
  )
}

type Filter = NonNullable<QueryOf<typeof operatorServers.list>['filter']>

export const listOperatorServers = (db: Db, { id }: Filter, page: ListPage) => selectServerPage(db, id, page)

/** What a new portal calls its server. */
export const usualServerName = (id: string) => `Máy chủ ${id}`

/** What the game says of servers that the portal lacks, or calls as a new portal does. */
export async function listGameServers(db: Db): Promise<AnswerOf<typeof operatorGameServers.list>> {
  const told = await selectGameServers(db)
  return told
    .map(({ order, present, ...server }) => ({
      id: server.id,
      name: server.name.slice(0, SERVER_NAME_MAX),
      position: present?.position ?? order,
      present: present && { name: present.name, updated_at: present.updated_at },
    }))
    .filter(({ id, name, present }) => {
      if (present === null) return true
      return present.name === usualServerName(id) && present.name !== name
    })
}

/** More than any game has; a bound, not a page. */
const SERVERS_MAX = 100

export async function listServerIds(db: Db): Promise<string[]> {
  const page = { order: 'asc', from: 0, to: SERVERS_MAX - 1 } as const
  const { rows } = await selectServerPage(db, undefined, page)
  return rows.map(({ id }) => id)
}

export const createServer = (deps: PlatformDeps, call: UserCall<typeof operatorServers.create>) =>
  changeRow(deps, call, {
    action: 'servers.create',
    type: 'server',
    async work(tx) {
      const { id, name, position } = call.body
      const [after] = await insertServers(tx, [{ id, name, position }])
      if (after === undefined) throw invalidField('id', 'Mã này đã có máy chủ khác dùng')
      await contentChanges(tx, 'servers')
      return { before: null, after }
    },
  })

export const changeServer = (deps: PlatformDeps, call: UserCall<typeof operatorServers.update>) =>
  changeRow(deps, call, {
    action: 'servers.update',
    type: 'server',
    async work(tx) {
      const { name, position, updated_at } = call.body
      const before = await lockServer(tx, call.params.id)
      if (Date.parse(before.updated_at) !== Date.parse(updated_at)) throw changedMeanwhile(before)
      const after = await updateServer(tx, { id: before.id, name, position })
      await contentChanges(tx, 'servers')
      return { before, after }
    },
  })

/** Refused while a player or a ranking belongs to the server. */
export const removeServer = (deps: PlatformDeps, call: UserCall<typeof operatorServers.remove>) =>
  changeRow(deps, call, {
    action: 'servers.delete',
    type: 'server',
    async work(tx) {
      const before = await lockServer(tx, call.params.id)
      if (await isServerUsed(tx, before.id))
        throw conflict('Máy chủ này đang có người chơi hoặc nhóm xếp hạng')
      await deleteServer(tx, before.id)
      await contentChanges(tx, 'servers')
      return { before, after: null }
    },
  })
