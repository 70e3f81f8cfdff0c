import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { byId, idText } from '../envelope.ts'
import { filledText } from '../fields.ts'
import { storable } from './act-fields.ts'

/** How many one operator saves for one list. */
export const SAVED_FILTERS_MAX = 20

export const SAVED_NAME_MAX = 40

/** A list by the address of its call behind `/operator/`. */
const list = z.string().check(z.regex(/^[a-z-]{1,40}$/, 'Danh sách không hợp lệ'))

const name = filledText(z.maxLength(SAVED_NAME_MAX, `Tên tối đa ${SAVED_NAME_MAX} kí tự`), storable)

/** As the list's query has them; its own schema validates them. */
const query = z.object({
  sort: z.string().check(z.maxLength(100), storable),
  filter: z.string().check(z.maxLength(5_000), storable),
})

export const savedFilterSchema = z.object({
  id: idText,
  name: z.string(),
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
