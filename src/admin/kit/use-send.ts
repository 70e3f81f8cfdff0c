import { useQueryClient } from '@tanstack/react-query'
import { consoleCall } from '#admin/console-call.ts'
import { CallError } from '#client/call.ts'
import { createUseSendForm } from '#client/forms/use-send-form.ts'
import { createUseSend } from '#client/use-send.ts'
import { kitCopy } from './kit.copy.ts'
import { showToast } from '#client/toasts.tsx'

/** The messages of a refusal: the first message of each field, else its own. */
export function messagesOf(error: unknown): string[] {
  if (!(error instanceof CallError) || error.body === null) return [kitCopy.failure]
  const fields = Object.values(error.body.errors ?? {}).flatMap(([first]) => (first ? [first] : []))
  return fields.length > 0 ? [...new Set(fields)] : [error.body.message || kitCopy.failure]
}

/** Refused, since somebody else has changed the same meanwhile. */
export const isConflict = (error: unknown): error is CallError =>
  error instanceof CallError && error.body?.code === 'CONFLICT'

export function reportFailure(error: unknown): void {
  showToast(messagesOf(error).join(' '), { isFailure: true })
}

/** An approval while others are asked still. */
const isAgreement = (answer: unknown): boolean =>
  typeof answer === 'object' &&
  answer !== null &&
  'agreed_by' in answer &&
  'state' in answer &&
  answer.state === 'waiting'

/** Shows that an act succeeded, or that it waits for a second person. */
export function reportAnswer(answer: unknown): void {
  const isWaiting =
    typeof answer === 'object' &&
    answer !== null &&
    ('proposals' in answer || ('proposal' in answer && answer.proposal))
  showToast(isWaiting ? kitCopy.waiting : isAgreement(answer) ? kitCopy.agreed : kitCopy.success)
}

export const useSend = createUseSend({ call: consoleCall, reportAnswer, reportFailure })

/** After an act: everything shown is read again, since an act on one thing shows on several screens. */
export function useRefresh(): () => void {
  const client = useQueryClient()
  return () => void client.invalidateQueries()
}

export const useSendForm = createUseSendForm({ useSend, messagesOf, reportFailure })
