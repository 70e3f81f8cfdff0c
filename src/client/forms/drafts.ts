import { serverNow } from '../server-clock.ts'
import type { Values } from './form-rules.ts'

/** Long enough for who closed a form by mistake; whoever uses the device next begins with an empty one. */
const DRAFT_MS = 5 * 60_000

/** What was typed into forms that were closed without being sent. */
const drafts = new Map<string, { values: Values; at_ms: number }>()

export const keepDraft = (key: string, values: Values) => drafts.set(key, { values, at_ms: serverNow() })

export function draftOf(key: string): Values | undefined {
  const draft = drafts.get(key)
  return draft && serverNow() - draft.at_ms < DRAFT_MS ? draft.values : undefined
}

export const forgetDraft = ({ draft }: { draft?: { key: string } }) => draft && drafts.delete(draft.key)

/** When another player has signed in, or this one out. */
export const forgetDrafts = () => drafts.clear()
