import { createUseSendForm } from '#client/forms/use-send-form.ts'
import { messagesOf, reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { useSend } from '#web/parts/sending/use-send.ts'

export const useSendForm = createUseSendForm({ useSend, messagesOf, reportFailure })
