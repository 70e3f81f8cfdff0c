import { CallError } from '#client/call.ts'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { showToast } from '#admin/kit/toast-store.ts'

/** What to read out of a refusal: the first message of each field, else its own sentence. */
export function messagesOf(error: unknown): string[] {
  if (!(error instanceof CallError) || error.body === null) return [kitCopy.failure]
  const fields = Object.values(error.body.errors ?? {}).flatMap(([first]) => (first ? [first] : []))
  return fields.length > 0 ? [...new Set(fields)] : [error.body.message || kitCopy.failure]
}

export function reportFailure(error: unknown): void {
  showToast(messagesOf(error).join(' '), { isFailure: true })
}

/** An act that waits for a second person says so; any other success is said in a word. */
export function reportAnswer(answer: unknown): void {
  const isWaiting =
    typeof answer === 'object' &&
    answer !== null &&
    ('proposals' in answer || ('proposal' in answer && answer.proposal))
  showToast(isWaiting ? kitCopy.waiting : kitCopy.success)
}
