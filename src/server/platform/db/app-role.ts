import { createHash, createHmac } from 'node:crypto'
import { Client } from 'pg'

const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`

/**
 * The DSN the portal works with: a login role of this database only, member of `portal_app`, without DDL. It is made
 * (or its password set) by the owner at each start. The password follows from the owner's own, so that every process
 * with the same DATABASE_URL comes to the same one and nothing has to be stored or handed round.
 */
export async function openAppRole(ownerUrl: string): Promise<string> {
  const owner = new URL(ownerUrl)
  const client = new Client({ connectionString: ownerUrl, application_name: 'cong-ninja start' })
  await client.connect()
  try {
    const { rows } = await client.query<{ database: string }>('SELECT current_database() AS database')
    const database = rows[0]?.database ?? ''
    // Role names are cut at 63 bytes; a digest keeps two long database names apart.
    const role = `portal_${createHash('sha256').update(database).digest('hex').slice(0, 16)}`
    const password = createHmac('sha256', `${owner.username}:${owner.password}`)
      .update(role)
      .digest('base64url')
    await prepareRole(client, { role, password, database })
    const app = new URL(ownerUrl)
    app.username = role
    app.password = password
    return app.href
  } finally {
    await client.end()
  }
}

type RolePlan = { role: string; password: string; database: string }

async function prepareRole(client: Client, { role, password, database }: RolePlan): Promise<void> {
  // Two portals that start together would trip over each other's catalogue rows.
  await client.query('SELECT pg_advisory_lock(hashtext($1))', [role])
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role])
  const attributes = `LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD '${password}'`
  await client.query(`${rowCount ? 'ALTER' : 'CREATE'} ROLE ${quoteName(role)} ${attributes}`)
  await client.query(`GRANT portal_app TO ${quoteName(role)}`)
  await client.query(`GRANT CONNECT ON DATABASE ${quoteName(database)} TO ${quoteName(role)}`)
  await client.query(`REVOKE TEMPORARY ON DATABASE ${quoteName(database)} FROM PUBLIC`)
}
