import { formatNumber } from '#contract/format.ts'
import { goodsInWords } from '#contract/deliveries.ts'
import { filledShare, missingTo, nextStep } from '#contract/rewards/milestone-rules.ts'
import type { MilestoneProgram } from '#contract/rewards/milestones.ts'
import { useNow } from '#web/parts/time/use-now.ts'

const copy = {
  recharged: 'Đã nạp',
  missing: (missing: string, at: string) => `Còn ${missing} VND nữa tới mốc ${at} VND`,
  reward: (goods: string) => `Quà: ${goods}`,
  all: 'Bạn đã đạt mọi mốc',
  bar: 'Tiến độ mốc nạp',
  over: 'Đã hết thời gian nạp',
} as const

type Props = { program: MilestoneProgram; isPlayer: boolean }

/** How far the player has come, with the steps on the bar, what is missing to the next one, and what it brings. */
export function MilestoneBar({ program, isPlayer }: Props) {
  const { steps, recharged, ends_at } = program
  const next = nextStep(steps, recharged)
  const isOver = Date.parse(ends_at) <= useNow(true)
  const missing = next && formatNumber(missingTo(next.at, recharged))
  const words = next ? copy.missing(missing ?? '', formatNumber(next.at)) : copy.all
  const share = filledShare(steps, recharged)
  return (
    <div className="space-y-2">
      {isPlayer && (
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="text-soft">{copy.recharged}</span>
          <strong className="text-xl tabular-nums">{formatNumber(recharged)} VND</strong>
        </p>
      )}
      <progress
        className="sr-only"
        aria-label={copy.bar}
        aria-valuetext={words}
        value={Math.floor(100 * share)}
        max={100}
      />
      <svg
        aria-hidden="true"
        viewBox="0 0 1000 1"
        preserveAspectRatio="none"
        className="block h-4 w-full overflow-hidden rounded-full border border-line-strong bg-sunken"
      >
        <rect width={1000 * share} height={1} className="fill-leaf" />
        {steps.slice(0, -1).map(({ id }, index) => (
          <rect
            key={id}
            x={(1000 * (index + 1)) / steps.length}
            width={2}
            height={1}
            className="fill-line-strong"
          />
        ))}
      </svg>
      {isPlayer && (
        <p className="text-[0.9375rem]">
          <strong>{next && isOver ? copy.over : words}</strong>
          {next && !isOver && (
            <span className="block text-soft">{copy.reward(goodsInWords(next.goods))}</span>
          )}
        </p>
      )}
    </div>
  )
}
