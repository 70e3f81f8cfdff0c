import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { everyNth } from '#tests/support/test-run.ts'
import { readConfig } from '#server/config/config.ts'
import { diagnose } from '#server/health/checkup.ts'
import { appRoleOf, openAppRole } from '#server/platform/db/app-role.ts'
import { migrateDatabase } from '#server/platform/db/migrate.ts'
import { asOwner } from '#server/platform/db/owner.ts'
import { namesOfHosts } from '#server/platform/db/writable-client.ts'
import { openLog } from '#server/platform/log/log.ts'
import { systemClock } from '#server/platform/values/clock.ts'
import { openPortalDatabase } from '#server/start/database.ts'
import { startPortal, type Portal } from '#server/start/portal.ts'
import { sentenceOf } from '#server/start/start-failure.ts'
import { useFolder } from '#tests/support/folder.ts'
import { freePort } from '#tests/support/network.ts'
import { emptyDatabase } from '#tests/support/postgres.ts'
import { eventually } from '#tests/support/purchases.ts'

const WAIT_MS = 60_000
/** The portal looks every five seconds, and at every third time at its rights. */
const NOTICED_MS_MAX = 40_000

const log = openLog('silent')
const dataDir = useFolder()
let database: Awaited<ReturnType<typeof emptyDatabase>>
/** The names that the texts below give them. */
let names: Record<string, string>

beforeAll(async () => {
  database = await emptyDatabase()
  await migrateDatabase(database.ownerUrl, log)
  await openAppRole(database.ownerUrl, log)
  const { url } = await asOwner(database.ownerUrl, (client) => appRoleOf(client, database.ownerUrl))
  const { username, pathname } = new URL(database.ownerUrl)
  names = {
    '@db': pathname.slice(1),
    '@owner': username,
    '@portal': url.username,
    '@superuser': new URL(inject('postgres').adminUrl).username,
    '@server': namesOfHosts(database.ownerUrl),
  }
}, WAIT_MS)
afterAll(() => database.drop())

const named = (text: string) => text.replaceAll(/@\w+/g, (name) => names[name] ?? name)

/** Statements of a superuser, each by itself: in the portal's database, or, where that lets nobody in, beside it. */
async function superuser(statements: string, isBeside = false): Promise<void> {
  const url = new URL(inject('postgres').adminUrl)
  if (!isBeside) url.pathname = named('/@db')
  const client = new Client({ connectionString: url.href })
  await client.connect()
  try {
    await client.query('SET default_transaction_read_only = off')
    for (const statement of named(statements).split(/;\s*/))
      if (statement !== '') await client.query(statement)
  } finally {
    await client.end()
  }
}

const environment = (databaseUrl = database.ownerUrl) => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  DEMO: '0',
  GAME_SERVER_URL: 'embedded',
  PUBLIC_URL: 'https://ninja.test',
})

/** What doctor reports of that name. */
async function diagnosed(name: string, databaseUrl?: string): Promise<string> {
  const PORT = String(await freePort())
  const findings = await diagnose({ ...process.env, ...environment(databaseUrl), PORT })
  const one = findings.find((finding) => finding.name === name)
  return `${one?.level} ${one?.text}`
}

/** The sentence of a start that fails; null for one that succeeds. */
async function failureOfStart(databaseUrl?: string): Promise<string | null> {
  try {
    const config = readConfig(environment(databaseUrl))
    await (await openPortalDatabase(config, { log, clock: systemClock })).close()
    return null
  } catch (error) {
    return sentenceOf(error)
  }
}

type Sick = {
  harm: string
  mend: string
  /** The name of doctor's finding, and how it begins. */
  name: string
  diagnosed: string
  /** What a start says; null for one that sets it right. */
  refused: string | null
  isBeside?: true
}

const READ_ONLY = 'because default_transaction_read_only is on: run BEGIN READ WRITE;'

const HARMS: Record<string, Sick> = {
  'a database that is only read from': {
    harm: 'ALTER DATABASE @db SET default_transaction_read_only = on',
    mend: 'ALTER DATABASE @db RESET default_transaction_read_only',
    name: 'writes',
    diagnosed: `error PostgreSQL at @server takes no writes of the role "@owner", ${READ_ONLY} ALTER DATABASE "@db" RESET default_transaction_read_only; COMMIT, then start again`,
    refused: `PostgreSQL at @server takes no writes of the role "@owner", ${READ_ONLY} ALTER DATABASE "@db" RESET`,
  },
  'an owner that only reads': {
    harm: 'ALTER ROLE @owner SET default_transaction_read_only = on',
    mend: 'ALTER ROLE @owner RESET default_transaction_read_only',
    name: 'writes',
    diagnosed: `error PostgreSQL at @server takes no writes of the role "@owner", ${READ_ONLY} ALTER ROLE "@owner" RESET`,
    refused: `PostgreSQL at @server takes no writes of the role "@owner", ${READ_ONLY} ALTER ROLE "@owner" RESET`,
  },
  'a role of the portal that only reads': {
    harm: 'ALTER ROLE @portal SET default_transaction_read_only = on',
    mend: 'ALTER ROLE @portal RESET default_transaction_read_only',
    name: 'writes',
    diagnosed: `error PostgreSQL at @server takes no writes of the role "@portal", ${READ_ONLY} ALTER ROLE "@portal" RESET`,
    refused: `PostgreSQL at @server takes no writes of the role "@portal", ${READ_ONLY} ALTER ROLE "@portal" RESET`,
  },
  'a role of the portal that only reads in this database': {
    harm: 'ALTER ROLE @portal IN DATABASE @db SET default_transaction_read_only = on',
    mend: 'ALTER ROLE @portal IN DATABASE @db RESET default_transaction_read_only',
    name: 'writes',
    diagnosed: `error PostgreSQL at @server takes no writes of the role "@portal", ${READ_ONLY} ALTER ROLE "@portal" IN DATABASE "@db" RESET`,
    refused: `PostgreSQL at @server takes no writes of the role "@portal", ${READ_ONLY} ALTER ROLE "@portal" IN DATABASE "@db" RESET`,
  },
  'rights on tables that were revoked': {
    harm: 'REVOKE SELECT, INSERT ON users FROM portal_app',
    mend: 'GRANT SELECT, INSERT ON users TO portal_app',
    name: 'rights',
    diagnosed:
      'error the portal’s role lacks INSERT, SELECT ON users: start a process of the portal, which gives it these again',
    refused: null,
  },
  'rights on columns that were revoked': {
    harm: 'REVOKE UPDATE (state, attempt) ON delivery FROM portal_app',
    mend: 'GRANT UPDATE (state, attempt) ON delivery TO portal_app',
    name: 'rights',
    diagnosed:
      'error the portal’s role lacks UPDATE (attempt, state) ON delivery: start a process of the portal',
    refused: null,
  },
  'a right on a function that was revoked': {
    harm: 'REVOKE EXECUTE ON FUNCTION erase_user FROM portal_app',
    mend: 'GRANT EXECUTE ON FUNCTION erase_user TO portal_app',
    name: 'rights',
    diagnosed: 'error the portal’s role lacks EXECUTE ON FUNCTION erase_user(bigint): start a process',
    refused: null,
  },
  'a right on a function that everybody had': {
    harm: 'REVOKE EXECUTE ON FUNCTION search_form FROM PUBLIC',
    mend: 'GRANT EXECUTE ON FUNCTION search_form TO PUBLIC',
    name: 'rights',
    diagnosed: 'error the portal’s role lacks EXECUTE ON FUNCTION search_form(text): start a process',
    refused: null,
  },
  'a right on a sequence that was revoked': {
    harm: 'REVOKE USAGE ON SEQUENCE users_id_seq FROM portal_app',
    mend: 'GRANT USAGE ON SEQUENCE users_id_seq TO portal_app',
    name: 'rights',
    diagnosed: 'error the portal’s role lacks USAGE ON SEQUENCE users_id_seq: start a process',
    refused: null,
  },
  'a right on a schema that was revoked': {
    harm: 'REVOKE USAGE ON SCHEMA game FROM portal_app',
    mend: 'GRANT USAGE ON SCHEMA game TO portal_app',
    name: 'rights',
    diagnosed: 'error the portal’s role lacks USAGE ON SCHEMA game: start a process',
    refused: null,
  },
  'a right that somebody gave to the role': {
    harm: 'GRANT UPDATE ON ledger_entry TO portal_app; GRANT UPDATE ON delivery TO portal_app',
    mend: 'REVOKE UPDATE ON ledger_entry FROM portal_app',
    name: 'rights',
    diagnosed:
      'warning the portal’s role may do more than the migrations let it (UPDATE ON delivery, UPDATE ON ledger_entry): start a process of the portal, which takes it back',
    refused: null,
  },
  'a right that somebody gave to all': {
    harm: 'GRANT DELETE ON audit_log TO PUBLIC',
    mend: 'REVOKE DELETE ON audit_log FROM PUBLIC',
    name: 'rights',
    diagnosed:
      'warning the portal’s role may do more than the migrations let it (DELETE ON audit_log): start',
    refused: null,
  },
  'rights by another role': {
    harm: 'GRANT pg_write_all_data TO @portal',
    mend: 'REVOKE pg_write_all_data FROM @portal',
    name: 'rights',
    diagnosed: 'warning the portal’s role may do more than the migrations let it (',
    refused: 'the portal’s role "@portal" may do more than the migrations let it (',
  },
  'a right on a table of another owner': {
    harm: 'ALTER TABLE posts OWNER TO @superuser; REVOKE ALL ON posts FROM portal_app, @owner',
    mend: 'ALTER TABLE posts OWNER TO @owner; GRANT SELECT, INSERT, UPDATE, DELETE ON posts TO portal_app',
    name: 'rights',
    diagnosed: 'error the portal’s role lacks ',
    refused: 'PostgreSQL does not let the role of DATABASE_URL do this: GRANT ',
  },
  'a role of the portal that may not log in': {
    harm: 'ALTER ROLE @portal NOLOGIN',
    mend: 'ALTER ROLE @portal LOGIN',
    name: 'rights',
    diagnosed:
      'error the portal’s role is not as the portal made it: start a process of it, which runs ALTER ROLE "@portal" LOGIN PASSWORD \'…\'',
    refused: null,
  },
  'a role of the portal with another password': {
    harm: `ALTER ROLE @portal PASSWORD 'another'`,
    mend: '',
    name: 'rights',
    diagnosed:
      'error the portal’s role is not as the portal made it: start a process of it, which runs ALTER ROLE "@portal" PASSWORD \'…\'',
    refused: null,
  },
  'a role of the portal whose password has expired': {
    harm: `ALTER ROLE @portal VALID UNTIL '2020-01-01'`,
    mend: `ALTER ROLE @portal VALID UNTIL 'infinity'`,
    name: 'rights',
    diagnosed:
      'error the portal’s role is not as the portal made it: start a process of it, which runs ALTER ROLE "@portal" VALID UNTIL \'infinity\'',
    refused: null,
  },
  'a role of the portal that is no member any more': {
    harm: 'REVOKE portal_app FROM @portal GRANTED BY @owner',
    mend: '',
    name: 'rights',
    diagnosed:
      'error the portal’s role is not as the portal made it: start a process of it, which runs GRANT portal_app TO "@portal"',
    refused: null,
  },
  'an owner that may not log in': {
    harm: 'ALTER ROLE @owner NOLOGIN',
    mend: 'ALTER ROLE @owner LOGIN',
    name: 'database',
    diagnosed: 'error PostgreSQL at @server does not let the role "@owner" in: create the role with LOGIN',
    refused: 'PostgreSQL at @server does not let the role "@owner" in: create the role with LOGIN',
  },
  'an owner that may not connect': {
    harm: 'REVOKE CONNECT ON DATABASE @db FROM PUBLIC, @owner',
    mend: 'GRANT CONNECT ON DATABASE @db TO PUBLIC, @owner',
    name: 'database',
    diagnosed:
      'error PostgreSQL at @server does not let the role "@owner" into the database "@db": let a superuser run GRANT CONNECT ON DATABASE "@db" TO "@owner"',
    refused: 'PostgreSQL at @server does not let the role "@owner" into the database "@db"',
  },
  'a database that lets nobody in': {
    harm: 'ALTER DATABASE @db ALLOW_CONNECTIONS false',
    mend: 'ALTER DATABASE @db ALLOW_CONNECTIONS true',
    name: 'database',
    diagnosed:
      'error PostgreSQL at @server lets nobody into the database "@db": let a superuser run ALTER DATABASE "@db" ALLOW_CONNECTIONS true',
    refused: 'PostgreSQL at @server lets nobody into the database "@db"',
    isBeside: true,
  },
  'a database that lets too few in': {
    harm: 'ALTER DATABASE @db CONNECTION LIMIT 0',
    mend: 'ALTER DATABASE @db CONNECTION LIMIT -1',
    name: 'database',
    diagnosed:
      'error PostgreSQL at @server lets in too few connections of the role "@owner" and the database "@db": run ALTER ROLE or ALTER DATABASE … CONNECTION LIMIT -1',
    refused: 'PostgreSQL at @server lets in too few connections of the role "@owner" and the database "@db"',
  },
  'an owner that lets too few in': {
    harm: 'ALTER ROLE @owner CONNECTION LIMIT 0',
    mend: 'ALTER ROLE @owner CONNECTION LIMIT -1',
    name: 'database',
    diagnosed: 'error PostgreSQL at @server lets in too few connections of the role "@owner"',
    refused: 'PostgreSQL at @server lets in too few connections of the role "@owner"',
  },
  'a schema that a newer program changed': {
    harm: `INSERT INTO schema_migration VALUES ('9999-newer.sql', 'x', now(), 'contract')`,
    mend: `DELETE FROM schema_migration WHERE name = '9999-newer.sql'`,
    name: 'schema',
    diagnosed:
      'error the database is ahead of this program: migration 9999-newer.sql changed what this program relies on; start the newer program',
    refused: 'the database is ahead of this program: migration 9999-newer.sql',
  },
  'a database of a demo': {
    harm: `UPDATE installation SET value = 'demo' WHERE name = 'mode'`,
    mend: `UPDATE installation SET value = 'live' WHERE name = 'mode'`,
    name: 'mode',
    diagnosed: 'error this database was made with DEMO=1, here DEMO is 0: load the portal’s settings',
    refused: 'this database was made with DEMO=1, here DEMO is 0',
  },
}

describe('a database that is sick', { timeout: WAIT_MS }, () => {
  test.for(everyNth(Object.entries(HARMS), 3))('%s', async ([, sick]) => {
    expect(await failureOfStart()).toBeNull()
    await superuser(sick.harm, sick.isBeside)
    try {
      const found = await diagnosed(sick.name)
      expect(found.slice(0, named(sick.diagnosed).length)).toBe(named(sick.diagnosed))
      const failure = await failureOfStart()
      const refused = sick.refused === null ? null : named(sick.refused)
      expect(failure?.slice(0, refused?.length) ?? null).toBe(refused)
      expect(`${found} ${failure}`).not.toMatch(/\n|secret/)
      // A start that goes on has set it right.
      expect((await diagnosed(sick.name)).startsWith('ok ')).toBe(refused === null)
    } finally {
      await superuser(sick.mend, sick.isBeside)
    }
    expect(await diagnosed('rights')).toBe('ok the role may do what the portal needs')
    expect(await diagnosed('writes')).toBe('ok PostgreSQL takes changes, and has room on its disk')
  })

  test('an address that asks for reads only is named as what has to be changed', async () => {
    const url = `${database.ownerUrl}?options=-c%20default_transaction_read_only%3Don`
    const sentence =
      'because default_transaction_read_only is on: take default_transaction_read_only out of DATABASE_URL'
    expect(await diagnosed('writes', url)).toContain(sentence)
    expect(await failureOfStart(url)).toContain(sentence)
  })

  test('a database that a newer program has given more rights keeps them', async () => {
    const newer = `INSERT INTO schema_migration VALUES ('9999-newer.sql', 'x', now(), 'expand')`
    await superuser(`${newer}; GRANT DELETE ON posts TO portal_app; GRANT DELETE ON activation TO portal_app`)
    expect(await diagnosed('rights')).toMatch(/^ok /)
    expect(await failureOfStart()).toBeNull()
    await superuser(`DELETE FROM schema_migration WHERE name = '9999-newer.sql'`)
    expect(await diagnosed('rights')).toMatch(/^warning .*\(DELETE ON activation\)/)
    expect(await failureOfStart()).toBeNull()
    expect(await diagnosed('rights')).toMatch(/^ok /)
  })
})

describe('/readyz of a portal whose database falls ill', { timeout: 6 * NOTICED_MS_MAX }, () => {
  let portal: Portal
  let url: string
  beforeAll(async () => {
    const PORT = String(await freePort())
    portal = await startPortal(
      { ...environment(), PORT, LOG_LEVEL: 'fatal' },
      { isWeb: true, isWorker: false },
      { withPages: false },
    )
    url = `http://127.0.0.1:${PORT}`
  }, WAIT_MS)
  afterAll(() => portal.stop({ withDelay: false }))

  const becomes = (status: number, body: unknown) =>
    eventually(async () => {
      const answer = await fetch(`${url}/readyz`)
      expect([answer.status, await answer.json()]).toEqual([status, body])
    }, NOTICED_MS_MAX)

  test('says why it takes no changes, goes on reading, and is ready again afterwards', async () => {
    await becomes(200, { status: 'ok' })
    await superuser('ALTER DATABASE @db SET default_transaction_read_only = on')
    await becomes(503, { status: 'read-only', reason: 'read-only' })
    expect((await fetch(`${url}/api/posts`)).status).toBe(200)
    await superuser('ALTER DATABASE @db RESET default_transaction_read_only')
    await becomes(200, { status: 'ok' })

    await superuser('REVOKE UPDATE (state) ON delivery FROM portal_app')
    await becomes(503, { status: 'read-only', reason: 'missing-rights' })
    expect(await failureOfStart()).toBeNull()
    await becomes(200, { status: 'ok' })
  })
})
