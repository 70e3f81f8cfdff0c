import type { CloseStatus as Status } from '#contract/operator/daily-closes.ts'
import { CLOSE_WORDS } from '#contract/operator/words.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'

const tones: Record<Status, BadgeTone> = { green: 'success', red: 'danger', 'not-compared': 'note' }

export const CloseStatus = ({ status }: { status: Status }) => (
  <Badge tone={tones[status]}>{CLOSE_WORDS[status]}</Badge>
)
