import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../platform/db/database.ts'
import { baselineInstead, readMigrations, type Applied } from '../platform/db/migration-files.ts'
import { sqlState } from '../platform/db/transaction.ts'
import { hindranceOf } from '../platform/db/writes.ts'

/** Why the database does not serve, by PostgreSQL's code; no answer where it gave none. */
const REASONS: Record<string, string> = {
  '28000': 'not-let-in',
  '28P01': 'not-let-in',
  '3D000': 'not-let-in',
  '42501': 'missing-rights',
  '53300': 'no-connection',
  '55000': 'not-let-in',
  '57014': 'too-slow',
  '57P01': 'starting-or-stopping',
  '57P03': 'starting-or-stopping',
}
const reasonOf = (error: unknown) => REASONS[sqlState(error) ?? ''] ?? 'no-answer'

type HealthDeps = { db: Db; isStopping(): boolean }

/**
 * `/healthz`: the process runs. `/readyz`: it can serve, that is the database answers, has every migration and takes
 * changes, and no stop is under way. Neither reveals more.
 */
export function registerHealth(app: FastifyInstance, { db, isStopping }: HealthDeps): void {
  // Read once: the files do not change while a process runs.
  let expected: string[] | undefined

  app.get('/healthz', async (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))

  app.get('/readyz', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      if (isStopping()) return await reply.code(503).send({ status: 'stopping' })
      const reason = hindranceOf(db)
      if (reason !== null) return await reply.code(503).send({ status: 'read-only', reason })
      expected ??= (await readMigrations()).map((migration) => migration.name)
      const { rows } = await sql<Applied>`SELECT name, checksum FROM schema_migration`.execute(db)
      const applied = new Set(baselineInstead('the database', rows).map(({ name }) => name))
      const isCurrent = expected.every((name) => applied.has(name))
      return await reply.code(isCurrent ? 200 : 503).send({ status: isCurrent ? 'ok' : 'migrating' })
    } catch (error) {
      request.log.warn({ err: error }, 'not ready')
      return reply
        .code(503)
        .header('retry-after', 2)
        .send({ status: 'unavailable', reason: reasonOf(error) })
    }
  })
}
