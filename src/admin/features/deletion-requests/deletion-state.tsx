import type { OperatorDeletion } from '#contract/operator/deletion-requests.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import { deletionsCopy as copy } from '#admin/features/deletion-requests/deletions.copy.ts'
import { momentText } from '#admin/kit/format.ts'

const tones: Record<OperatorDeletion['state'], BadgeTone> = {
  waiting: 'danger',
  approved: 'waiting',
  withdrawn: 'note',
  refused: 'note',
  'carried-out': 'success',
}

export const DeletionState = ({ state }: Pick<OperatorDeletion, 'state'>) => (
  <Badge tone={tones[state]}>{copy.states[state]}</Badge>
)

const SOON_MS = 3 * 86_400_000

type Due = Pick<OperatorDeletion, 'due_at' | 'ended_at'>

/** Null as long as there is time, and once it is over. */
function urgencyOf({ due_at, ended_at }: Due): string | null {
  const leftMs = Date.parse(due_at) - Date.now()
  if (ended_at !== null || leftMs >= SOON_MS) return null
  return leftMs < 0 ? copy.overdue : copy.soon
}

/** When it is due, and whether that is near. */
export function DueAt(due: Due) {
  const urgency = urgencyOf(due)
  return (
    <>
      {momentText(due.due_at)} {urgency && <Badge tone="danger">{urgency}</Badge>}
    </>
  )
}
