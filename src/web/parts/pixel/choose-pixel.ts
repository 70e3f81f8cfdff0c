import { answerConsent, type Choice } from '#web/parts/pixel/consent.ts'
import { session } from '#web/session/session-store.ts'
import { forgetExpectedRecharge, forgetWaiting } from '#web/parts/pixel/pixel.ts'

/**
 * Stores the answer. A player's is recorded on the server: a refusal counts at once and is recorded then, an agreement counts
 * only once it is recorded. What only players and failures need is loaded then.
 */
export async function choosePixel(choice: Choice, source: 'pixel-question' | 'consents-page'): Promise<void> {
  const isGiven = choice === 'granted'
  try {
    if (!isGiven) {
      answerConsent(choice)
      withdrawPixel()
    }
    if (session.get().user) {
      const { recordPixelConsent } = await import('#web/parts/consents/record-consent.ts')
      await recordPixelConsent(isGiven, source)
    }
    if (isGiven) answerConsent(choice)
  } catch (error) {
    const { reportFailure } = await import('#web/parts/outcomes/report-outcome.ts')
    reportFailure(error)
  }
}

/** The pixel was refused: nothing more is reported from this browser, and the pixel's cookies are removed. */
export function withdrawPixel(): void {
  const { fbq } = globalThis as { fbq?: (...call: unknown[]) => void }
  fbq?.('consent', 'revoke')
  forgetWaiting()
  forgetExpectedRecharge()
  const host = location.hostname.split('.')
  const domains = ['', ...host.map((_part, index) => `; Domain=${host.slice(index).join('.')}`)]
  for (const name of ['_fbp', '_fbc']) {
    for (const domain of domains) document.cookie = `${name}=; Max-Age=0; Path=/${domain}`
  }
}
