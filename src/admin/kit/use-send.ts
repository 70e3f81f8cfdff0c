import { useQueryClient } from '@tanstack/react-query'
import { createUseSend } from '#client/use-send.ts'
import { consoleCall } from '#admin/console-call.ts'
import { reportAnswer, reportFailure } from '#admin/kit/outcome.ts'

export const useSend = createUseSend({ call: consoleCall, reportAnswer, reportFailure })

/** After an act: everything shown is read again, since an act on one thing shows on several screens. */
export function useRefresh(): () => void {
  const client = useQueryClient()
  return () => void client.invalidateQueries()
}
