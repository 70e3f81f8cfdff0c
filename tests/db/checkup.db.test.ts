import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diagnose, lineOf } from '#server/health/checkup.ts'
import type { FreshDatabase } from '#tests/support/databases.ts'
import { useFolder } from '#tests/support/folder.ts'
import { startCollector } from '#tests/support/collector.ts'
import { freePort } from '#tests/support/network.ts'
import { asRole } from '#tests/support/pgbouncer.ts'
import { startBrokenGame, startTestGame } from '#tests/support/game-server.ts'
import { startFakeProviders } from '../fakes/provider-server.ts'
import { START_MS_MAX, startPortalProcess } from '#tests/support/processes.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { eventually } from '#tests/support/purchases.ts'

const GAME_SECRET = 'a-secret-of-the-game'
const PROVIDER_SECRETS = {
  sepayToken: 'a-token-of-sepay',
  cassoToken: 'a-token-of-casso',
  momo: { partnerCode: 'MOMOTEST', accessKey: 'an-access-key', secretKey: 'a-secret-key-of-momo' },
  payos: { checksumKey: 'a-checksum-key', clientId: 'client', apiKey: 'key' },
}

let database: FreshDatabase
const dataDir = useFolder()
let live: Record<string, string>

beforeAll(async () => {
  database = await freshDatabase()
  live = {
    DATABASE_URL: database.ownerUrl,
    DATA_DIR: dataDir,
    DEMO: '0',
    GAME_SERVER_URL: 'embedded',
    PUBLIC_URL: 'https://ninja.test',
  }
})
afterAll(() => database.drop())

/** What it prints in that environment, without a process of its own, which takes a second of CPU time. */
async function examined(environment: Record<string, string>): Promise<string> {
  const PORT = String(await freePort())
  const findings = await diagnose({ ...process.env, PORT, ...environment })
  return findings.map(lineOf).join('\n')
}

/** `npm run portal -- doctor` in that environment. */
async function doctor(environment: Record<string, string>): Promise<{ code: number; text: string }> {
  const PORT = String(await freePort())
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['src/server/cli/cli.ts', 'doctor'],
      { env: { ...process.env, PORT, ...environment } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, text: stdout + stderr }),
    )
  })
}

describe('what is connected and what is not', { timeout: 3 * START_MS_MAX }, () => {
  test('a live start with nothing set lists what is missing, and doctor does too', async () => {
    const portal = await startPortalProcess({ dataDir, environment: live })
    await eventually(async () => expect(portal.output()).toContain('Become an operator'), START_MS_MAX)
    const diagnosis = await doctor({ ...live, PORT: new URL(portal.url).port })
    expect(diagnosis.text).toMatch(/^ok +port +a portal answers at 127\.0\.0\.1:\d+$/m)
    const { host, password } = new URL(database.ownerUrl)
    for (const text of [portal.output(), diagnosis.text]) {
      expect(text).toMatch(/ok +database +PostgreSQL \d[\d.]* at .* as \w+, live/)
      expect(text).toContain(decodeURIComponent(host))
      expect(text).toMatch(/warning +game +the embedded game;.*: set GAME_SERVER_URL/)
      expect(text).toMatch(
        /ok +sepay +webhook closed \(docs\/configuration.md: SEPAY_WEBHOOK_SECRET\), list not read/,
      )
      expect(text).toMatch(
        /ok +momo +webhook closed \(docs\/configuration.md: .*MOMO_SECRET_KEY\), checkout closed/,
      )
      expect(text).toMatch(/warning +payments +every webhook is closed/)
      expect(text).toMatch(/warning +sms +closed, .*: set SMS_MO_SECRET/)
      expect(text).toMatch(/warning +mail +.*: set SMTP_URL and MAIL_FROM/)
      expect(text).toMatch(/warning +proxy +.*: set TRUST_PROXY/)
      expect(text).toMatch(/ok +address +players open https:\/\/ninja\.test/)
      expect(text).toMatch(/ok +clock +-?\d\.\d s apart/)
      expect(text).toMatch(/ok +data +/)
      expect(text).not.toContain(password)
    }
    expect(diagnosis.code).toBe(0)
    const logged = portal
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{"level":"warn"'))
    for (const name of ['game', 'payments', 'sms', 'mail', 'proxy'])
      expect(logged.filter((line) => line.includes(`"name":"${name}"`))).toHaveLength(1)
    expect(await portal.end(), portal.output()).toBe(0)
  })

  test('a database whose sessions confirm before a standby or the disk has it is warned of', async () => {
    const name = new URL(database.ownerUrl).pathname.slice(1)
    await asRole(database.ownerUrl, `ALTER DATABASE "${name}" SET synchronous_commit = local`)
    expect(await examined(live)).toMatch(
      /^warning +standby +synchronous_commit=local: .*; RESET synchronous_commit of role and database$/m,
    )
    await asRole(database.ownerUrl, `ALTER DATABASE "${name}" RESET synchronous_commit`)
  })

  test('a live start with everything set has nothing to warn of', async () => {
    const game = await startTestGame({ secret: GAME_SECRET })
    const mail = await startMailServer()
    const providers = await startFakeProviders(PROVIDER_SECRETS)
    const collector = await startCollector()
    const { code, text } = await doctor({
      ...live,
      GAME_SERVER_URL: game.url,
      GAME_SERVER_SECRET: GAME_SECRET,
      SEPAY_WEBHOOK_SECRET: 'long-enough-secret',
      SEPAY_API_TOKEN: PROVIDER_SECRETS.sepayToken,
      SEPAY_BASE_URL: providers.url,
      PAYOS_CHECKSUM_KEY: 'long-enough-key',
      PAYOS_CLIENT_ID: 'client',
      PAYOS_API_KEY: 'key',
      SMS_MO_SECRET: 'long-enough-secret',
      SMTP_URL: mail.url,
      MAIL_FROM: 'portal@ninja.test',
      TRUST_PROXY: '127.0.0.1',
      METRICS_PORT: '+2000',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    })
    await Promise.all([game.close(), mail.close(), providers.close(), collector.close()])
    // What the machine has of memory and disk is not this test's to know, PostgreSQL of the tests confirms early and writes
    // late, and nobody answers at its address.
    expect(text).not.toMatch(/^(warning|error)(?! +(memory|disk|standby|server|certificate)\b)/m)
    expect(text).toMatch(/^ok +sepay list +its token is accepted/m)
    expect(text).toMatch(/^ok +mail +the mail server 127\.0\.0\.1:\d+ accepts the portal/m)
    expect(text).toMatch(/ok +sepay +webhook open at https?:\S+\/api\/webhooks\/sepay, list read/)
    expect(text).toMatch(/ok +payos +webhook open at https?:\S+\/payos, checkout open/)
    expect(text).toMatch(/ok +game +the game server at .* answers.*; it takes fees of tournaments$/m)
    expect(text).toMatch(/^ok +accounts +the game keeps accounts/m)
    expect(text).toMatch(/^ok +metrics +127\.0\.0\.1:\d+ is free$/m)
    expect(text).toMatch(/^ok +traces +sent to http:\S+\/v1\/traces \(parentbased_always_on\)$/m)
    expect(code).toBe(0)
  })

  test('a game that does not answer or knows another secret is an error, and so is a DATA_DIR that cannot be used', async () => {
    const file = join(dataDir, 'a-file')
    await writeFile(file, '')
    const nowhere = await examined({
      ...live,
      DATA_DIR: join(file, 'data'),
      GAME_SERVER_URL: `http://127.0.0.1:${await freePort()}`,
      GAME_SERVER_SECRET: GAME_SECRET,
    })
    expect(nowhere).toMatch(
      /^error +game +the game server at .* is not usable .*: start it, or correct GAME_SERVER_URL/m,
    )
    expect(nowhere).toMatch(/^error +data +DATA_DIR: .* cannot be read and written/m)

    const game = await startTestGame({ secret: 'the-secret-of-before' })
    const right = { url: game.url, secret: 'the-secret-of-before' }
    const without = await startBrokenGame('does not have charges', right)
    const other = { ...live, GAME_SERVER_URL: without.url, GAME_SERVER_SECRET: right.secret }
    expect(await examined(other)).toMatch(/^ok +game +.*; it takes no fees of tournaments$/m)
    await without.close()
    const half = await startBrokenGame('has half a lock', right)
    expect(await examined({ ...other, GAME_SERVER_URL: half.url })).toMatch(
      /^warning +game +.* changes characters without its lock, last at /m,
    )
    await half.close()
    const short = await startBrokenGame('takes short names only', right)
    expect(await examined({ ...other, GAME_SERVER_URL: short.url })).toMatch(
      /^ok +limits +new names have 6 to 9 characters in a–z, 0–9, as the game takes them$/m,
    )
    await short.close()
    const none = await startBrokenGame('takes no names', right)
    expect(await examined({ ...other, GAME_SERVER_URL: none.url })).toMatch(
      /^error +limits +.*nobody can register: .*says how to widen/m,
    )
    await none.close()
    const refused = await examined({ ...live, GAME_SERVER_URL: game.url, GAME_SERVER_SECRET: GAME_SECRET })
    await game.close()
    expect(refused).toMatch(/^error +game +.*HTTP 401/m)
  })

  test('what hinders players and what is refused by others are errors', async () => {
    const providers = await startFakeProviders(PROVIDER_SECRETS)
    const text = await examined({
      ...live,
      PUBLIC_URL: 'http://127.0.0.1:3000',
      TRUST_PROXY: '0.0.0.0/0',
      SEPAY_API_TOKEN: 'another-token',
      SEPAY_BASE_URL: providers.url,
      SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
      MAIL_FROM: 'portal@ninja.test',
      OTEL_EXPORTER_OTLP_ENDPOINT: providers.url,
      ALARM_WEBHOOK_URL: `http://127.0.0.1:${await freePort()}/alarms`,
      ALARM_WEBHOOK_SECRET: 'a-secret-of-the-alarms',
    })
    await providers.close()
    expect(text).toMatch(/^error +address +players open .*: set PUBLIC_URL to the address players type$/m)
    expect(text).toMatch(/^error +proxy +TRUST_PROXY trusts every address/m)
    expect(text).toMatch(/^error +sepay list +sepay gives no list .*: correct its token/m)
    expect(text).toMatch(/^error +mail +the mail server .* is not usable .*: start it, or correct/m)
    expect(text).toMatch(
      /^warning +alarms +127\.0\.0\.1:\d+ does not answer .*, so nobody is told of alarms: start/m,
    )
    expect(text).toMatch(/^warning +traces +http:\S+ takes none \(it answers \d+\), they are dropped: start/m)
  })

  test.runIf(hasAllCases)('what stops a start is one line of doctor too', async () => {
    const { code, text } = await doctor({ ...live, DATABASE_URL: 'postgres://portal:pw@127.0.0.1:1/portal' })
    expect(text).toMatch(/^error +database +PostgreSQL at 127\.0\.0\.1:1 does not answer: [^\n]*$/m)
    expect(code).toBe(1)
  })
})
