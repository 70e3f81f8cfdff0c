import { momentText } from '#admin/kit/format.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { gameBridgeCall } from '#contract/operator/deliveries.ts'
import { Badge } from '#ui/badge.tsx'

const copy = {
  label: 'Phần nhận món trong game',
  alive: 'Đang chạy',
  silent: 'Im lặng',
  seen: (moment: string) => `báo gần nhất ${moment}`,
  never: 'chưa từng báo',
} as const

/** The sign of life of what collects in the game; nothing where the game tells nothing of it. */
export function collectorFacts(collector: AnswerOf<typeof gameBridgeCall>['collector']) {
  if (collector === null) return []
  const { is_silent: isSilent, seen_at: seenAt } = collector
  return [
    {
      label: copy.label,
      value: (
        <>
          <Badge tone={isSilent ? 'danger' : 'success'}>{isSilent ? copy.silent : copy.alive}</Badge>{' '}
          {seenAt === null ? copy.never : copy.seen(momentText(seenAt))}
        </>
      ),
    },
  ]
}
