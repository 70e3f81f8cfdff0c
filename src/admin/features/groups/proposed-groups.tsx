import { useQuery } from '@tanstack/react-query'
import { consoleCall } from '#admin/console-call.ts'
import { ActsInTurn } from '#admin/kit/acts-in-turn.tsx'
import { read } from '#admin/query.ts'
import { operatorGroups } from '#contract/operator/groups.ts'
import { boardsQuery } from './boards.ts'
import { boardsWithoutGroup, proposedGroup } from './missing-boards.ts'

const copy = {
  propose: 'Tạo nhóm theo bảng của game',
  text: 'Mỗi bảng của game chưa có nhóm được thêm một nhóm, đứng sau các nhóm đang có. Tên và mô tả sửa lại được sau.',
  submit: 'Tạo nhóm',
} as const

const lastQuery = read(operatorGroups.list, { query: { sort: '["position","DESC"]', range: '[0,0]' } })

/** For the boards that the game has and no group shows; nothing where there are none. */
export function ProposedGroups() {
  const { data: boards = [] } = useQuery(boardsQuery)
  const { data: last } = useQuery(lastQuery)
  const missing = boardsWithoutGroup(boards)
  if (missing.length === 0 || last === undefined) return null
  const first = (last[0]?.position ?? -1) + 1
  const acts = missing.map((board, index) => {
    const group = proposedGroup(board, first + index)
    const body = (reason: string) => ({ ...group, reason })
    return {
      key: group.board,
      label: (
        <>
          {group.name} <code>{group.board}</code>
        </>
      ),
      body,
      send: (reason: string, idempotencyKey: string) =>
        consoleCall(operatorGroups.create, { body: body(reason), idempotencyKey }),
    }
  })
  return (
    <ActsInTurn
      title={copy.propose}
      submitLabel={copy.submit}
      text={copy.text}
      endpoint={operatorGroups.create}
      acts={acts}
    />
  )
}
