import type { operatorServers, OperatorServer } from '#contract/operator/servers.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { invalidField, notFound, Refusal } from '#server/platform/values/errors.ts'
import { deleteServer, insertServer, isServerUsed, lockServer, updateServer } from './servers.queries.ts'

export { selectServerPage as listServerPage } from './servers.queries.ts'

/** What an act did to a server, as the audit trail keeps it. */
const changed = (before: OperatorServer | null, after: OperatorServer | null) => ({
  subject: { type: 'server', id: (after ?? before)?.id ?? '' },
  details: { before, after },
})

export async function createServer(
  deps: PlatformDeps,
  call: UserCall<typeof operatorServers.create>,
): Promise<OperatorServer> {
  const { id, name, position } = call.body
  return actAsOperator(deps, call, {
    action: 'servers.create',
    async work(tx) {
      const server = await insertServer(tx, { id, name, position })
      if (server === undefined) throw invalidField('id', 'Mã này đã có máy chủ khác dùng')
      return { answer: server, audit: changed(null, server) }
    },
  })
}

export async function changeServer(
  deps: PlatformDeps,
  call: UserCall<typeof operatorServers.update>,
): Promise<OperatorServer> {
  const { name, position, updated_at } = call.body
  return actAsOperator(deps, call, {
    action: 'servers.update',
    async work(tx) {
      const before = await lockServer(tx, call.params.id)
      if (before === undefined) throw notFound()
      if (Date.parse(before.updated_at) !== Date.parse(updated_at))
        throw new Refusal('CONFLICT', { present: before })
      const after = await updateServer(tx, { id: before.id, name, position })
      return { answer: after, audit: changed(before, after) }
    },
  })
}

/** A server somebody plays on cannot be taken from them. */
export async function removeServer(
  deps: PlatformDeps,
  call: UserCall<typeof operatorServers.remove>,
): Promise<OperatorServer> {
  return actAsOperator(deps, call, {
    action: 'servers.delete',
    async work(tx) {
      const before = await lockServer(tx, call.params.id)
      if (before === undefined) throw notFound()
      if (await isServerUsed(tx, before.id))
        throw new Refusal('CONFLICT', { message: 'Máy chủ này đang có người chơi hoặc nhóm xếp hạng' })
      await deleteServer(tx, before.id)
      return { answer: before, audit: changed(before, null) }
    },
  })
}
