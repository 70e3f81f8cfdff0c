import { createUseSend } from '#client/use-send.ts'
import { browserCall } from '#web/browser-call.ts'
import { reportAnswer, reportFailure } from '#web/parts/outcomes/report-outcome.ts'

export const useSend = createUseSend({ call: browserCall, reportAnswer, reportFailure })
