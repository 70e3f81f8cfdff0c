import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer, TLSSocket } from 'node:tls'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { openLog } from '#server/platform/log/log.ts'
import { metricsText } from '#server/platform/metrics/metrics.ts'
import { systemClock } from '#server/platform/values/clock.ts'
import { valuesOf } from '#tests/support/alert-rules.ts'
import { makeCertificate, type CertificatePair } from '#tests/support/certificates.ts'
import { useFolder } from '#tests/support/folder.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { freePort } from '#tests/support/network.ts'
import { certificatesOf, examineCertificates, startCertificateJobs } from './certificates.ts'

const folder = useFolder()
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const pairs: Record<string, CertificatePair> = {}

beforeAll(() => {
  pairs['long'] = makeCertificate(folder, 'localhost', 90)
  pairs['soon'] = makeCertificate(folder, 'localhost', 20)
  pairs['ended'] = makeCertificate(folder, 'localhost', -1)
  pairs['other'] = makeCertificate(folder, 'ninja.test', 90)
})
const pair = (name: string) => pairs[name] as CertificatePair

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closers.push(() => server.close())
  return (server.address() as AddressInfo).port
}
const https = (name: string) =>
  listening(createServer({ ...pair(name) }, (socket) => socket.on('error', () => {})))

/** As PostgreSQL answers the request for TLS; null of one that has none. */
function postgres(name: string | null): Promise<number> {
  return listening(
    createTcpServer((socket: Socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write(name === null ? 'N' : 'S')
        if (name !== null) new TLSSocket(socket, { isServer: true, ...pair(name) }).on('error', () => {})
      })
    }),
  )
}

const configOf = (environment: Record<string, string>) =>
  readConfig({
    DEMO: '0',
    GAME_SERVER_URL: 'embedded',
    DATABASE_URL: 'postgres://portal:secret@127.0.0.1:1/portal',
    ...environment,
  })

const found = async (environment: Record<string, string>) => {
  const [finding, ...others] = await examineCertificates(configOf(environment), systemClock)
  expect(others).toEqual([])
  return `${finding?.level} ${finding?.text}`
}

const urlOf = (port: number, sslmode: string, more = '') =>
  `postgres://portal:secret@localhost:${port}/portal?sslmode=${sslmode}${more}`

describe('doctor on certificates', () => {
  test('names one that ended, that ends soon, that signed itself, and that is of another name', async () => {
    const site = async (name: string) => found({ PUBLIC_URL: `https://localhost:${await https(name)}` })
    expect(await site('ended')).toMatch(
      /^error the certificate of PUBLIC_URL \(localhost:\d+\) ended on \d{4}-\d\d-\d\d: renew it there \(certbot renew, then reload nginx\)$/,
    )
    expect(await site('long')).toMatch(
      /^error the certificate of PUBLIC_URL .* signed itself, so that no browser/,
    )
    const database = async (name: string, trusted: string) =>
      found({
        DATABASE_URL: urlOf(await postgres(name), 'verify-full', `&sslrootcert=${pair(trusted).file}`),
      })
    expect(await database('soon', 'soon')).toMatch(
      /^warning the certificate of DATABASE_URL \(localhost:\d+\) ends on \S+, in (19|20) days, and was not renewed: renew it there$/,
    )
    expect(await database('long', 'long')).toMatch(/^ok the certificate of DATABASE_URL .* ends on /)
    expect(await database('other', 'other')).toMatch(
      /^error the certificate of DATABASE_URL .* is of another name: install/,
    )
    expect(await database('ended', 'ended')).toMatch(/^error the certificate of DATABASE_URL .* ended on /)
  })

  test('looks at a mail server in its own words, by STARTTLS and from the first byte', async () => {
    const mail = await startMailServer(0, { ...pair('ended'), disabledCommands: [], hideSTARTTLS: false })
    closers.push(() => mail.close())
    const place = { host: 'localhost', port: mail.port }
    const config = configOf({})
    const byStartTls = { ...config, smtp: { ...place, isSecure: false, login: null } }
    // One of this machine is not asked for TLS.
    expect(certificatesOf(byStartTls)).toEqual([])
    const { readCertificate } = await import('./read-certificate.ts')
    const { endsAt } = await readCertificate({ ...place, asks: 'smtp' })
    expect(endsAt.getTime()).toBeLessThan(Date.now())
    expect(
      await found({ SMTP_URL: `smtps://localhost:${await https('ended')}`, MAIL_FROM: 'a@ninja.test' }),
    ).toMatch(/^error the certificate of SMTP_URL .* ended on /)
  })

  test('does not call what is out of reach, or speaks no TLS, a certificate that ended', async () => {
    expect(await found({ PUBLIC_URL: `https://localhost:${await freePort()}` })).toMatch(
      /^warning that of PUBLIC_URL could not be looked at \(localhost:\d+: .*ECONNREFUSED/,
    )
    expect(await found({ DATABASE_URL: urlOf(await postgres(null), 'verify-full') })).toMatch(
      /^warning that of DATABASE_URL could not be looked at \(localhost:\d+: it speaks no TLS\)/,
    )
  })

  test('looks at every server that it reaches by TLS, at each host of the database, and at none without', () => {
    const parts = (environment: Record<string, string>) =>
      certificatesOf(configOf(environment)).map(({ part, place }) => `${part} ${place.host}:${place.port}`)
    expect(parts({})).toEqual([])
    expect(
      parts({
        PUBLIC_URL: 'https://ninja.test',
        ADMIN_HOST: 'admin.ninja.test:8443',
        GAME_SERVER_URL: 'https://game.test',
        GAME_SERVER_SECRET: 'a-secret-of-the-game',
        ALARM_WEBHOOK_URL: 'https://alarms.test/x',
        ALARM_WEBHOOK_SECRET: 'a-secret-of-alarms',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.test',
        SMTP_URL: 'smtp://mail.test:587',
        MAIL_FROM: 'a@ninja.test',
        DATABASE_URL:
          'postgres://a:b@one:5433,two/portal?target_session_attrs=read-write&sslmode=verify-full',
      }),
    ).toEqual([
      'site ninja.test:443',
      'console admin.ninja.test:8443',
      'game game.test:443',
      'alarm-webhook alarms.test:443',
      'traces traces.test:443',
      'mail mail.test:587',
      'database one:5433',
      'database two:5432',
    ])
  })
})

test('the worker shows in the metrics when each ends, and which are refused', async () => {
  const port = await https('soon')
  const [loop] = startCertificateJobs({
    config: configOf({ PUBLIC_URL: `https://localhost:${port}` }),
    clock: systemClock,
    log: openLog('silent'),
  })
  const of = async (metric: string) => valuesOf(await metricsText(), { metric, labels: { of: 'site' } })
  try {
    await expect.poll(() => of('portal_certificate_refused')).toEqual([1])
    const days = async () =>
      ((await of('portal_certificate_ends_timestamp_seconds'))[0] ?? 0) / 86_400 - Date.now() / 86_400_000
    expect(await days()).toBeGreaterThan(19)
    expect(await days()).toBeLessThan(20.1)
  } finally {
    await loop?.stop()
  }
})
