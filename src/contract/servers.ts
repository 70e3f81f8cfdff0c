import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const listServers = endpoint('GET', '/servers', 'open', {
  summary: 'The game servers a player can choose between.',
  answer: z.array(z.object({ id: z.string(), name: z.string() })),
})
