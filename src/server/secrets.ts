import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'

const FILE = 'secrets.json'

/** The first is random, the others follow from it. */
const FIRST = 'SEPAY_WEBHOOK_SECRET'
const DERIVED = [
  'SMS_MO_SECRET',
  'CASSO_WEBHOOK_KEY',
  'CASSO_SECURE_TOKEN',
  'PAYOS_CHECKSUM_KEY',
  'MOMO_PARTNER_CODE',
  'MOMO_ACCESS_KEY',
  'MOMO_SECRET_KEY',
] as const

type DemoSecrets = Record<typeof FIRST | (typeof DERIVED)[number], string>

async function readSecrets(file: string): Promise<Partial<DemoSecrets>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Partial<DemoSecrets>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return {}
  }
}

/**
 * Made-up secrets of a demo, kept in DATA_DIR so that every process and every start knows the same ones. One that a
 * file of an earlier version lacks follows from one that it has: processes that start together find the same.
 */
async function demoSecrets(dataDir: string): Promise<DemoSecrets> {
  const file = join(dataDir, FILE)
  const kept = await readSecrets(file)
  const first = kept[FIRST] ?? randomBytes(24).toString('base64url')
  const derived = DERIVED.map((name) => [name, kept[name] ?? derive(first, name)])
  const secrets = { [FIRST]: first, ...Object.fromEntries(derived) } as DemoSecrets
  if (kept[FIRST] && DERIVED.every((name) => kept[name])) return secrets
  await mkdir(dataDir, { recursive: true })
  // Written beside and renamed into place: another process never reads half a file.
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, JSON.stringify({ ...kept, ...secrets }, null, 2), { mode: 0o600 })
  await rename(draft, file)
  return JSON.parse(await readFile(file, 'utf8')) as DemoSecrets
}

const derive = (first: string, name: string) => createHmac('sha256', first).update(name).digest('base64url')

/** The configuration with a demo's made-up secrets where none were given. Outside a demo it is handed on unchanged. */
export async function withDemoSecrets(config: Config): Promise<Config> {
  const isComplete = config.sms !== null && Object.values(config.paymentKeys).every((keys) => keys !== null)
  if (!config.isDemo || isComplete) return config
  const made = await demoSecrets(config.dataDir)
  const { sepay, casso, payos, momo } = config.paymentKeys
  return {
    ...config,
    paymentKeys: {
      sepay: sepay ?? { secrets: [made.SEPAY_WEBHOOK_SECRET], apiKeys: [] },
      casso: casso ?? { webhookKeys: [made.CASSO_WEBHOOK_KEY], tokens: [made.CASSO_SECURE_TOKEN] },
      payos: payos ?? { checksumKeys: [made.PAYOS_CHECKSUM_KEY] },
      momo: momo ?? {
        partnerCode: made.MOMO_PARTNER_CODE,
        credentials: [{ accessKey: made.MOMO_ACCESS_KEY, secret: made.MOMO_SECRET_KEY }],
      },
    },
    sms: config.sms ?? { secrets: [made.SMS_MO_SECRET] },
  }
}
