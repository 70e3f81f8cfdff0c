import * as z from 'zod/mini'
import { CLIENT_ERROR_KINDS, CLIENT_SITES } from '../client-errors.ts'
import { endpoint } from '../endpoint.ts'
import { idText, moment } from '../fields.ts'
import { actOnRow, listQuery, oneRow } from './fields.ts'
import { permitted } from './roles.ts'

export const CLIENT_ERROR_STATES = ['open', 'handled'] as const

export const clientErrorSchema = z.object({
  id: idText,
  site: z.enum(CLIENT_SITES),
  /** Empty for a build that is not kept any more. */
  release: z.string(),
  kind: z.enum(CLIENT_ERROR_KINDS),
  /** Empty in the row of those that have no row of their own: there were too many different ones in this release. */
  message: z.string(),
  /** The frames of the stack, first one first, as file, line and column: of the source where the build’s maps are kept. */
  places: z.array(z.string()),
  /** No release before it had it, or it was handled since. */
  is_new: z.boolean(),
  times: z.int(),
  pages: z.array(z.string()),
  engines: z.array(z.object({ engine: z.string(), times: z.int() })),
  first_seen: moment,
  last_seen: moment,
  handled_at: z.nullable(moment),
})

export type ClientErrorRow = z.output<typeof clientErrorSchema>

const PERMITTED = permitted('client-errors.handle')

export const operatorClientErrors = {
  list: endpoint('GET', '/operator/client-errors', PERMITTED, {
    summary: 'Errors that browsers met on both sites, those alike in one row.',
    query: listQuery(['last_seen', 'first_seen', 'times'], {
      state: z.optional(z.enum(CLIENT_ERROR_STATES)),
      site: z.optional(z.enum(CLIENT_SITES)),
      kind: z.optional(z.enum(CLIENT_ERROR_KINDS)),
      release: z.optional(z.string().check(z.maxLength(40))),
      is_new: z.optional(z.boolean()),
    }),
    answer: z.array(clientErrorSchema),
  }),
  get: endpoint('GET', '/operator/client-errors/{id}', PERMITTED, {
    summary: 'One error, as often as it was met.',
    ...oneRow(clientErrorSchema),
  }),
  handle: endpoint('POST', '/operator/client-errors/{id}/handle', PERMITTED, {
    summary: 'Ends the alarm about an error. A later release that has it again raises it again.',
    ...actOnRow(clientErrorSchema, 'CONFLICT'),
  }),
}
