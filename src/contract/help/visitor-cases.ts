import * as z from 'zod/mini'
import { oneTimeCode } from '../accounts/one-time-codes.ts'
import { endpoint } from '../endpoint.ts'
import { TOKEN_INVALID_MESSAGE } from '../errors.ts'
import { messageAnswer, phone, requiredEmail } from '../fields.ts'
import { caseText, TOPICS } from './case-forms.ts'
import { caseRowSchema, caseSchema } from './cases.ts'

/** Cases of one phone or address that wait for an answer at once. */
export const VISITOR_OPEN_CASES_MAX = 3

/** What opens a case again: it stands in its link, behind the mark that no server is sent. */
const token = z.string(TOKEN_INVALID_MESSAGE).check(z.maxLength(100))

const visitorCaseSchema = z.extend(caseSchema, { token: z.string() })

export type VisitorCase = z.output<typeof visitorCaseSchema>

/** A phone whose code was verified, or an address with the code that was mailed to it. */
const proofShape = { phone: z.nullish(phone), email: z.nullish(requiredEmail), code: oneTimeCode }

export const sendVisitorCode = endpoint('POST', '/help/send-otp', 'open', {
  summary: 'Mails a code to whoever asks for help without signing in. Reads no account.',
  body: z.object({ email: requiredEmail }),
  answer: messageAnswer,
})

export const createVisitorCase = endpoint('POST', '/help/cases', 'open', {
  summary:
    'Asks for help without signing in: about a topic, with a proved phone or address. The answer has the token that opens the case; an address is mailed its link.',
  body: z.object({ about_kind: z.enum(TOPICS, 'Hãy chọn điều cần báo'), text: caseText, ...proofShape }),
  answer: visitorCaseSchema,
  status: 201,
  errors: ['OTP_INVALID', 'LIMIT_EXCEEDED'],
})

export const listVisitorCases = endpoint('POST', '/help/cases/list', 'open', {
  summary:
    'The cases that were asked with a phone or address, for whoever proves it again; the newest first.',
  body: z.object(proofShape),
  answer: z.array(z.extend(caseRowSchema, { token: z.string() })),
  errors: ['OTP_INVALID'],
})

export const readVisitorCase = endpoint('POST', '/help/cases/read', 'open', {
  summary: 'One case of a visitor with its messages.',
  body: z.object({ token }),
  answer: visitorCaseSchema,
  errors: ['TOKEN_INVALID'],
})

export const addVisitorMessage = endpoint('POST', '/help/cases/messages', 'open', {
  summary: 'A visitor’s further message in a case that is not closed.',
  body: z.object({ token, text: caseText }),
  answer: visitorCaseSchema,
  status: 201,
  errors: ['TOKEN_INVALID', 'CONFLICT', 'LIMIT_EXCEEDED'],
})
