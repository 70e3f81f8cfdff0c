import { createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { PAYMENT_VENDORS } from '#server/modules/payment-providers/index.ts'
import { readConfig, type Config } from './config.ts'
import { prepareDataDir, readIfThere, replaceFile, requireAccess } from './platform/data-dir.ts'
import { demoSecretsIn } from './platform/environment.ts'

const FILE = 'secrets.json'

/** The first is random, the others are derived from it. */
const FIRST = 'SEPAY_WEBHOOK_SECRET'
const SMS = 'SMS_MO_SECRET'

type Environment = Record<string, string | undefined>
type Secrets = Record<string, string>

const readSecrets = async (file: string) => JSON.parse((await readIfThere(file)) ?? '{}') as Secrets

/**
 * Generated secrets of a demo, kept in DATA_DIR so that every process and every start has the same ones. One that a
 * file of an earlier version lacks is derived from one that it has: processes that start together derive the same.
 */
async function demoSecrets(dataDir: string, names: readonly string[]): Promise<Secrets> {
  await prepareDataDir(dataDir)
  const file = join(dataDir, FILE)
  await requireAccess(file)
  const kept = await readSecrets(file)
  const first = kept[FIRST] ?? randomBytes(24).toString('base64url')
  const derived = names.map((name) => [name, kept[name] ?? derive(first, name)])
  const secrets = { ...Object.fromEntries(derived), [FIRST]: first } as Secrets
  if (kept[FIRST] && names.every((name) => kept[name])) return secrets
  await replaceFile(file, JSON.stringify({ ...kept, ...secrets }, null, 2))
  return readSecrets(file)
}

const derive = (first: string, name: string) => createHmac('sha256', first).update(name).digest('base64url')

/** The configuration; a demo also gets generated secrets for every endpoint that would be closed without one. */
export async function readConfigWithSecrets(
  environment: Environment,
  vendors = PAYMENT_VENDORS,
): Promise<Config> {
  const config = readConfig(environment, vendors)
  const closed = config.payments.filter(({ vendor, env }) => vendor.openNotices(env) === null)
  const missing = [
    ...closed.flatMap(({ vendor }) => demoSecretsIn(vendor.env.shape)),
    ...(config.sms === null ? [SMS] : []),
  ]
  if (!config.isDemo || missing.length === 0) return config
  const names = [...vendors.flatMap(({ env }) => demoSecretsIn(env.shape)), SMS]
  const made = await demoSecrets(config.dataDir, names)
  return readConfig(
    { ...environment, ...Object.fromEntries(missing.map((name) => [name, made[name]])) },
    vendors,
  )
}
