import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { FreshDatabase } from '#tests/support/databases.ts'
import { freePort } from '#tests/support/free-port.ts'
import { START_MS_MAX, startPortalProcess } from '#tests/support/portal-process.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { eventually } from '#tests/support/purchases.ts'

const isThere = spawnSync('pgbouncer', ['--version']).status === 0
const NOBODY = 65_534
const PASSWORD = 'the-password-of-pgbouncer'

let folder: string
let database: FreshDatabase
let pgbouncer: ChildProcess | null = null

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cong-ninja-pgbouncer-'))
  database = await freshDatabase()
})
afterAll(async () => {
  if (pgbouncer) {
    pgbouncer.kill('SIGINT')
    await once(pgbouncer, 'close')
  }
  await database.drop()
  if (isThere) await asSuperuser(inject('postgres').adminUrl, 'DROP ROLE IF EXISTS pgbouncer')
  await rm(folder, { recursive: true, force: true })
})

async function asSuperuser(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

/** PgBouncer with the project's own file before `direct`; other places, and so few connections that they must be shared. */
async function startPgbouncer(direct: URL): Promise<number> {
  const sql = await readFile('deploy/postgres/pgbouncer.sql', 'utf8')
  await asSuperuser(direct.href, sql.replace(`:'password'`, `'${PASSWORD}'`))
  const port = await freePort()
  const name = direct.pathname.slice(1)
  const file = (await readFile('deploy/pgbouncer.ini', 'utf8'))
    .replace(/^portal = .*$/m, `${name} = host=${direct.hostname} port=${direct.port} dbname=${name}`)
    .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
    .replace(/^default_pool_size = .*$/m, 'default_pool_size = 3')
    .replace(/^auth_file = .*$/m, `auth_file = ${folder}/userlist.txt`)
    .replace(/^(logfile|pidfile) = .*$/gm, (_, key: string) => `${key} = ${folder}/pgbouncer.${key}`)
  await writeFile(join(folder, 'pgbouncer.ini'), file)
  // A superuser is not given away by the question, so the owner of these tests is written down.
  const owner = `"${direct.username}" "${decodeURIComponent(direct.password)}"\n`
  await writeFile(join(folder, 'userlist.txt'), `"pgbouncer" "${PASSWORD}"\n${owner}`)
  const isRoot = process.getuid?.() === 0
  if (isRoot) await chown(folder, NOBODY, NOBODY)
  await chmod(folder, 0o755)
  pgbouncer = spawn('pgbouncer', ['-q', join(folder, 'pgbouncer.ini')], {
    stdio: 'ignore',
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  })
  return port
}

describe('behind PgBouncer in transaction mode', { timeout: 3 * START_MS_MAX }, () => {
  test.skipIf(!isThere)(
    'the portal starts, serves and keeps its time-outs (skipped without pgbouncer)',
    async () => {
      const direct = new URL(database.ownerUrl)
      const port = await startPgbouncer(direct)
      const pooled = Object.assign(new URL(direct), { port: String(port) })
      await eventually(async () => void (await asSuperuser(pooled.href, 'SELECT 1')))
      const portal = await startPortalProcess({
        dataDir: folder,
        environment: {
          DATABASE_URL: pooled.href,
          DATABASE_DIRECT_URL: direct.href,
          DATABASE_POOL: '12',
          DEMO: '0',
          GAME_SERVER_URL: 'embedded',
        },
      })
      const answers = await Promise.all(
        Array.from({ length: 60 }, async () => (await fetch(`${portal.url}/api/posts`)).status),
      )
      expect(answers).toEqual(answers.map(() => 200))
      const role = new URL(database.appUrl).username
      const connections = await asSuperuser(
        direct.href,
        `SELECT count(*) FILTER (WHERE application_name = 'cong-ninja')::int AS pooled,
              count(*) FILTER (WHERE application_name = 'cong-ninja listen')::int AS listening
       FROM pg_stat_activity WHERE usename = '${role}'`,
      )
      expect(connections[0]?.pooled).toBeLessThanOrEqual(3)
      expect(connections[0]?.listening).toBe(1)

      const app = Object.assign(new URL(database.appUrl), { port: String(port) })
      const shown = await asSuperuser(
        app.href,
        `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
              current_setting('idle_in_transaction_session_timeout') AS idle`,
      )
      expect(shown).toEqual([{ statement: '5s', lock: '2s', idle: '10s' }])
      expect(await portal.end(), portal.output()).toBe(0)
    },
  )
})
