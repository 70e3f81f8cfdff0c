import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'

const FILE = 'secrets.json'

type DemoSecrets = { SEPAY_WEBHOOK_SECRET: string; SMS_MO_SECRET: string }

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
  const first = kept.SEPAY_WEBHOOK_SECRET ?? randomBytes(24).toString('base64url')
  const secrets = {
    SEPAY_WEBHOOK_SECRET: first,
    SMS_MO_SECRET:
      kept.SMS_MO_SECRET ?? createHmac('sha256', first).update('SMS_MO_SECRET').digest('base64url'),
  }
  if (kept.SEPAY_WEBHOOK_SECRET && kept.SMS_MO_SECRET) return secrets
  await mkdir(dataDir, { recursive: true })
  // Written beside and renamed into place: another process never reads half a file.
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, JSON.stringify({ ...kept, ...secrets }, null, 2), { mode: 0o600 })
  await rename(draft, file)
  return JSON.parse(await readFile(file, 'utf8')) as DemoSecrets
}

/** The configuration with a demo's made-up secrets where none were given. Outside a demo it is handed on unchanged. */
export async function withDemoSecrets(config: Config): Promise<Config> {
  if (!config.isDemo || (config.paymentKeys.sepay !== null && config.sms !== null)) return config
  const { SEPAY_WEBHOOK_SECRET, SMS_MO_SECRET } = await demoSecrets(config.dataDir)
  return {
    ...config,
    paymentKeys: {
      ...config.paymentKeys,
      sepay: config.paymentKeys.sepay ?? { secrets: [SEPAY_WEBHOOK_SECRET], apiKeys: [] },
    },
    sms: config.sms ?? { secrets: [SMS_MO_SECRET] },
  }
}
