import { formatMoment } from '#contract/format.ts'
import { paths } from '#contract/pages.ts'
import { missingTo } from '#contract/rewards/milestone-rules.ts'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { MilestoneBar } from './milestone-bar.tsx'
import { useMilestones } from './rewards.api.ts'

const copy = {
  until: (moment: string) => `Nạp đến ${moment}`,
  all: 'Xem các mốc',
  take: (count: number) => `Nhận quà (${count})`,
} as const

/** The programme of the moment with the player's bar, on pages that are about something else; nothing while there is none. */
export function MilestoneCard() {
  const { data: program } = useMilestones()
  if (!program) return null
  const { title, ends_at, steps, recharged } = program
  const due = steps.filter(({ at, claimed }) => !claimed && missingTo(at, recharged) === 0).length
  return (
    <section aria-label={title} className="rounded-xl border border-line bg-raised p-4">
      <h2 className="text-lg wrap-anywhere">{title}</h2>
      <p className="mb-2 text-sm text-soft">{copy.until(formatMoment(ends_at))}</p>
      <MilestoneBar program={program} isPlayer />
      <TextLink to={paths.milestones} className="mt-1">
        {due > 0 ? copy.take(due) : copy.all}&nbsp;→
      </TextLink>
    </section>
  )
}
