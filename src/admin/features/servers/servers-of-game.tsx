import { useQuery } from '@tanstack/react-query'
import { consoleCall } from '#admin/console-call.ts'
import { ActsInTurn } from '#admin/kit/acts-in-turn.tsx'
import { read } from '#admin/query.ts'
import { operatorGameServers, operatorServers } from '#contract/operator/servers.ts'

const copy = {
  take: 'Lấy máy chủ của game',
  text: 'Máy chủ mà cổng chưa có được thêm vào; máy chủ còn mang tên có sẵn của cổng đổi sang tên mà game gọi.',
  submit: 'Lấy máy chủ',
  added: 'thêm mới',
} as const

/** What the game tells of servers that the portal does not have, or still calls as it came; nothing where there is no news. */
export function ServersOfGame() {
  const { data: servers = [] } = useQuery(read(operatorGameServers.list))
  if (servers.length === 0) return null
  const acts = servers.map(({ id, name, position, present }) => {
    const body = (reason: string) => ({ id, name, position, reason })
    return {
      key: id,
      label: (
        <>
          <code>{id}</code> {present === null ? `${name} (${copy.added})` : `${present.name} → ${name}`}
        </>
      ),
      body,
      send: (reason: string, idempotencyKey: string) =>
        present === null
          ? consoleCall(operatorServers.create, { body: body(reason), idempotencyKey })
          : consoleCall(operatorServers.update, {
              params: { id },
              body: { name, position, updated_at: present.updated_at, reason },
              idempotencyKey,
            }),
    }
  })
  return (
    <ActsInTurn
      title={copy.take}
      submitLabel={copy.submit}
      text={copy.text}
      endpoint={operatorServers.create}
      acts={acts}
    />
  )
}
