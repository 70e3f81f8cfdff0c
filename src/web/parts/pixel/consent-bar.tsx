import { Button } from '#ui/button.tsx'
import { choosePixel } from '#web/parts/pixel/choose-pixel.ts'
import type { Choice } from '#web/parts/pixel/consent.ts'
import { pixelCopy as copy } from '#web/parts/pixel/pixel.copy.ts'

export type ConsentBarProps = { choice: Choice | 'open' }

/** The question, at the foot of the screen. Both answers look alike, so that neither is suggested. */
export function ConsentBar({ choice }: ConsentBarProps) {
  const answer = (given: Choice) => void choosePixel(given, 'pixel-question')
  return (
    <section
      aria-labelledby="consent-title"
      className="consent-bar fixed inset-x-0 bottom-(--shell-bottom) z-20 border-t border-line-strong bg-raised shadow-card"
    >
      <div className="shell-width flex flex-col gap-3 py-4 md:flex-row md:items-center md:gap-6">
        <div className="min-w-0 flex-1">
          <h2 id="consent-title" className="text-base">
            {copy.title}
          </h2>
          <p className="mt-0.5 text-sm text-soft">{copy.question}</p>
          {choice !== 'open' && <p className="mt-1 text-sm font-bold">{copy.current[choice]}</p>}
        </div>
        <div className="flex shrink-0 gap-3">
          <Button kind="plain" className="flex-1" onClick={() => answer('denied')}>
            {copy.refuse}
          </Button>
          <Button kind="plain" className="flex-1" onClick={() => answer('granted')}>
            {copy.agree}
          </Button>
        </div>
      </div>
    </section>
  )
}
