import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Config } from './config.ts'
import type { PortalDeps } from './deps.ts'
import { prepareDataDir } from './platform/data-dir.ts'
import { demoSecretsIn } from './platform/environment.ts'

/** Whether a part of the portal is connected and works, and what to do when it should and does not. */
export type Finding = { level: 'ok' | 'warning' | 'error'; name: string; text: string }

const POSTGRES_MIN = 15
const GAME_TIMEOUT_MS = 3_000

/** What is connected and what is not: printed at each start and by `portal doctor`. Never rejects. */
export async function examine(deps: PortalDeps): Promise<Finding[]> {
  const { config } = deps
  return Promise.all([
    proved('database', () => examineDatabase(deps)),
    proved('game', () => examineGame(deps)),
    ...examinePayments(deps),
    examineSms(config),
    examineMail(config),
    examineProxy(config),
    proved('data', () => examineData(config)),
  ])
}

export const lineOf = ({ level, name, text }: Finding): string =>
  `${level.padEnd(9)}${name.padEnd(10)}${text}`

const ok = (name: string, text: string): Finding => ({ level: 'ok', name, text })
const warning = (name: string, text: string): Finding => ({ level: 'warning', name, text })

async function proved(name: string, prove: () => Promise<Finding>): Promise<Finding> {
  try {
    return await prove()
  } catch (error) {
    return { level: 'error', name, text: (error as Error).message }
  }
}

async function examineDatabase({ config, db }: PortalDeps): Promise<Finding> {
  const { databaseUrl, dataDir, isDemo } = config
  const { rows } = await sql<{ version: string; role: string }>`
    SELECT current_setting('server_version') AS version, current_user AS role`.execute(db)
  const { version = '', role } = rows[0] ?? {}
  const where = databaseUrl === null ? `embedded in ${dataDir}` : `at ${new URL(databaseUrl).host}`
  const text = `PostgreSQL ${version} ${where} as ${role}, ${isDemo ? 'a demo' : 'live'}`
  if (Number.parseInt(version, 10) >= POSTGRES_MIN) return ok('database', text)
  return { level: 'error', name: 'database', text: `${text}: use PostgreSQL ${POSTGRES_MIN} or newer` }
}

async function examineGame({ config: { gameServer, isDemo }, game }: PortalDeps): Promise<Finding> {
  if (gameServer === null) {
    const text = 'the embedded game; its characters are invented'
    return isDemo ? ok('game', text) : warning('game', `${text}: set GAME_SERVER_URL for the real game`)
  }
  const late = sleep(GAME_TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new Error(`no answer in ${GAME_TIMEOUT_MS / 1_000} s`)
  })
  try {
    // The portal never sent a delivery of this id: the answer of a game that keeps the contract also proves the secret.
    await Promise.race([game.deliveryStatus(randomUUID()), late])
    return ok('game', `the game server at ${gameServer.url} answers`)
  } catch (error) {
    throw new Error(
      `the game server at ${gameServer.url} is not usable (${(error as Error).message}): ` +
        'start it, or correct GAME_SERVER_URL and GAME_SERVER_SECRET',
      { cause: error },
    )
  }
}

function examinePayments({ config, payments }: PortalDeps): Finding[] {
  const open = payments.webhooks.filter(({ reader }) => reader !== null)
  const findings = config.payments.map(({ vendor }) => {
    const isHere = ({ provider }: { provider: string }) => provider === vendor.name
    const abilities = [
      open.some(isHere)
        ? 'webhook open'
        : `webhook closed (README: ${demoSecretsIn(vendor.env.shape).join(', ')})`,
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

function examineSms({ sms }: Config): Finding {
  return sms === null
    ? warning('sms', 'closed, no player gets a one-time code: set SMS_MO_SECRET')
    : ok('sms', 'messages from phones are accepted')
}

function examineMail({ smtp, dataDir, isDemo }: Config): Finding {
  if (smtp !== null) return ok('mail', `the mail server ${smtp.host}:${smtp.port}`)
  const text = `mails are written to files in ${dataDir}/mail`
  return isDemo
    ? ok('mail', text)
    : warning('mail', `${text} that no player reads: set SMTP_URL and MAIL_FROM`)
}

function examineProxy({ trustProxy, publicUrl }: Config): Finding {
  if (trustProxy.length > 0) return ok('proxy', `X-Forwarded-For counts from ${trustProxy.join(', ')}`)
  if (!publicUrl.startsWith('https:')) return ok('proxy', 'none')
  return warning(
    'proxy',
    'none, though PUBLIC_URL is https: set TRUST_PROXY, else all players share one address',
  )
}

async function examineData({ dataDir, databaseUrl, smtp, isDemo }: Config): Promise<Finding> {
  if (databaseUrl !== null && smtp !== null && !isDemo) return ok('data', 'DATA_DIR is not used')
  await prepareDataDir(dataDir)
  return ok('data', `${dataDir} can be read and written`)
}
