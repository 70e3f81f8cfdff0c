import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { consoleCall } from '#admin/console-call.ts'
import { ActDialog, DialogButton } from '#admin/kit/act-dialog.tsx'
import { useRefresh } from '#admin/kit/use-send.ts'
import { read } from '#admin/query.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
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
  const groups = missing.map((board, index) => proposedGroup(board, first + index))
  return (
    <DialogButton
      label={copy.propose}
      kind="plain"
      renderDialog={(onClose) => <Proposal proposed={groups} onClose={onClose} />}
    />
  )
}

type Group = ReturnType<typeof proposedGroup>

/** One act for each group, all for one reason. */
function Proposal({ proposed, onClose }: { proposed: readonly Group[]; onClose: () => void }) {
  const refresh = useRefresh()
  // As they were when the dialog opened: a try that failed halfway is repeated under the same keys.
  const [groups] = useState(proposed)
  const made = useRef(new Map<string, AnswerOf<typeof operatorGroups.create>>())
  return (
    <ActDialog
      title={copy.propose}
      submitLabel={copy.submit}
      endpoint={operatorGroups.create}
      text={copy.text}
      toBody={({ reason }) => ({ ...(groups[0] as Group), reason })}
      call={async (endpoint, { body, idempotencyKey }) => {
        for (const group of groups) {
          if (made.current.has(group.board)) continue
          const answer = await consoleCall(endpoint, {
            body: { ...group, reason: body?.reason ?? '' },
            idempotencyKey: `${idempotencyKey}-${group.board}`,
          })
          made.current.set(group.board, answer)
        }
        return [...made.current.values()].at(-1) as AnswerOf<typeof operatorGroups.create>
      }}
      onRefused={refresh}
      onClose={onClose}
    >
      {() => (
        <ul className="list-disc pl-5">
          {groups.map(({ board, name }) => (
            <li key={board} className="wrap-anywhere">
              {name} <code>{board}</code>
            </li>
          ))}
        </ul>
      )}
    </ActDialog>
  )
}
