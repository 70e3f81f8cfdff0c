import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { SECRET } from './game.ts'

export type AskedLogin = { server_id: string; account: string; password: string; address: string }

/** How the next calls are answered. */
type Answering = (asked: AskedLogin, response: ServerResponse) => void

export type FakePortal = {
  url: string
  /** Correctly signed logins so far. */
  asked: AskedLogin[]
  /** Calls with a wrong signature or time, which get 401. */
  refused: number
  /** Calls without an account, which the portal answers with 422. */
  probes: number
  /** The usual answer: `ok` for this password, `wrong` for others. */
  acceptPassword(password: string): void
  answer(body: object | string, status?: number): void
  answerBy(answering: Answering): void
  /** Nobody listens any more; what is open is closed. */
  goAway(): Promise<void>
  comeBack(): Promise<void>
  close(): Promise<void>
}

const PATH = '/api/game/logins'
const SECONDS_MAX = 300

/** The portal's side of `POST /api/game/logins`, without a portal. */
export async function startFakePortal(): Promise<FakePortal> {
  const asked: AskedLogin[] = []
  let answering: Answering = () => {}
  const self = {
    url: '',
    asked,
    refused: 0,
    probes: 0,
    acceptPassword(password: string) {
      self.answerBy((login, response) =>
        send(
          response,
          200,
          login.password === password ? { status: 'ok', account: login.account } : { status: 'wrong' },
        ),
      )
    },
    answer: (body: object | string, status = 200) =>
      self.answerBy((_, response) => send(response, status, body)),
    answerBy(next: Answering) {
      answering = next
    },
    async goAway() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
    async comeBack() {
      server.listen(Number(new URL(self.url).port), '127.0.0.1')
      await once(server, 'listening')
    },
    close: () => (server.listening ? self.goAway() : Promise.resolve()),
  }
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      if (!isSigned(request, body)) {
        self.refused++
        return send(response, 401, { message: 'bad signature' })
      }
      const login = JSON.parse(body) as AskedLogin
      if (login.account === '') {
        self.probes++
        return send(response, 422, { message: 'no account' })
      }
      asked.push(login)
      answering(login, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  self.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  return self
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function isSigned({ method, url, headers }: IncomingMessage, body: string): boolean {
  const [, t = '', v1 = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-portal-signature'])) ?? []
  const expected = createHmac('sha256', SECRET).update(`${t}.${method}.${PATH}.${body}`).digest('hex')
  const isInTime = Math.abs(Date.now() / 1_000 - Number(t)) <= SECONDS_MAX
  return (
    url === PATH && isInTime && v1.length === 64 && timingSafeEqual(Buffer.from(v1), Buffer.from(expected))
  )
}

function send(response: ServerResponse, status: number, body: object | string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
