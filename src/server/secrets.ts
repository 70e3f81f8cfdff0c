import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'

const FILE = 'secrets.json'

/** Made-up secrets of a demo, kept in DATA_DIR so that every process and every start knows the same ones. */
async function demoSecrets(dataDir: string): Promise<Record<string, string>> {
  const file = join(dataDir, FILE)
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, string>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const secrets = { SEPAY_WEBHOOK_SECRET: randomBytes(24).toString('base64url') }
  await mkdir(dataDir, { recursive: true })
  // Written beside and renamed into place: another process never reads half a file.
  const draft = `${file}.${process.pid}`
  await writeFile(draft, JSON.stringify(secrets, null, 2), { mode: 0o600 })
  await rename(draft, file)
  return JSON.parse(await readFile(file, 'utf8')) as Record<string, string>
}

/** The configuration with a demo's made-up secrets where none were given. Outside a demo it is handed on unchanged. */
export async function withDemoSecrets(config: Config): Promise<Config> {
  if (!config.isDemo || config.sepay !== null) return config
  const { SEPAY_WEBHOOK_SECRET } = await demoSecrets(config.dataDir)
  return { ...config, sepay: { secrets: SEPAY_WEBHOOK_SECRET ? [SEPAY_WEBHOOK_SECRET] : [], apiKeys: [] } }
}
