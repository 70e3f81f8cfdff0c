import { serverNow } from '#client/server-clock.ts'
import { PIXEL_QUESTION_VERSION } from '#contract/pages.ts'
import { readStored, writeStored } from '#web/browser-storage.ts'
import { createStore, useStore } from '#client/store.ts'

export type Choice = 'granted' | 'denied'

/** A visitor's stored answer. A new version of the question is shown to everybody again. */
type Consent = { version: number; time: string; choice: Choice }

type ConsentState = {
  /** `unknown` until the browser's storage was read, `open` when there is no answer there. */
  choice: Choice | 'unknown' | 'open'
  /** True while the question is shown again to a visitor who has answered it. */
  isAsked: boolean
}

const STORAGE_KEY = 'pixel-consent'

const consentStore = createStore<ConsentState>({ choice: 'unknown', isAsked: false })

export const useConsent = () => useStore(consentStore)

export const isGranted = () => consentStore.get().choice === 'granted'

/** Reads the answer of an earlier visit; called once, by the browser's entry. */
export function resumeConsent(): void {
  consentStore.set({ choice: readChoice() ?? 'open', isAsked: false })
}

export function reopenQuestion(): void {
  consentStore.set({ ...consentStore.get(), isAsked: true })
}

export function closeQuestion(): void {
  consentStore.set({ ...consentStore.get(), isAsked: false })
}

export function answerConsent(choice: Choice): void {
  const consent: Consent = {
    version: PIXEL_QUESTION_VERSION,
    time: new Date(serverNow()).toISOString(),
    choice,
  }
  // Without storage the answer holds for this document, and the next one shows the question again.
  writeStored(STORAGE_KEY, JSON.stringify(consent))
  consentStore.set({ choice, isAsked: false })
}

function readChoice(): Choice | null {
  const { version, choice } = readStored<Consent>(STORAGE_KEY)
  return version === PIXEL_QUESTION_VERSION && (choice === 'granted' || choice === 'denied') ? choice : null
}
