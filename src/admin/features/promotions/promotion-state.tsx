import type { Promotion } from '#contract/operator/promotions.ts'
import { PROMOTION_WORDS } from '#contract/operator/words.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'

const tones = { planned: 'waiting', running: 'success', stopped: 'note' } as const satisfies Record<
  Promotion['state'],
  BadgeTone
>

/** Its time has passed while it ran. */
const isOver = (state: Promotion['state'], endsAt: string): boolean =>
  state === 'running' && Date.parse(endsAt) <= Date.now()

/** The state of a promotion or of milestones, also when its time has passed while it ran. */
export const PromotionState = ({ state, endsAt }: Pick<Promotion, 'state'> & { endsAt: string }) =>
  isOver(state, endsAt) ? (
    <Badge tone="note">Đã hết hạn</Badge>
  ) : (
    <Badge tone={tones[state]}>{PROMOTION_WORDS[state]}</Badge>
  )
