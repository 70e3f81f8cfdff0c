import { createUseSendForm } from '#client/forms/use-send-form.ts'
import { messagesOf, reportFailure } from '#admin/kit/outcome.ts'
import { useSend } from '#admin/kit/use-send.ts'

export const useSendForm = createUseSendForm({ useSend, messagesOf, reportFailure })
