import { createServer } from 'node:http'
import type { BareAnswer } from './bare-server.ts'

/** The program of `startBare`: it says its port when it listens. */
let answers: Record<string, BareAnswer> = {}

const server = createServer((request, response) => {
  const answer = answers[request.url ?? '']
  if (answer === undefined) return response.writeHead(404, { 'content-length': '0' }).end()
  response.writeHead(answer.status, answer.headers).end(answer.body)
})

process.on('message', (wanted: Record<string, BareAnswer>) => {
  answers = wanted
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
})
// Whoever measures is gone.
process.on('disconnect', () => process.exit(0))
