import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { idText, moment } from '../../fields.ts'
import { CASE_KINDS, CASE_STATES, CASE_TEXT_MAX, caseText } from '../../help/case-forms.ts'
import { caseAbout, casePictureParams } from '../../help/cases.ts'
import {
  actOnRow,
  growingListQuery,
  idFilter,
  listQuery,
  newRow,
  oneRow,
  onRow,
  person,
  reason,
  title,
} from '../fields.ts'
import { permitted } from '../roles.ts'
import { shownName } from '../../shown-name.ts'

const caseRowShape = {
  id: idText,
  /** Null when a visitor asks. */
  user_id: z.nullable(idText),
  username: z.nullable(z.string()),
  /** Who asks without signing in, and the phone or address that they proved, masked. */
  visitor: z.nullable(z.object({ channel: z.enum(['phone', 'email']), contact: z.string() })),
  about: caseAbout,
  state: z.enum(CASE_STATES),
  assigned_to: z.nullable(person),
  /** Of both sides. */
  messages: z.number(),
  created_at: moment,
  last_message_at: moment,
  /** From the report to the first answer; null before it. */
  first_answer_seconds: z.nullable(z.number()),
  closed_at: z.nullable(moment),
}

export const operatorCaseSchema = z.object(caseRowShape)

const operatorMessageSchema = z.object({
  id: idText,
  /** Null for a visitor. */
  author: z.nullable(person),
  is_staff: z.boolean(),
  text: z.string(),
  pictures: z.array(idText),
  created_at: moment,
})

export const operatorCaseDetailSchema = z.extend(operatorCaseSchema, {
  thread: z.array(operatorMessageSchema),
  /** Of a visitor: accounts that have the phone or address, perhaps theirs; the visitor is not told. */
  guesses: z.array(z.extend(person, { is_proved: z.boolean() })),
})

export type OperatorCase = z.output<typeof operatorCaseSchema>
export type OperatorCaseDetail = z.output<typeof operatorCaseDetailSchema>

/** What an act leaves; nothing of the player, since it is stored for repeated keys. */
const actedSchema = z.object({ id: idText, state: z.enum(CASE_STATES), assigned_to: z.nullable(person) })

export type ActedCase = z.output<typeof actedSchema>

const READERS = permitted('cases.read')
const ANSWERERS = permitted('cases.answer')

export const OPERATOR_CASE_PICTURE_PATH = '/operator/cases/{id}/pictures/{picture}'

export const operatorCases = {
  list: endpoint('GET', '/operator/cases', READERS, {
    summary:
      'What players reported. `assigned_to` takes an operator’s id, or `nobody`. At most 10,000 are counted.',
    query: growingListQuery(['id'], {
      state: z.optional(z.enum(CASE_STATES)),
      about_kind: z.optional(z.enum(CASE_KINDS)),
      assigned_to: z.optional(z.union([z.literal('nobody'), idFilter])),
      user_id: z.optional(idFilter),
      is_visitor: z.optional(z.boolean()),
    }),
    answer: z.array(operatorCaseSchema),
  }),
  get: endpoint('GET', '/operator/cases/{id}', READERS, {
    summary: 'One case with its messages.',
    ...oneRow(operatorCaseDetailSchema),
  }),
  picture: endpoint('GET', OPERATOR_CASE_PICTURE_PATH, READERS, {
    summary: 'A picture that a player sent with a case.',
    params: casePictureParams,
    file: 'image/jpeg',
    errors: ['NOT_FOUND'],
  }),
  answer: endpoint('POST', '/operator/cases/{id}/messages', ANSWERERS, {
    // No answer: answers are stored for repeated keys, and the text is to stand in the message alone.
    summary: 'Answers the player, who is told by bell and mail. Takes a case that nobody has.',
    body: z.object({ text: caseText }),
    ...onRow('CONFLICT', 'LIMIT_EXCEEDED'),
  }),
  assign: endpoint('POST', '/operator/cases/{id}/assign', ANSWERERS, {
    summary: 'Gives a case to an operator who may answer it, or to nobody (null).',
    body: z.object({
      username: z.nullable(z.string().check(z.trim(), z.maxLength(20, 'Tối đa 20 ký tự'))),
      reason,
    }),
    answer: actedSchema,
    ...onRow(),
  }),
  close: endpoint('POST', '/operator/cases/{id}/close', ANSWERERS, {
    summary: 'Closes a case. The player is told, and cannot write in it any more.',
    ...actOnRow(actedSchema, 'CONFLICT'),
  }),
  reopen: endpoint('POST', '/operator/cases/{id}/reopen', ANSWERERS, {
    summary: 'Opens a closed case again, unless another one about the same thing is open.',
    ...actOnRow(actedSchema, 'CONFLICT'),
  }),
}

export const ANSWER_TEMPLATES_MAX = 200

const templateShape = { title, text: caseText }

export const answerTemplateSchema = z.object({
  id: idText,
  title: shownName,
  text: z.string(),
  updated_at: moment,
})

export type AnswerTemplate = z.output<typeof answerTemplateSchema>

export const operatorAnswerTemplates = {
  list: endpoint('GET', '/operator/answer-templates', READERS, {
    summary: 'Texts that operators begin an answer with, by title.',
    query: listQuery(['title'], {}),
    answer: z.array(answerTemplateSchema),
  }),
  create: endpoint('POST', '/operator/answer-templates', ANSWERERS, {
    summary: `Adds an answer template; at most ${ANSWER_TEMPLATES_MAX}.`,
    body: z.object({ ...templateShape, reason }),
    ...newRow(answerTemplateSchema, 'CONFLICT'),
  }),
  update: endpoint('PUT', '/operator/answer-templates/{id}', ANSWERERS, {
    summary: `Changes an answer template of at most ${CASE_TEXT_MAX} characters.`,
    body: z.object({ ...templateShape, updated_at: moment, reason }),
    answer: answerTemplateSchema,
    ...onRow('CONFLICT'),
  }),
  remove: endpoint('DELETE', '/operator/answer-templates/{id}', ANSWERERS, {
    summary: 'Removes an answer template.',
    ...actOnRow(answerTemplateSchema),
  }),
}
