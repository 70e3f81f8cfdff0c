import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PAYMENT_VENDORS } from '#server/modules/payment-providers/index.ts'
import { demoSecretsIn } from '#server/platform/process/environment.ts'
import { SetupProblem } from '#server/platform/values/errors.ts'
import { readConfigWithSecrets } from './secrets.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-secrets-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

async function configured(environment: Record<string, string> = {}) {
  const { sms, demoBeaconSecret, payments } = await readConfigWithSecrets({
    DATA_DIR: dataDir,
    DEMO: '1',
    ...environment,
  })
  return {
    sms,
    demoBeaconSecret,
    env: Object.assign({}, ...payments.map(({ env }) => env)) as Record<string, any>,
  }
}
const file = () => join(dataDir, 'secrets.json')

test('a demo makes up what was not given, and knows it again at its next start', async () => {
  const first = await configured()
  expect(first.env.SEPAY_WEBHOOK_SECRET[0]).toMatch(/^[\w-]{32}$/)
  expect(first.sms?.secrets[0]).toMatch(/^[\w-]{43}$/)
  expect(await configured()).toEqual(first)
})

test('a file of an earlier version gains what it lacks and loses nothing, for all who start at once', async () => {
  await writeFile(file(), JSON.stringify({ SEPAY_WEBHOOK_SECRET: 'the-one-from-before', other: 'kept' }))
  const started = await Promise.all([configured(), configured(), configured()])
  expect(new Set(started.map(({ sms }) => sms?.secrets[0])).size).toBe(1)
  const ofVendors = PAYMENT_VENDORS.flatMap(({ env }) => demoSecretsIn(env.shape))
  const derived = {
    SMS_MO_SECRET: started[0]!.sms?.secrets[0],
    DEMO_BEACON_SECRET: started[0]!.demoBeaconSecret,
    ...Object.fromEntries(ofVendors.map((name) => [name, String(started[0]!.env[name])])),
  }
  expect(JSON.parse(await readFile(file(), 'utf8'))).toEqual({
    ...derived,
    SEPAY_WEBHOOK_SECRET: 'the-one-from-before',
    other: 'kept',
  })
  // No secret is another's: each door has its own.
  expect(new Set(Object.values(derived)).size).toBe(ofVendors.length + 2)
  expect(started[0]!.env.SEPAY_WEBHOOK_SECRET).toEqual(['the-one-from-before'])
})

test('a file that knows messages from phones already gains the providers that came later', async () => {
  await writeFile(
    file(),
    JSON.stringify({ SEPAY_WEBHOOK_SECRET: 'the-one-from-before', SMS_MO_SECRET: 'the-second-one' }),
  )
  const [first, second] = await Promise.all([configured(), configured()])
  expect(first).toEqual(second)
  expect(first!.sms?.secrets).toEqual(['the-second-one'])
  expect(await configured()).toEqual(first)
})

test('what was given is used, and nothing is made up outside a demo', async () => {
  const given = await configured({ SMS_MO_SECRET: 'new-secret, old-secret' })
  expect(given.sms).toEqual({ secrets: ['new-secret', 'old-secret'] })
  const live = await configured({ DEMO: '0', GAME_SERVER_URL: 'embedded' })
  expect([live.sms, live.demoBeaconSecret]).toEqual([null, null])
  expect(Object.keys(live.env).filter((name) => /SECRET|KEY|TOKEN|PARTNER/.test(name))).toEqual([])
})

test('a vendor that is configured in one of its ways has no other made up for it', async () => {
  const { env } = await configured({
    SEPAY_API_KEY: 'a key of SePay',
    CASSO_SECURE_TOKEN: 'a token of Casso',
  })
  expect([env.SEPAY_WEBHOOK_SECRET, env.CASSO_WEBHOOK_KEY]).toEqual([undefined, undefined])
  expect(env.PAYOS_CHECKSUM_KEY[0]).toMatch(/^[\w-]{43}$/)
})

test('a DATA_DIR that cannot be made is one sentence that explains what to do', async () => {
  // Not even root can make a folder inside a file.
  const parent = join(dataDir, 'a-file')
  await writeFile(parent, '')
  const starting = configured({
    DATA_DIR: join(parent, 'data'),
    DATABASE_URL: 'postgres://portal:pw@127.0.0.1/portal',
  })
  await expect(starting).rejects.toBeInstanceOf(SetupProblem)
  await expect(starting).rejects.toThrow(
    /^DATA_DIR: .*a-file\/data cannot be read and written \(ENOTDIR\): start the portal/,
  )
})
