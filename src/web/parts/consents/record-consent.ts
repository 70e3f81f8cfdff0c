import { type Consent, giveConsent } from '#contract/legal.ts'
import { PIXEL_QUESTION_VERSION } from '#contract/pages.ts'
import type { User } from '#contract/users.ts'
import { browserCall } from '#web/browser-call.ts'
import { patchUser, session } from '#web/session/session-store.ts'

type Source = Exclude<Consent['source'], 'registration' | 'profile' | 'notices-page'>

export async function recordPixelConsent(given: boolean, source: Source): Promise<void> {
  await browserCall(giveConsent, {
    body: { subject: 'pixel', version: PIXEL_QUESTION_VERSION, given, source },
  })
  patchUser({ pixel_consent: given })
}

/** The player agrees to a version of a text. */
export async function agreeToText(
  { kind, version }: User['unread_texts'][number],
  source: Source,
): Promise<void> {
  await browserCall(giveConsent, { body: { subject: kind, version, given: true, source } })
  const unread = session.get().user?.unread_texts ?? []
  patchUser({ unread_texts: unread.filter((text) => text.kind !== kind) })
}
