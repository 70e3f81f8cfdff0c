import { createServer } from 'node:http'

/**
 * The yardstick of pages: nothing but `node:http`, one constant answer. `node bare-server.ts <address>` takes bytes and
 * headers from a page there, and prints its own port.
 */
const asked = await fetch(process.argv[2] ?? '', { headers: { 'accept-encoding': 'identity' } })
const body = Buffer.alloc(Number(process.argv[3]), Buffer.from(await asked.arrayBuffer()))
const headers = [...asked.headers]
  .filter(([name]) => !['date', 'connection', 'keep-alive', 'content-length'].includes(name))
  .concat([['content-length', String(body.length)]])
  .flat()

const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') console.log(address?.port)
})
