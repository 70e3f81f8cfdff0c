import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { byId, idText, moment } from '../fields.ts'
import { loginBody } from '../accounts/auth.ts'
import { secondFactorCode } from '../accounts/one-time-codes.ts'
import { PERMISSIONS, ROLES } from './roles.ts'
import { storable } from './fields.ts'
import { givenTitle } from '../names.ts'
import { shownName } from '../shown-name.ts'

export const stepUpCall = endpoint('POST', '/operator/step-up', 'console', {
  summary:
    'Proves the second factor again, for the acts of the next five minutes that require it. Unlocks a session that was idle for too long.',
  body: z.object({ otp: secondFactorCode }),
  answer: z.object({ until: moment }),
  errors: ['OTP_INVALID'],
})

/** Minutes without a call after which a console session is locked until a code of the second factor is entered. */
export const CONSOLE_IDLE_MINUTES = 30

export const operatorSession = {
  open: endpoint('POST', '/operator/session', 'open', {
    summary:
      'Opens a session of the operator console: password and second factor, for holders of a role. It lasts 12 hours, makes operator calls only, and is locked after 30 minutes without a call.',
    body: z.extend(loginBody, {
      /** Of the link of an invitation: whoever signs in by it gets its role. */
      invite: z.optional(z.string().check(z.maxLength(100, 'Đường dẫn mời không hợp lệ'))),
    }),
    answer: z.object({ access_token: z.string() }),
    status: 201,
    errors: [
      'INVALID_CREDENTIALS',
      'BANNED',
      'SECOND_FACTOR_REQUIRED',
      'OTP_INVALID',
      'TOKEN_INVALID',
      'CONFLICT',
      'UNAVAILABLE',
    ],
  }),
  close: endpoint('DELETE', '/operator/session', 'console', {
    summary: 'Ends the console session the call was made with.',
  }),
  me: endpoint('GET', '/operator/me', 'operator', {
    summary: 'Who is signed in to the console, what they may do, and until when their last step-up is valid.',
    answer: z.object({
      id: idText,
      username: z.string(),
      roles: z.array(z.enum(ROLES)),
      permissions: z.array(z.enum(PERMISSIONS)),
      step_up_until: z.nullable(moment),
    }),
  }),
}

/** How many one operator saves for one list. */
export const SAVED_FILTERS_MAX = 20

export const SAVED_NAME_MAX = 40

/** A list by the address of its call behind `/operator/`. */
const list = z.string().check(z.regex(/^[a-z-]{1,40}$/, 'Danh sách không hợp lệ'))

const name = givenTitle('tên', { max: SAVED_NAME_MAX })

/** As the list's query has them; its own schema validates them. */
const query = z.object({
  sort: z.string().check(z.maxLength(100), storable),
  filter: z.string().check(z.maxLength(5_000), storable),
})

export const savedFilterSchema = z.object({
  id: idText,
  name: shownName,
  query,
  /** False: the list does not take this filter or this sorting any more. */
  is_valid: z.boolean(),
})

export type SavedFilter = z.output<typeof savedFilterSchema>

export const savedFilters = {
  list: endpoint('GET', '/operator/saved-filters', 'operator', {
    summary: 'What the caller saved for a list, by name; at most 20.',
    query: z.object({ list }),
    answer: z.array(savedFilterSchema),
    errors: ['NOT_FOUND'],
  }),
  save: endpoint('POST', '/operator/saved-filters', 'operator', {
    summary: 'Saves filter and sorting of a list under a name, for the caller alone.',
    body: z.object({ list, name, query }),
    answer: savedFilterSchema,
    status: 201,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  rename: endpoint('PUT', '/operator/saved-filters/{id}', 'operator', {
    summary: 'Gives one of the caller’s saved filters another name.',
    params: byId,
    body: z.object({ name }),
    errors: ['NOT_FOUND'],
  }),
  remove: endpoint('DELETE', '/operator/saved-filters/{id}', 'operator', {
    summary: 'Removes one of the caller’s saved filters.',
    params: byId,
    errors: ['NOT_FOUND'],
  }),
}
