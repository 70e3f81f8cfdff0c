import type { operatorServers, OperatorServer } from '#contract/operator/servers.ts'
import { changeRow } from '#server/modules/audit/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { changedMeanwhile, invalidField, notFound, Refusal } from '#server/platform/values/errors.ts'
import { deleteServer, insertServer, isServerUsed, lockServer, updateServer } from './servers.queries.ts'

export { insertServersIfNone, selectServerPage as listServerPage, type Server } from './servers.queries.ts'

export async function createServer(
  deps: PlatformDeps,
  call: UserCall<typeof operatorServers.create>,
): Promise<OperatorServer> {
  const { id, name, position } = call.body
  return changeRow(deps, call, {
    action: 'servers.create',
    type: 'server',
    async work(tx) {
      const after = await insertServer(tx, { id, name, position })
      if (after === undefined) throw invalidField('id', 'Mã này đã có máy chủ khác dùng')
      return { before: null, after }
    },
  })
}

export async function changeServer(
  deps: PlatformDeps,
  call: UserCall<typeof operatorServers.update>,
): Promise<OperatorServer> {
  const { name, position, updated_at } = call.body
  return changeRow(deps, call, {
    action: 'servers.update',
    type: 'server',
    async work(tx) {
      const before = await lockServer(tx, call.params.id)
      if (before === undefined) throw notFound()
      if (Date.parse(before.updated_at) !== Date.parse(updated_at)) throw changedMeanwhile(before)
      return { before, after: await updateServer(tx, { id: before.id, name, position }) }
    },
  })
}

/** Refused while a player or a ranking belongs to the server. */
export async function removeServer(
  deps: PlatformDeps,
  call: UserCall<typeof operatorServers.remove>,
): Promise<OperatorServer> {
  return changeRow(deps, call, {
    action: 'servers.delete',
    type: 'server',
    async work(tx) {
      const before = await lockServer(tx, call.params.id)
      if (before === undefined) throw notFound()
      if (await isServerUsed(tx, before.id))
        throw new Refusal('CONFLICT', { message: 'Máy chủ này đang có người chơi hoặc nhóm xếp hạng' })
      await deleteServer(tx, before.id)
      return { before, after: null }
    },
  })
}
