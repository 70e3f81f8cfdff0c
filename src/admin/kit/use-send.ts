import { useQueryClient } from '@tanstack/react-query'
import { consoleCall } from '#admin/console-call.ts'
import { createUseSendForm } from '#client/forms/use-send-form.ts'
import { createUseSend } from '#client/use-send.ts'
import { messagesOf, reportAnswer, reportFailure } from './outcome.ts'

export const useSend = createUseSend({ call: consoleCall, reportAnswer, reportFailure })

/** After an act: everything shown is read again, since an act on one thing shows on several screens. */
export function useRefresh(): () => void {
  const client = useQueryClient()
  return () => void client.invalidateQueries()
}

export const useSendForm = createUseSendForm({ useSend, messagesOf, reportFailure })
