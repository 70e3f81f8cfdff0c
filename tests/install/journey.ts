import { readFile } from 'node:fs/promises'
import { request as httpsRequest } from 'node:https'
import { text as textOf } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { startMailServer } from '#tests/support/mail-server.ts'
import {
  answerOf,
  Client,
  contentOf,
  headersOf,
  methodOf,
  type Answer,
  type Request,
} from '../harness/client.ts'
import { seeded } from '../harness/numbers.ts'
import { enter, exchange, logIn, post, type Context } from '../harness/players.ts'

// Run by `npm run install-check` on the network of the machine that it installs: as players and operators come, through nginx
// alone, with TLS.

const MAIL_PORT = 2525
const WAIT_MS = 60_000

type Host = { name: string; ca: string }

/** A request to nginx at this name. */
async function ask({ name, ca }: Host, request: Request): Promise<Answer> {
  const began = performance.now()
  const content = contentOf(request)
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const sent = httpsRequest(
    {
      host: '127.0.0.1',
      port: 443,
      servername: name,
      ca,
      method: methodOf(request),
      path: request.path,
      headers: { host: name, ...headersOf(request) },
      agent: false,
      timeout: 15_000,
    },
    (response) => {
      const { statusCode: status = 0, headers } = response
      textOf(response).then((text) => resolve(answerOf({ status, text, headers }, began)), reject)
    },
  )
  sent.on('timeout', () => sent.destroy(new Error('no answer')))
  sent.on('error', reject)
  sent.end(content)
  return promise
}

const { values, positionals } = parseArgs({
  options: {
    site: { type: 'string', default: '' },
    console: { type: 'string', default: '' },
    certificate: { type: 'string', default: '' },
    'console-certificate': { type: 'string', default: '' },
    name: { type: 'string', default: '' },
  },
  allowPositionals: true,
})
const site: Host = { name: values.site, ca: await readFile(values.certificate, 'utf8') }
const context: Context = { client: new Client((request) => ask(site, request)), confirmed: [] }

/** A player registers, recharges by the bank's notice, is activated, exchanges and gets a mail. */
async function purchase(): Promise<void> {
  const mail = await startMailServer(MAIL_PORT)
  try {
    const player = await enter(context, values.name, seeded(Date.now() % 100_000))
    await exchange(context, player, seeded(1))
    const bought = context.confirmed.find(({ act }) => act === 'exchange')
    if (bought?.act !== 'exchange') throw new Error('the exchange was refused')
    await until('the purchase is delivered', async () => {
      const { body } = await ask(site, {
        path: `/api/user/deliveries/${bought.deliveryId}`,
        token: player.token,
      })
      return body?.status === 'delivered'
    })
    const address = `${values.name}@thn.test`
    const asked = await post(context.client, player, '/api/email/send-otp', { email: address })
    if (asked.status !== 200) throw new Error(`no mail was asked for: ${asked.text}`)
    await until('the mail arrives', async () => mail.to(address).length > 0)
    console.log(
      `    ${player.username} registered, recharged, bought luong, and got “${mail.to(address)[0]?.subject}”`,
    )
  } finally {
    await mail.close()
  }
}

/** The console is at its own host alone, and players' pages at the other alone. */
async function consoleHost(): Promise<void> {
  const own: Host = { name: values.console, ca: await readFile(values['console-certificate'], 'utf8') }
  const expected: [Host, string, number][] = [
    [own, '/admin', 200],
    [own, '/api/operator/alarms', 401],
    [own, '/', 302],
    [own, '/home', 404],
    [own, '/tournaments', 404],
    [site, '/home', 200],
    [site, '/admin', 404],
    [site, '/api/operator/alarms', 404],
  ]
  for (const [host, path, status] of expected) {
    const answer = await ask(host, { path })
    if (answer.status !== status)
      throw new Error(
        `https://${host.name}${path} answered ${answer.status}, not ${status}: ${answer.text.slice(0, 200)}`,
      )
  }
  console.log(`    ${expected.length} addresses answer at the host that they belong to, and at no other`)
}

/** A visitor and a player who signs in, again and again until the input ends; counts what is not answered as it should be. */
async function load(): Promise<void> {
  const over = new AbortController()
  process.stdin.on('end', () => over.abort()).resume()
  const { access_token: token } = (await logIn(context.client, { username: values.name, address: '' }))
    .body as { access_token: string }
  const failures = new Map<string, number>()
  let answered = 0
  const again = async (request: Request) => {
    while (!over.signal.aborted) {
      const answer = await ask(site, request).catch((error: Error) => error)
      const status = answer instanceof Error ? answer.message : answer.status
      if (status === 200) answered++
      else failures.set(`${request.path}: ${status}`, (failures.get(`${request.path}: ${status}`) ?? 0) + 1)
      await sleep(100)
    }
  }
  // The database is asked for the session and the purchases each time.
  const own = { path: '/api/user/deliveries', token }
  await Promise.all([again(own), again(own), again({ path: '/home' })])
  const seen = [...failures].map(([what, count]) => `${what} × ${count}`)
  if (seen.length > 0) throw new Error(`beside ${answered} answers failed ${seen.join('; ')}`)
  console.log(`    ${answered} requests meanwhile, none failed`)
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(200)) if (await isTrue()) return
  throw new Error(`${what}: not within ${WAIT_MS / 1_000} s`)
}

await { purchase, consoleHost, load }[positionals[0] as 'purchase' | 'consoleHost' | 'load']()
