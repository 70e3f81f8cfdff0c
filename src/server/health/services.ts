import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { openHttpGame, SILENT_SECONDS } from '#server/modules/game-bridge/index.ts'
import { tryMailServer } from '#server/modules/mail/index.ts'
import { openPayments, type BankList } from '#server/modules/payment-providers/index.ts'
import { openOutbound } from '#server/platform/http/outbound.ts'
import { withTimeout } from '#server/platform/values/clock.ts'
import { demoSecretsIn } from '#server/platform/process/environment.ts'
import { isLoopback, type Config } from '../config/config.ts'
import { failing, ok, proved, warning, type Finding } from './finding.ts'

const ASK_MS = 3_000

/** The other machines the portal works with, and what its own address shows players. */
export function examineServices(config: Config): Promise<Finding[]> {
  return Promise.all([
    proved('game', () => examineGame(config)),
    ...examinePayments(config),
    examineSms(config),
    proved('mail', () => examineMail(config)),
    examineAddress(config),
    examineProxy(config),
    ...(config.alarmWebhook === null ? [] : [examineAlarmWebhook(config.alarmWebhook.url)]),
  ])
}

async function examineGame({ gameServer, isDemo }: Config): Promise<Finding> {
  if (gameServer === null) {
    const text = 'the embedded game; its characters are invented'
    return isDemo ? ok('game', text) : warning('game', `${text}: set GAME_SERVER_URL for the real game`)
  }
  try {
    const game = openHttpGame({ ...gameServer, callTimeoutMs: ASK_MS })
    // The portal never sent a delivery of this id: the answer of a game that obeys the contract also proves the secret.
    const collection = await withTimeout(ASK_MS, game.collection?.(randomUUID()) ?? Promise.resolve(null))
    const described = await withTimeout(
      ASK_MS,
      game.describeGame?.({ accountsUntil: null }) ?? Promise.resolve(null),
    )
    return examineCollector(`the game server at ${gameServer.url} answers`, {
      isTold: collection !== null,
      seenAt: described && (described.collectorSeenAt?.getTime() ?? 0),
      hasCharges: described?.charges === true,
      halfLockSeenAt: described?.half_lock_seen_at ?? null,
    })
  } catch (error) {
    throw new Error(
      `the game server at ${gameServer.url} is not usable (${(error as Error).message}): ` +
        'start it, or correct GAME_SERVER_URL and GAME_SERVER_SECRET',
      { cause: error },
    )
  }
}

const DAY_MS = 86_400_000

/** What the game says of what collects in it; `seenAt` in milliseconds, null where it does not say it. */
type Collector = {
  isTold: boolean
  seenAt: number | null
  hasCharges: boolean
  halfLockSeenAt: string | null
}

function examineCollector(
  answers: string,
  { isTold, seenAt, hasCharges, halfLockSeenAt }: Collector,
): Finding {
  if (halfLockSeenAt !== null && Date.now() - Date.parse(halfLockSeenAt) < DAY_MS)
    return warning(
      'game',
      `${answers}, but changes characters without its lock, last at ${halfLockSeenAt}, and may lose what they have: its log says what (docs/runbooks/connect-a-game.md, The lock)`,
    )
  if (!isTold || seenAt === null) return ok('game', `${answers}; it does not tell when goods are collected`)
  const seconds = Math.max(0, Math.round((Date.now() - seenAt) / 1_000))
  if (seconds <= SILENT_SECONDS)
    return ok(
      'game',
      `${answers}; its collector gave a sign of life ${seconds} s ago; it takes ${hasCharges ? '' : 'no '}fees of tournaments`,
    )
  const last = seenAt === 0 ? 'never gave a sign of life' : `gave its last sign of life ${seconds} s ago`
  return warning(
    'game',
    `${answers}, but its collector ${last}: goods reach no character until it runs (docs/runbooks/deliveries.md)`,
  )
}

function examinePayments({ payments: configured, publicUrl }: Config): Finding[] {
  const payments = openPayments(configured)
  const open = payments.webhooks.filter(({ reader }) => reader !== null)
  const findings = configured.map(({ vendor }) => {
    const isHere = ({ provider }: { provider: string }) => provider === vendor.name
    const abilities = [
      open.some(isHere)
        ? `webhook open at ${publicUrl}/api/webhooks/${vendor.name}`
        : `webhook closed (docs/configuration.md: ${demoSecretsIn(vendor.env.shape).join(', ')})`,
      vendor.openList && `list ${payments.lists.some(isHere) ? 'read' : 'not read'}`,
      vendor.openCheckout &&
        `checkout ${payments.checkouts.some((client) => isHere(client) && client.channels.length > 0) ? 'open' : 'closed'}`,
    ]
    return ok(vendor.name, abilities.filter(Boolean).join(', '))
  })
  if (open.length > 0) return findings
  const missing = 'every webhook is closed, no transfer is credited at once: set the secrets of one provider'
  return [...findings, warning('payments', missing)]
}

/** Queries each provider whose list is read for a moment of an account that nobody has: a right token gets an empty list. */
export function examineTokens({ payments }: Config): Promise<Finding[]> {
  const lists = openPayments(payments, { paceMs: 0 }).lists
  return Promise.all(lists.map((list) => examineToken(list)))
}

async function examineToken({ provider, pull }: BankList): Promise<Finding> {
  const name = `${provider} list`
  try {
    const now = new Date()
    await withTimeout(ASK_MS, pull({ accountNumber: '0', from: now, to: now }))
    return ok(name, 'its token is accepted')
  } catch (error) {
    return failing(
      name,
      `${provider} gives no list of transactions (${(error as Error).message}): correct its token, or try again later`,
    )
  }
}

function examineSms({ sms }: Config): Finding {
  return sms === null
    ? warning('sms', 'closed, no player gets a one-time code: set SMS_MO_SECRET')
    : ok('sms', 'messages from phones are accepted')
}

async function examineMail({ smtp, dataDir, isDemo }: Config): Promise<Finding> {
  if (smtp === null) {
    const text = `mails are written to files in ${dataDir}/mail`
    return isDemo
      ? ok('mail', text)
      : warning('mail', `${text} that no player reads: set SMTP_URL and MAIL_FROM`)
  }
  const server = `the mail server ${smtp.host}:${smtp.port}`
  try {
    await withTimeout(ASK_MS, tryMailServer(smtp, ASK_MS))
    return ok('mail', `${server} accepts the portal`)
  } catch (error) {
    throw new Error(
      `${server} is not usable (${(error as Error).message}): start it, or correct address, name and password in SMTP_URL`,
      { cause: error },
    )
  }
}

/** Only whether somebody is there: a message would ring. */
async function examineAlarmWebhook(url: string): Promise<Finding> {
  const { protocol, hostname, port, host } = new URL(url)
  const place = {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
  }
  const socket = connect(place)
  try {
    await withTimeout(ASK_MS, once(socket, 'connect'))
    return ok('alarms', `sent to ${host}, which accepts connections`)
  } catch (error) {
    return warning(
      'alarms',
      `${host} does not answer (${(error as Error).message}), so nobody is told of alarms: start it, or correct ALARM_WEBHOOK_URL`,
    )
  } finally {
    socket.destroy()
  }
}

function examineAddress({ publicUrl, isDemo }: Config): Finding {
  const { protocol, hostname } = new URL(publicUrl)
  const text = `players open ${publicUrl}`
  if (isDemo) return ok('address', text)
  if (isLoopback(hostname)) {
    return failing(
      'address',
      `${text}, which only this machine can: set PUBLIC_URL to the address players type`,
    )
  }
  if (protocol === 'https:') return ok('address', text)
  return warning(
    'address',
    `${text}, and passwords cross the network in clear: put TLS before it, PUBLIC_URL=https://…`,
  )
}

function examineProxy({ trustProxy, publicUrl }: Config): Finding {
  if (trustProxy.some((address) => address.endsWith('/0'))) {
    return failing(
      'proxy',
      'TRUST_PROXY trusts every address, so that anybody chooses the address they are seen with: give those of the proxies',
    )
  }
  if (trustProxy.length > 0) return ok('proxy', `X-Forwarded-For counts from ${trustProxy.join(', ')}`)
  if (!publicUrl.startsWith('https:')) return ok('proxy', 'none')
  return warning(
    'proxy',
    'none, though PUBLIC_URL is https: set TRUST_PROXY, else all players share one address',
  )
}

/** Sends the collector no spans at all. One that is away costs the portal nothing but its traces: no error. */
export async function examineTraces({ tracing }: Config): Promise<Finding[]> {
  if (tracing === null) return []
  const { url, headers, sampler, ratio } = tracing
  const share = sampler.endsWith('ratio') ? `${sampler} ${ratio}` : sampler
  try {
    const { status } = await openOutbound([new URL(url).origin])({
      url,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-protobuf' },
      body: '',
      timeoutMs: ASK_MS,
    })
    if (status >= 200 && status < 300) return [ok('traces', `sent to ${url} (${share})`)]
    return [notTaken(url, `it answers ${status}`)]
  } catch (error) {
    return [notTaken(url, (error as Error).message)]
  }
}

const notTaken = (url: string, why: string) =>
  warning(
    'traces',
    `${url} takes none (${why}), they are dropped: start the collector, or correct OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS`,
  )
