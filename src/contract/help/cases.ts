import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { byId, idText, moment, paged, pageQueryShape } from '../fields.ts'
import { aboutShape, CASE_KINDS, CASE_STATES, caseForms } from './case-forms.ts'
import { shownName } from '../shown-name.ts'

export const caseAbout = z.object({ kind: z.enum(CASE_KINDS), id: z.string(), title: shownName })

const messageSchema = z.object({
  id: idText,
  author: z.enum(['player', 'staff']),
  text: z.string(),
  /** The ids of its pictures. */
  pictures: z.array(idText),
  created_at: moment,
})

export const caseRowSchema = z.object({
  id: idText,
  about: caseAbout,
  state: z.enum(CASE_STATES),
  created_at: moment,
  last_message_at: moment,
})

export const caseSchema = z.extend(caseRowSchema, { messages: z.array(messageSchema) })

export type Case = z.output<typeof caseSchema>
export type CaseRow = z.output<typeof caseRowSchema>
export type CaseMessage = z.output<typeof messageSchema>

const REFUSALS = ['CONFLICT', 'LIMIT_EXCEEDED', 'PAYLOAD_TOO_LARGE', 'UNAVAILABLE'] as const

export const createCase = endpoint('POST', caseForms.create.path, 'user', {
  summary:
    'Reports a problem with a transaction, an order or a delivery of the player, or, without `about_id`, with account, sign-in, game, tournament or something else. A form (multipart), with up to four pictures. CONFLICT: a case about it is open already.',
  body: caseForms.create.body,
  form: caseForms.create.form,
  isIdempotent: true,
  answer: caseSchema,
  status: 201,
  errors: REFUSALS,
})

export const listCases = endpoint('GET', '/cases', 'user', {
  summary: 'What the player reported, the newest first.',
  query: z.object(pageQueryShape),
  answer: paged(caseRowSchema),
})

export const getCase = endpoint('GET', '/cases/{id}', 'user', {
  summary: 'One case of the player with its messages.',
  params: byId,
  answer: caseSchema,
  errors: ['NOT_FOUND'],
})

export const addCaseMessage = endpoint('POST', caseForms.add.path, 'user', {
  summary:
    'Writes to the operators about a case that is not closed. A form (multipart), with up to four pictures.',
  params: byId,
  body: caseForms.add.body,
  form: caseForms.add.form,
  isIdempotent: true,
  answer: caseSchema,
  status: 201,
  errors: ['NOT_FOUND', ...REFUSALS],
})

const pictureParams = z.object({ id: idText, picture: idText })

export const CASE_PICTURE_PATH = '/cases/{id}/pictures/{picture}'

export const getCasePicture = endpoint('GET', CASE_PICTURE_PATH, 'user', {
  summary: 'A picture that the player sent with a case.',
  params: pictureParams,
  file: 'image/jpeg',
  errors: ['NOT_FOUND'],
})

export { pictureParams as casePictureParams }

const suggestionSchema = z.object({
  question: z.string(),
  answer: z.string(),
  /** A page of the portal where the player can do something about it. */
  link: z.nullable(z.object({ label: z.string(), href: z.string() })),
})

export const prepareCase = endpoint('GET', '/cases/about', 'user', {
  summary:
    'What a report would be about: its title, answers to common questions by its present state, and the case about it that is not closed.',
  query: z.object(aboutShape),
  answer: z.object({
    title: shownName,
    answers: z.array(suggestionSchema),
    case_id: z.nullable(idText),
  }),
  errors: ['NOT_FOUND'],
})

export type Suggestion = z.output<typeof suggestionSchema>
export type PreparedCase = z.output<typeof prepareCase.answer & {}>
