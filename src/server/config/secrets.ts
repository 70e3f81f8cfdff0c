import { createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { PAYMENT_VENDORS } from '#server/modules/payment-providers/index.ts'
import { readConfig, type Config } from './config.ts'
import { prepareDataDir, readIfThere, replaceFile, requireAccess } from '#server/platform/process/data-dir.ts'
import { demoSecretsIn } from '#server/platform/process/environment.ts'
import { SetupProblem } from '#server/platform/values/errors.ts'

const FILE = 'secrets.json'

/** The first is random, the others are derived from it. */
const FIRST = 'SEPAY_WEBHOOK_SECRET'
const SMS = 'SMS_MO_SECRET'
const BEACON = 'DEMO_BEACON_SECRET'

type Environment = Record<string, string | undefined>
type Secrets = Record<string, string>

async function readSecrets(file: string): Promise<Secrets> {
  await requireAccess(file)
  const text = await readIfThere(file)
  try {
    return JSON.parse(text ?? '{}') as Secrets
  } catch {
    // The cause is left out on purpose: a parser may quote the text.
    throw new SetupProblem(
      `${file} is damaged: restore it from a backup, or remove it and the demo makes up new secrets`,
    )
  }
}

/**
 * Generated secrets of a demo, stored in DATA_DIR so that every process and every start has the same ones. One that a
 * file of an earlier version lacks is derived from one that it has: processes that start together derive the same.
 */
async function storeDemoSecrets(dataDir: string, names: readonly string[]): Promise<Secrets> {
  await prepareDataDir(dataDir)
  const file = join(dataDir, FILE)
  const stored = await readSecrets(file)
  const secrets = completed(stored, names)
  if (stored[FIRST] && names.every((name) => stored[name])) return secrets
  await replaceFile(file, JSON.stringify({ ...stored, ...secrets }, null, 2))
  return readSecrets(file)
}

/** Those that a start would find or make; nothing is written. */
const readDemoSecrets = async (dataDir: string, names: readonly string[]): Promise<Secrets> =>
  completed(await readSecrets(join(dataDir, FILE)), names)

function completed(stored: Secrets, names: readonly string[]): Secrets {
  const first = stored[FIRST] ?? randomBytes(24).toString('base64url')
  const derived = names.map((name) => [name, stored[name] ?? derive(first, name)])
  return { ...Object.fromEntries(derived), [FIRST]: first } as Secrets
}

const derive = (first: string, name: string) => createHmac('sha256', first).update(name).digest('base64url')

/** The configuration; a demo also gets generated secrets for every endpoint that would be closed without one. */
export const readConfigWithSecrets = (environment: Environment, vendors = PAYMENT_VENDORS): Promise<Config> =>
  withSecrets(environment, vendors, storeDemoSecrets)

/** The same, without making DATA_DIR or writing to it: for commands, which may run with other settings than the portal. */
export const readConfigOnly = (environment: Environment): Promise<Config> =>
  withSecrets(environment, PAYMENT_VENDORS, readDemoSecrets)

async function withSecrets(
  environment: Environment,
  vendors: typeof PAYMENT_VENDORS,
  secretsIn: typeof storeDemoSecrets,
): Promise<Config> {
  const config = readConfig(environment, vendors)
  const closed = config.payments.filter(({ vendor, env }) => vendor.openNotices(env) === null)
  const missing = [
    ...closed.flatMap(({ vendor }) => demoSecretsIn(vendor.env.shape)),
    ...(config.sms === null ? [SMS] : []),
    ...(config.demoBeaconSecret === null ? [BEACON] : []),
  ]
  if (!config.isDemo || missing.length === 0) return config
  const names = [...vendors.flatMap(({ env }) => demoSecretsIn(env.shape)), SMS, BEACON]
  const made = await secretsIn(config.dataDir, names)
  return readConfig(
    { ...environment, ...Object.fromEntries(missing.map((name) => [name, made[name]])) },
    vendors,
  )
}
