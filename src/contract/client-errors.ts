import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const CLIENT_SITES = ['player', 'console'] as const

/**
 * Where an error was met: by no code at all (`script`, `promise`), by the boundary around a part of a page, which shows that
 * the part is missing, or on the way of lazy code.
 */
export const CLIENT_ERROR_KINDS = ['script', 'promise', 'part', 'code'] as const

export type ClientErrorKind = (typeof CLIENT_ERROR_KINDS)[number]

/** What a browser sends of each; longer ones are cut there. */
export const CLIENT_ERROR_LENGTHS = { message: 500, place: 1_000, engine: 300 } as const

/** Cut here too: what a browser reports is worth more than its length. */
const shortened = (max: number) => z.string().check(z.overwrite((text) => text.slice(0, max)))

export const reportClientError = endpoint('POST', '/client-errors', 'open', {
  summary:
    'An error that a browser met on one of the sites. Numbers, addresses and quoted texts are not stored.',
  body: z.object({
    site: z.enum(CLIENT_SITES, 'Không phải trang của cổng'),
    /** The build that the document belongs to: the hash in the name of its first script. */
    release: shortened(40),
    /** The address as the table of pages writes it. */
    page: shortened(200),
    message: shortened(CLIENT_ERROR_LENGTHS.message),
    /** File, line and column of the first frames in files of the site, one a line. */
    place: shortened(CLIENT_ERROR_LENGTHS.place),
    /** The name by which the browser calls itself. */
    engine: shortened(CLIENT_ERROR_LENGTHS.engine),
    kind: z._default(z.enum(CLIENT_ERROR_KINDS, 'Không rõ loại lỗi'), 'script'),
  }),
})
