import type { RequestListener, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

export const json = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const page = (status: number): RequestListener => {
  const html = '<html><body>It works!</body></html>'
  return (_request, response) => response.writeHead(status, { 'content-type': 'text/html' }).end(html)
}
const says = (status: number, body: unknown): RequestListener => {
  return (_request, response) => json(response, status, body)
}
const bytes = (body: string | Buffer, type = 'application/json', encoding?: string): RequestListener => {
  const headers = { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) }
  return (_request, response) => response.writeHead(200, headers).end(body)
}

/**
 * What may stand at the address of a game without being one, or be one that is broken. `words` are an answer of the
 * contract, which counts with 200 and as JSON only.
 */
export const oddAnswers = (words: object): [name: string, RequestListener][] => [
  ['404 of a bare proxy', page(404)],
  ['404 with JSON', says(404, { error: 'no-such-call' })],
  ['404 with the words of the contract', says(404, words)],
  ['410', page(410)],
  ['200 with HTML', page(200)],
  ['200 with HTML around the words of the contract', bytes(JSON.stringify(words), 'text/html')],
  ['200 with plain text', bytes(JSON.stringify(words), 'text/plain')],
  ['200 with {}', says(200, {})],
  ['200 with null', says(200, null)],
  ['200 with an empty body', bytes('')],
  ['201 with the words of the contract', says(201, words)],
  ['204', (_request, response) => void response.writeHead(204).end()],
  ['another program’s health', says(200, { status: 'ok' })],
  ['a word that is nearly one of the contract', says(200, { status: 'APPLIED' })],
  ['malformed JSON', bytes(JSON.stringify(words).slice(0, -1))],
  ['two JSON values', bytes(`${JSON.stringify(words)}{}`)],
  ['a huge body', bytes(JSON.stringify({ ...words, more: 'x'.repeat(2 * 1024 * 1024) }))],
  [
    'a redirect',
    (request, response) => void response.writeHead(302, { location: `/moved${request.url}` }).end(),
  ],
  ['302 with the words of the contract', says(302, words)],
  ['203 with the words of the contract', says(203, words)],
  ['206 with the words of the contract', says(206, words)],
  ['the words of the contract in a list', says(200, [words])],
  ['the words of the contract in a text', says(200, JSON.stringify(words))],
  [
    'values of other types',
    says(200, Object.fromEntries(Object.entries(words).map(([key, value]) => [key, [value]]))),
  ],
  ['another kind of JSON', bytes(JSON.stringify(words), 'application/problem+json')],
  ['UTF-16', bytes(Buffer.from(JSON.stringify(words), 'utf16le'))],
  ['gzip that is none', bytes(JSON.stringify(words), 'application/json', 'gzip')],
  ['compressed words that nobody asked for', bytes(gzipSync(JSON.stringify(words)), 'application/json')],
  ['401', says(401, { error: 'bad-signature' })],
  ['500', says(500, { error: 'broken' })],
  ['503', page(503)],
  ['no answer at all', () => {}],
  ['a closed connection', (request) => void request.socket.destroy()],
  [
    'half an answer',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
      response.write(JSON.stringify(words))
      void sleep(20).then(() => response.destroy())
    },
  ],
  [
    'an answer that never ends',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{')
    },
  ],
  [
    'an answer that drips',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const dripping = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(dripping))
    },
  ],
]
