import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const listServers = endpoint({
  method: 'GET',
  path: '/servers',
  access: 'open',
  summary: 'The game servers a player can choose between.',
  answer: z.array(z.object({ id: z.string(), name: z.string() })),
})
