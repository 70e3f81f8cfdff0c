import { isLoopback, type Config } from '../config/config.ts'
import type { CERTIFICATE_PARTS } from '#server/domain/metrics.ts'
import { setGauges } from '#server/domain/metrics.ts'
import { hostsOf } from '#server/platform/db/writable-client.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Clock } from '#server/platform/values/clock.ts'
import { messageOf } from '#server/platform/values/errors.ts'
import { failing, ok, type Finding, warning } from './finding.ts'
import { type Certificate, readCertificate, type TlsPlace } from './read-certificate.ts'

type Part = (typeof CERTIFICATE_PARTS)[number]
/** A server whose certificate players or the portal check, and the variable that names it. */
type Shown = { part: Part; variable: string; place: TlsPlace }

const HTTPS_PORT = 443
const DAY_MS = 86_400_000
const SOON_DAYS = 21
/** Those of pg that mean that a connection is encrypted. */
const WITH_TLS = /^(require|verify-ca|verify-full|no-verify)$/

/** Every server that shows the portal or its players a certificate. */
export function certificatesOf({
  publicUrl,
  adminHost,
  gameServer,
  alarmWebhook,
  smtp,
  databaseUrl,
  poolerUrl,
  tracing,
}: Config): Shown[] {
  const shown: Shown[] = []
  const add = (part: Part, variable: string, place: TlsPlace) => shown.push({ part, variable, place })
  const addHttps = (part: Part, variable: string, url: string | undefined) => {
    const { protocol, hostname, port } = new URL(url ?? 'http://none')
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    if (protocol === 'https:')
      add(part, variable, { host, port: Number(port) || HTTPS_PORT, asks: 'nothing' })
  }
  addHttps('site', 'PUBLIC_URL', publicUrl)
  if (adminHost !== null && publicUrl.startsWith('https:'))
    addHttps('console', 'ADMIN_HOST', `https://${adminHost}`)
  addHttps('game', 'GAME_SERVER_URL', gameServer?.url)
  addHttps('alarm-webhook', 'ALARM_WEBHOOK_URL', alarmWebhook?.url)
  addHttps('traces', 'OTEL_EXPORTER_OTLP_ENDPOINT', tracing?.url)
  if (smtp !== null && (smtp.isSecure || !isLoopback(smtp.host)))
    add('mail', 'SMTP_URL', { host: smtp.host, port: smtp.port, asks: smtp.isSecure ? 'nothing' : 'smtp' })
  for (const url of [databaseUrl, poolerUrl]) {
    for (const place of url === null ? [] : placesOf(url)) add('database', 'DATABASE_URL', place)
  }
  return shown
}

/** Each host of a database that is reached by TLS. */
function placesOf(url: string): TlsPlace[] {
  const { searchParams, hostname, port } = new URL(url)
  if (!WITH_TLS.test(searchParams.get('sslmode') ?? '') && searchParams.get('ssl') !== 'true') return []
  const authority = searchParams.get('sslrootcert')
  const several = hostsOf(url)
  const hosts =
    several.length > 0 ? several : [{ host: decodeURIComponent(hostname), port: Number(port) || 5432 }]
  return hosts.map((host) => ({
    ...host,
    asks: 'postgres',
    ...(authority === null ? {} : { authority }),
  }))
}

const REFUSALS: Record<string, string> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'is of another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'signed itself, so that no browser accepts it',
  SELF_SIGNED_CERT_IN_CHAIN: 'is of an authority that is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'is of an authority that is not known here, or comes without those between them (fullchain.pem)',
  CERT_NOT_YET_VALID: 'is not valid yet',
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10)

/** What is wrong with a certificate, or will be soon. */
export function judge(
  { part, variable, place }: Shown,
  { endsAt, refusal }: Certificate,
  now: Date,
): Finding {
  const whose = `the certificate of ${variable} (${place.host}:${place.port})`
  const cure = `renew it there${part === 'site' || part === 'console' ? ' (certbot renew, then reload nginx)' : ''}`
  const days = Math.floor((endsAt.getTime() - now.getTime()) / DAY_MS)
  if (endsAt <= now) return failing('certificate', `${whose} ended on ${dayOf(endsAt)}: ${cure}`)
  if (refusal !== null)
    return failing(
      'certificate',
      `${whose} ${REFUSALS[refusal] ?? `is not accepted (${refusal})`}: install one of that name whose authority is trusted here (NODE_EXTRA_CA_CERTS for one of your own)`,
    )
  if (days < SOON_DAYS)
    return warning(
      'certificate',
      `${whose} ends on ${dayOf(endsAt)}, in ${days} days, and was not renewed: ${cure}`,
    )
  return ok('certificate', `${whose} ends on ${dayOf(endsAt)}`)
}

type Looked = { shown: Shown; certificate: Certificate | null; failure: string }

const look = async (shown: Shown): Promise<Looked> => {
  try {
    return { shown, certificate: await readCertificate(shown.place), failure: '' }
  } catch (error) {
    return { shown, certificate: null, failure: messageOf(error) }
  }
}

/** What is out of reach from here is no fault of its certificate; another finding is about the server. */
export async function examineCertificates(config: Config, clock: Clock): Promise<Finding[]> {
  const looked = await Promise.all(certificatesOf(config).map(look))
  return looked.map(({ shown, certificate, failure }) =>
    certificate === null
      ? warning(
          'certificate',
          `that of ${shown.variable} could not be looked at (${shown.place.host}:${shown.place.port}: ${failure}): let this machine reach it, or look at its end elsewhere`,
        )
      : judge(shown, certificate, clock.now()),
  )
}

const HOUR_MS = 3_600_000

type Watching = { config: Config; clock: Clock; log: Log }

/** For the metrics: the last certificate that was seen of each part, which ends although its server is away. */
export function startCertificateJobs({ config, clock, log }: Watching): Loop[] {
  const seen = new Map<string, { part: Part; ends: number; isRefused: boolean }>()
  const shown = certificatesOf(config)
  if (shown.length === 0) return []
  const round = async () => {
    const now = clock.now()
    for (const { shown: one, certificate } of await Promise.all(shown.map(look))) {
      if (certificate === null) continue
      const { endsAt, refusal } = certificate
      const { host, port } = one.place
      seen.set(`${one.part} ${host}:${port}`, {
        part: one.part,
        ends: endsAt.getTime() / 1_000,
        isRefused: refusal !== null,
      })
      const { level, text } = judge(one, certificate, now)
      if (level !== 'ok')
        log[level === 'error' ? 'error' : 'warn']({ event: 'certificate', part: one.part }, text)
    }
    const parts = [...new Set([...seen.values()].map(({ part }) => part))]
    const of = (part: Part) => [...seen.values()].filter((one) => one.part === part)
    setGauges(
      'portal_certificate_ends_timestamp_seconds',
      parts.map((part) => ({ labels: { of: part }, value: Math.min(...of(part).map(({ ends }) => ends)) })),
    )
    setGauges(
      'portal_certificate_refused',
      parts.map((part) => ({
        labels: { of: part },
        value: of(part).some(({ isRefused }) => isRefused) ? 1 : 0,
      })),
    )
  }
  return startLoops(log, [{ name: 'certificates', pauseMs: HOUR_MS, round }])
}
