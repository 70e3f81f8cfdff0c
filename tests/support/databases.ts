import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { appRoleOf, openAppRole } from '#server/platform/db/app-role.ts'
import { asOwner } from '#server/platform/db/owner.ts'
import { migrateDatabase } from '#server/platform/db/migrate.ts'
import { openLog } from '#server/platform/log/log.ts'

export type FreshDatabase = {
  /** As the owner: may change the schema. */
  ownerUrl: string
  /** As the portal itself connects. */
  appUrl: string
  drop: () => Promise<void>
}

/** A migrated, empty database that others are copied from, which takes a fraction of the time of migrating each. `lastly` is SQL. */
export async function createTemplate(adminUrl: string, lastly?: string): Promise<string> {
  const template = uniqueName('template')
  await execute(adminUrl, `CREATE DATABASE ${template}`)
  const ownerUrl = withDatabase(adminUrl, template)
  await migrateDatabase(ownerUrl, openLog('warn'))
  if (lastly !== undefined) await execute(ownerUrl, lastly)
  // PostgreSQL cannot copy a database with open connections, so none are allowed.
  await execute(adminUrl, `ALTER DATABASE ${template} ALLOW_CONNECTIONS false`)
  return template
}

export async function cloneTemplate(adminUrl: string, template: string): Promise<FreshDatabase> {
  const name = uniqueName('test')
  await execute(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  const ownerUrl = withDatabase(adminUrl, name)
  const appUrl = await openAppRole(ownerUrl, openLog('fatal'))
  const role = new URL(appUrl).username
  return {
    ownerUrl,
    appUrl,
    drop: async () => {
      await dropDatabase(adminUrl, name)
      await execute(adminUrl, `DROP ROLE IF EXISTS ${role}`)
    },
  }
}

/** Nothing in it, and owned by a role of its own that is no superuser: what an owner makes for a restore. */
export async function createEmptyDatabase(adminUrl: string): Promise<Omit<FreshDatabase, 'appUrl'>> {
  const name = uniqueName('empty')
  const roles = `GRANT portal_app TO ${name} WITH ADMIN OPTION`
  await execute(adminUrl, `CREATE ROLE ${name} LOGIN CREATEROLE PASSWORD 'secret'; ${roles}`)
  await execute(adminUrl, `CREATE DATABASE ${name} OWNER ${name}`)
  const ownerUrl = new URL(withDatabase(adminUrl, name))
  Object.assign(ownerUrl, { username: name, password: 'secret' })
  return {
    ownerUrl: ownerUrl.href,
    drop: async () => {
      const { url: app } = await asOwner(ownerUrl.href, (client) => appRoleOf(client, ownerUrl.href))
      await dropDatabase(adminUrl, name)
      await execute(adminUrl, `DROP ROLE IF EXISTS ${app.username}`)
      await execute(adminUrl, `DROP ROLE ${name}`)
    },
  }
}

/** Waits a moment for connections that are just being closed: thrown out, they would fail a test that is over. */
export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    for (let left = 100; left > 0; left--) {
      const { rowCount } = await client.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name])
      if (!rowCount) break
      await sleep(50)
    }
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  })
}

async function execute(url: string, sql: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(sql)
  })
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url, application_name: 'cong-ninja tests' })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function uniqueName(kind: string): string {
  return `portal_${kind}_${randomBytes(6).toString('hex')}`
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}
