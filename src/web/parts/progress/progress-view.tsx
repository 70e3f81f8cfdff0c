import { useEffect, useState, useRef, type ReactNode } from 'react'
import { Icon, type IconName } from '#ui/icon.tsx'
import type { ProgressStep, Progress } from '#web/parts/progress/progress.ts'
import { formatNumber } from '#contract/format.ts'
import { useAnnouncement } from '#web/parts/outcomes/announce.ts'

type HeadProps = {
  /** The portrait, or what came. */
  picture: ReactNode
  name: string
  figure: ReactNode
  stamp: string | null
}

/** Picture, name, amount, and the stamp once it is done. */
export function ProgressHead({ picture, name, figure, stamp }: HeadProps) {
  return (
    <div className="flex flex-wrap items-center gap-4 overflow-hidden rounded-xl bg-sunken p-4">
      {picture}
      <div className="max-w-full min-w-min flex-[1_1_8.5rem]">
        {/* Where both have no room in one line, the stamp stands above the name. */}
        <span className="flex flex-wrap-reverse items-center justify-between gap-x-2">
          <span className="max-w-full font-bold wrap-anywhere">{name}</span>
          {stamp !== null && <span className="seal moment-stamp">{stamp}</span>}
        </span>
        <span className="mt-1 block text-xl leading-snug font-bold text-balance">{figure}</span>
      </div>
    </div>
  )
}

const icons: Record<ProgressStep['state'], IconName> = {
  done: 'check',
  now: 'clock',
  later: 'clock',
  failed: 'close',
}

/** The steps from first to last, side by side. */
export function ProgressSteps({ steps }: { steps: readonly ProgressStep[] }) {
  return (
    <ol className="moment-steps">
      {steps.map(({ name, at, state }) => (
        <li key={name} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
          <span className="moment-dot">
            <Icon name={icons[state]} className="size-4" />
          </span>
          <strong className="block leading-snug">{name}</strong>
          {at !== null && <span className="block text-xs text-soft tabular-nums">{at}</span>}
        </li>
      ))}
    </ol>
  )
}

const DURATION_MS = 900

/** A number that counts up to its value while `isCounting`, unless reduced motion is preferred. */
export function CountUp({ value, isCounting }: { value: number; isCounting: boolean }) {
  const [shown, setShown] = useState(value)
  useEffect(() => {
    const isMoving = isCounting && !matchMedia('(prefers-reduced-motion: reduce)').matches
    let frame = 0
    let start_ms: number | null = null
    const renderFrame = (now_ms: number) => {
      start_ms ??= now_ms
      const part = isMoving ? Math.min(1, (now_ms - start_ms) / DURATION_MS) : 1
      // Fast at first, slower towards its end.
      setShown(Math.round(value * (1 - (1 - part) ** 3)))
      if (part < 1) frame = requestAnimationFrame(renderFrame)
    }
    frame = requestAnimationFrame(renderFrame)
    return () => cancelAnimationFrame(frame)
  }, [value, isCounting])
  return (
    <>
      <span aria-hidden="true" className="tabular-nums">
        {formatNumber(shown)}
      </span>
      <span className="sr-only">{formatNumber(value)}</span>
    </>
  )
}

/** Whether it became done while it was shown; only then is it animated. */
export function useJustDone({ phase }: Progress): boolean {
  const [first] = useState(phase)
  return phase === 'done' && first !== 'done'
}

/** Focuses the heading of a new outcome, at the top of its page, once no dialog is open. */
export function useOutcomeFocus(isNew: boolean) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isInFront = useAnnouncement() === null
  useEffect(() => {
    if (!isNew || !isInFront) return
    scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [isNew, isInFront])
  return heading
}
