import { createServer } from 'node:http'

/**
 * Node's own server and nothing else: answers each path it was told of with the same status, headers and bytes as the
 * portal did. A process of its own; it says its port when it listens.
 */
export type Bare = { status: number; headers: Record<string, string>; body: Buffer }

let answers: Record<string, Bare> = {}

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const answer = answers[request.url ?? '']
    if (answer === undefined) return response.writeHead(404, { 'content-length': '0' }).end()
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
})

process.on('message', (told: Record<string, Bare>) => {
  answers = told
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port))
})
// Whoever measures is gone.
process.on('disconnect', () => process.exit(0))
