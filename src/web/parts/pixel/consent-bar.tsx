import { Button } from '#ui/button.tsx'
import { forgetAwaitedRecharge } from '#web/parts/pixel/awaited-recharge.ts'
import { answerConsent, type Choice } from '#web/parts/pixel/consent.ts'
import { forgetWaiting } from '#web/parts/pixel/pixel.ts'
import { pixelCopy as copy } from '#web/parts/pixel/pixel.copy.ts'

export type ConsentBarProps = { choice: Choice | 'open' }

/** The question, at the foot of the screen. Both answers look alike, so that neither is suggested. */
export function ConsentBar({ choice }: ConsentBarProps) {
  function refuse() {
    answerConsent('denied')
    withdrawPixel()
  }
  return (
    <section
      aria-labelledby="consent-title"
      className="consent-bar fixed inset-x-0 bottom-0 z-20 border-t border-line-strong bg-raised shadow-card"
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
          <Button kind="plain" className="flex-1" onClick={refuse}>
            {copy.refuse}
          </Button>
          <Button kind="plain" className="flex-1" onClick={() => answerConsent('granted')}>
            {copy.agree}
          </Button>
        </div>
      </div>
    </section>
  )
}

/** Consent was withdrawn: nothing more is reported, and the pixel's cookies are removed. */
function withdrawPixel(): void {
  const { fbq } = globalThis as { fbq?: (...call: unknown[]) => void }
  fbq?.('consent', 'revoke')
  forgetWaiting()
  forgetAwaitedRecharge()
  const host = location.hostname.split('.')
  const domains = ['', ...host.map((_part, index) => `; Domain=${host.slice(index).join('.')}`)]
  for (const name of ['_fbp', '_fbc']) {
    for (const domain of domains) document.cookie = `${name}=; Max-Age=0; Path=/${domain}`
  }
}
