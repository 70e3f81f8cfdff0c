import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { shownName } from './shown-name.ts'

/**
 * What a browser may know of the settings: key → text (some texts are JSON). The names are the spec's (§3)
 * and those of the pages that read them; secrets and receiving accounts are never among them.
 */
export const getSettings = endpoint('GET', '/settings', 'open', {
  summary: 'The public settings.',
  answer: z.record(z.string(), z.string()),
})

export type PublicSettings = Record<string, string>

export const listServers = endpoint('GET', '/servers', 'open', {
  summary: 'The game servers a player can choose between.',
  answer: z.array(z.object({ id: z.string(), name: shownName })),
})
