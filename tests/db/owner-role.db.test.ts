import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareInstallation } from '#server/start/database.ts'
import { openAppRole } from '#server/platform/db/app-role.ts'
import { migrateDatabase } from '#server/platform/db/migrate.ts'
import { parseMigration, readMigrations } from '#server/platform/db/migration-files.ts'
import { ADVISORY_LOCKS, inTurn } from '#server/platform/db/advisory-lock.ts'
import { openEmbeddedPostgres, type EmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { openLog } from '#server/platform/log/log.ts'
import { SetupProblem } from '#server/platform/values/errors.ts'
import { byTcp } from '#tests/support/network.ts'
import { useFolder } from '#tests/support/folder.ts'
import { startPortalProcess } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/purchases.ts'
import { hasAllCases } from '#tests/support/test-run.ts'

/** A PostgreSQL without the role `portal_app`, which the server of the other tests already has. */
let server: EmbeddedPostgres
/** Its superuser's, by TCP as on another machine. */
let superuserUrl: string
const dataDir = useFolder()
const clients: Client[] = []

beforeAll(async () => {
  server = await openEmbeddedPostgres({ dataDir, durable: false, log: () => {} })
  superuserUrl = byTcp(server.url)
  await superuser(`CREATE ROLE portal LOGIN CREATEROLE PASSWORD 'secret'`)
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()))
  await server.stop()
})

async function open(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'the test' })
  client.on('error', () => {})
  await client.connect()
  clients.push(client)
  return client
}

async function superuser(sql: string): Promise<void> {
  await (await open(superuserUrl)).query(sql)
}

/** An empty database of that role, and its DSN. */
async function databaseOf(role = 'portal'): Promise<string> {
  const name = `own_${randomBytes(6).toString('hex')}`
  await superuser(`CREATE DATABASE ${name} OWNER ${role}`)
  return urlOf({ role, database: name })
}

function urlOf({ role = 'portal', password = 'secret', database = 'portal' }): string {
  const url = new URL(superuserUrl)
  Object.assign(url, { username: role, password, pathname: `/${database}` })
  return url.href
}

const silent = openLog('fatal')
/** What a start does to the database before anything else. */
async function prepare(ownerUrl: string): Promise<string> {
  await migrateDatabase(ownerUrl, silent)
  await prepareInstallation({ ownerUrl, isDemo: false, providers: ['sepay'] })
  return openAppRole(ownerUrl, silent)
}

const startOn = (databaseUrl: string) =>
  startPortalProcess({
    dataDir,
    environment: {
      DATABASE_URL: databaseUrl,
      GAME_SERVER_URL: 'embedded',
      LOG_LEVEL: 'warn',
    },
  })

test('a role without CREATEROLE gets the SQL that a superuser has to run', async () => {
  await superuser(`CREATE ROLE plain LOGIN PASSWORD 'secret'`)
  const starting = prepare(await databaseOf('plain'))
  await expect(starting).rejects.toThrow(
    /^the role of DATABASE_URL may not make the roles .* ALTER ROLE "plain" CREATEROLE, then start again$/,
  )
  await expect(starting).rejects.toBeInstanceOf(SetupProblem)
})

test('connections of the portal’s role wait, work and outlive a vanished machine for seconds only', async () => {
  const client = await open(await prepare(await databaseOf()))
  const { rows } = await client.query<{ name: string; setting: string }>(
    `SELECT name, current_setting(name) AS setting FROM pg_settings
      WHERE name = ANY('{lock_timeout,statement_timeout,idle_in_transaction_session_timeout}')
         OR name LIKE 'tcp_keepalives%'`,
  )
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    lock_timeout: '2s',
    statement_timeout: '5s',
    idle_in_transaction_session_timeout: '10s',
    tcp_keepalives_idle: '30',
    tcp_keepalives_interval: '10',
    tcp_keepalives_count: '3',
  })
})

describe('with a role made by CREATE ROLE portal LOGIN CREATEROLE', { timeout: 120_000 }, () => {
  test.runIf(hasAllCases)(
    'two processes start at once on an empty database, and another one after them',
    async () => {
      const databaseUrl = await databaseOf()
      const together = await Promise.all([startOn(databaseUrl), startOn(databaseUrl)])
      for (const portal of together) expect(await portal.end(), portal.output()).toBe(0)
      const portal = await startOn(databaseUrl)
      expect(await portal.end(), portal.output()).toBe(0)
    },
  )

  test('what an administrator changed of the portal’s own role is set right where the owner may do it', async () => {
    const ownerUrl = await databaseOf()
    const appUrl = await prepare(ownerUrl)
    const role = new URL(appUrl).username
    await superuser(`ALTER ROLE ${role} NOLOGIN PASSWORD 'other'; REVOKE portal_app FROM ${role}`)
    expect(await prepare(ownerUrl)).toBe(appUrl)
    await expect((await open(appUrl)).query('SELECT key FROM settings')).resolves.toBeDefined()
    await superuser(`ALTER ROLE ${role} SUPERUSER`)
    await expect(prepare(ownerUrl)).rejects.toThrow(/let a superuser run it once/)
    await superuser(`ALTER ROLE ${role} NOSUPERUSER`)
    expect(await prepare(ownerUrl)).toBe(appUrl)
  })

  test('no role may create temporary tables in the database', async () => {
    const appUrl = await prepare(await databaseOf())
    await expect((await open(appUrl)).query('CREATE TEMPORARY TABLE mine (id int)')).rejects.toThrow(
      /permission denied/,
    )
  })
})

describe('what stops a start is one sentence with what to do', { timeout: 60_000 }, () => {
  test.each<[string, (() => Promise<string>) | (() => string), RegExp]>([
    [
      'a wrong password',
      () => urlOf({ password: 'wrong' }),
      /^PostgreSQL at 127\.0\.0\.1:\d+ does not accept the password of the role "portal": correct it in DATABASE_URL/,
    ],
    [
      'a role that does not exist',
      () => urlOf({ role: 'nobody' }),
      /^PostgreSQL at .* does not accept the password of the role "nobody"/,
    ],
    [
      'a database that does not exist',
      () => urlOf({ database: 'nowhere' }),
      /^PostgreSQL at .* has no database "nowhere": run CREATE DATABASE "nowhere" OWNER "portal" there/,
    ],
    [
      'a server that cannot be reached',
      () => 'postgres://portal:secret@127.0.0.1:1/portal',
      /^PostgreSQL at 127\.0\.0\.1:1 does not answer: start it, or correct host and port in DATABASE_URL/,
    ],
  ])('%s', async (_, url, sentence) => {
    const starting = prepare(await url())
    await expect(starting).rejects.toThrow(sentence)
    await expect(starting).rejects.toBeInstanceOf(SetupProblem)
  })

  test('a failed migration: its file, the line, and the message of the database', async () => {
    const ownerUrl = await databaseOf()
    // Makes the first migration fail.
    await (await open(ownerUrl)).query('CREATE TABLE installation (name text)')
    const starting = migrateDatabase(ownerUrl, silent)
    await expect(starting).rejects.toThrow(
      /^migration 0074-baseline failed: relation "installation" already exists \(42P07\)\. Nothing of this file was kept/,
    )
    await expect(starting).rejects.toBeInstanceOf(SetupProblem)
  })

  test.runIf(hasAllCases)(
    'a failed migration: its line too, where the database names it, and of the baseline its file',
    async () => {
      const ownerUrl = await databaseOf()
      const [baseline] = await readMigrations()
      const wrong = baseline!.sql.replace("WHERE direction = 'out';", "WHERE sense = 'out';")
      await expect(migrateDatabase(ownerUrl, silent, [{ ...baseline!, sql: wrong }])).rejects.toThrow(
        /^migration 0074-baseline failed in sql\/recharge\.sql at line (\d+): column "sense" does not exist \(42703\)/,
      )
      const file = await readFile('sql/recharge.sql', 'utf8')
      const line = file.split('\n').findIndex((text) => text.includes("WHERE direction = 'out';")) + 1
      await expect(migrateDatabase(ownerUrl, silent, [{ ...baseline!, sql: wrong }])).rejects.toThrow(
        `in sql/recharge.sql at line ${line}:`,
      )

      await migrateDatabase(ownerUrl, silent)
      const added = parseMigration('9001-more.sql', '-- expand\n\nSELECT sense FROM settings;\n')
      await expect(migrateDatabase(ownerUrl, silent, [baseline!, added])).rejects.toThrow(
        'migration 9001-more.sql failed at line 3: column "sense" does not exist (42703)',
      )
    },
  )

  test.runIf(hasAllCases)('a process prints it without a stack, and ends with code 1', async () => {
    const starting = startOn('postgres://portal:secret@127.0.0.1:1/portal')
    await expect(starting).rejects.toThrow(
      /Cổng Ninja cannot start: PostgreSQL at 127\.0\.0\.1:1 does not answer: [^\n]*\n$/,
    )
  })
})

describe('a lock that is held', { timeout: 60_000 }, () => {
  /** Held as the former releases held it: by a session, until it ends. */
  async function hold(url: string, lock: number): Promise<Client> {
    const holder = await open(url)
    await holder.query('SELECT pg_advisory_lock($1)', [lock])
    return holder
  }

  const listening = () => {
    const lines: { text: string; heldBy: string }[] = []
    const log = openLog('warn', {
      write: (line: string) => {
        const { msg, heldBy } = JSON.parse(line) as { msg: string; heldBy: string }
        lines.push({ text: msg, heldBy })
      },
    })
    return { log, lines }
  }

  test.each([
    ['migrations', ADVISORY_LOCKS.migrations, (url: string) => url],
    [
      'the role of the portal',
      ADVISORY_LOCKS.appRole,
      async (url: string) => {
        await migrateDatabase(url, silent)
        return url
      },
    ],
  ])('on %s is waited for aloud, and the start goes on when it is free', async (purpose, lock, before) => {
    const ownerUrl = await before(await databaseOf())
    const holder = await hold(ownerUrl, lock)
    const { log, lines } = listening()
    const starting = migrateDatabase(ownerUrl, log).then(() => openAppRole(ownerUrl, log))
    await eventually(async () => expect(lines).toHaveLength(1))
    expect(lines[0]?.text).toBe(`waiting for ${purpose}`)
    expect(lines[0]?.heldBy).toMatch(/^process \d+ \(the test, 127\.0\.0\.1, idle\)$/)
    await holder.query('SELECT pg_advisory_unlock($1)', [lock])
    await expect(starting).resolves.toMatch(/^postgres/)
  })

  test('is waited for no longer than the bound; the error names who holds it', async () => {
    const ownerUrl = await databaseOf()
    await hold(ownerUrl, 42)
    const { log, lines } = listening()
    const waiting = inTurn(
      await open(ownerUrl),
      { lock: 42, purpose: 'migrations', waitMs: 600, log },
      async () => 'ran',
    )
    await expect(waiting).rejects.toThrow(
      /^waited 1 s for migrations: process \d+ \(the test, .*\) holds the lock/,
    )
    await expect(waiting).rejects.toBeInstanceOf(SetupProblem)
    expect(lines).toHaveLength(1)
  })

  test('does not concern a start that has nothing to do', async () => {
    const ownerUrl = await databaseOf()
    const appUrl = await prepare(ownerUrl)
    await hold(ownerUrl, ADVISORY_LOCKS.migrations)
    await hold(ownerUrl, ADVISORY_LOCKS.appRole)
    expect(await prepare(ownerUrl)).toBe(appUrl)
  })

  test('ends with the work, whether that succeeds or fails', async () => {
    const url = await databaseOf()
    const [client, other] = [await open(url), await open(url)]
    const turn = { lock: 43, purpose: 'migrations', waitMs: 600, log: silent }
    await expect(inTurn(client, turn, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await inTurn(other, turn, async () => 'ran')).toBe('ran')
    expect(await inTurn(client, turn, async () => 'ran')).toBe('ran')
  })

  test('is held by one at a time', async () => {
    const url = await databaseOf()
    let inside = 0
    let most = 0
    const one = async () =>
      inTurn(await open(url), { lock: 44, purpose: 'migrations', waitMs: 60_000, log: silent }, async () => {
        most = Math.max(most, ++inside)
        await sleep(50)
        inside--
      })
    await Promise.all([one(), one(), one()])
    expect(most).toBe(1)
  })
})

test('another password of the owner leaves running processes their role, until none of them is left', async () => {
  await migrateDatabase(await databaseOf(), openLog('fatal'))
  await superuser(
    `CREATE ROLE changing LOGIN CREATEROLE PASSWORD 'first'; GRANT portal_app TO changing WITH ADMIN OPTION`,
  )
  const database = new URL(await databaseOf('changing')).pathname.slice(1)
  const start = (password: string) =>
    openAppRole(urlOf({ role: 'changing', password, database }), openLog('fatal'))
  const letsIn = (url: string) =>
    open(url).then(
      (client) => client.end().then(() => true),
      () => false,
    )
  const first = await start('first')
  const running = await open(first)
  await superuser(`ALTER ROLE changing PASSWORD 'second'`)
  const second = await start('second')
  // What runs opens further connections; the next process of the new password gets the same role.
  expect(await letsIn(first)).toBe(true)
  expect(await start('second')).toBe(second)
  expect(await letsIn(first)).toBe(true)
  const next = await open(second)

  await running.end()
  // A server needs a moment to see that a client has left.
  await eventually(async () => {
    expect(await start('second')).toBe(second)
    expect(await letsIn(first)).toBe(false)
  })
  await superuser(`ALTER ROLE changing PASSWORD 'third'`)
  const third = await start('third')
  expect(new URL(third).username).toBe(new URL(first).username)
  expect([await letsIn(third), await letsIn(second)]).toEqual([true, true])
  await next.end()
})
