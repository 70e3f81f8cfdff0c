import { Client } from 'pg'
import { readMigrations } from '#server/platform/db/migrate.ts'
import type { FreshDatabase } from './databases.ts'
import { freshDatabase } from './postgres.ts'

export type DatabaseBefore = FreshDatabase & {
  /** The owner. */
  client: Client
  /** Of the migration itself. */
  sql: string
}

/** A database as it was before a migration. */
export async function databaseBefore(migration: string): Promise<DatabaseBefore> {
  const database = await freshDatabase()
  const client = new Client({ connectionString: database.ownerUrl })
  await client.connect()
  const { rows: schemas } = await client.query<{ name: string }>(
    `SELECT nspname AS name FROM pg_namespace WHERE nspname !~ '^pg_|^information_schema$'`,
  )
  for (const { name } of schemas) await client.query(`DROP SCHEMA ${name} CASCADE`)
  await client.query('CREATE SCHEMA public; CREATE TABLE schema_migration (name text)')
  const migrations = await readMigrations()
  for (const { name, sql } of migrations) if (name < migration) await client.query(sql)
  return {
    ...database,
    client,
    sql: migrations.find(({ name }) => name === migration)?.sql ?? '',
    async drop() {
      await client.end()
      await database.drop()
    },
  }
}
