import { createUseSend } from '#client/use-send.ts'
import { browserCall } from '#web/browser-call.ts'
import { reportAnswer, reportFailure, messagesOf } from '#web/parts/outcomes/report-outcome.ts'
import { createUseSendForm } from '#client/forms/use-send-form.ts'

export const useSend = createUseSend({ call: browserCall, reportAnswer, reportFailure })

export const useSendForm = createUseSendForm({ useSend, messagesOf, reportFailure })
