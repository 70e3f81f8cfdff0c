import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { answerConsent, type Choice } from '#web/parts/pixel/consent.ts'
import { session } from '#web/session/session-store.ts'

/**
 * The answer of whoever is there. A player's is recorded: a refusal counts at once and is recorded then, an agreement counts
 * only once it is recorded. What only refusals and players need is fetched for them.
 */
export async function choosePixel(choice: Choice, source: 'pixel-question' | 'consents-page'): Promise<void> {
  const isGiven = choice === 'granted'
  try {
    if (!isGiven) {
      answerConsent(choice)
      const { withdrawPixel } = await import('#web/parts/pixel/withdraw-pixel.ts')
      withdrawPixel()
    }
    if (session.get().user) {
      const { recordPixelConsent } = await import('#web/parts/consents/record-consent.ts')
      await recordPixelConsent(isGiven, source)
    }
    if (isGiven) answerConsent(choice)
  } catch (error) {
    reportFailure(error)
  }
}
