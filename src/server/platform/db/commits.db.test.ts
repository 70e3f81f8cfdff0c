import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useFolder } from '#tests/support/folder.ts'
import { openEmbeddedPostgres, type EmbeddedPostgres } from '../embedded-postgres/index.ts'
import { openLog } from '../log/log.ts'
import { UnknownOutcome } from './bounded-client.ts'
import { openDatabase, type Db } from './database.ts'
import { inTransaction, sqlState } from './transaction.ts'

/** A server of its own, for a standby that is missing holds up every commit of the server. */
const folder = useFolder()
let server: EmbeddedPostgres
let admin: Client
let db: Db

beforeAll(async () => {
  server = await openEmbeddedPostgres({ dataDir: folder, log: () => {} })
  admin = new Client({ connectionString: server.url })
  await admin.connect()
  await admin.query(`
    CREATE TABLE done (number integer PRIMARY KEY);
    CREATE TABLE probe (number integer);
    CREATE FUNCTION wait_for_turn() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER waits AFTER INSERT ON done DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (new.number < 0) EXECUTE FUNCTION wait_for_turn()`)
  db = openDatabase({ url: server.url, log: openLog('fatal'), connectionsMax: 1 })
}, 60_000)
afterAll(async () => {
  await db.destroy()
  await admin.end()
  await server.stop()
})

const set = async (standby: string) => {
  await admin.query(`SET synchronous_commit = local`)
  await admin.query(`ALTER SYSTEM SET synchronous_standby_names = '${standby}'`)
  await admin.query('SELECT pg_reload_conf()')
  // The server reads its settings again some time after it was told to.
  await expect.poll(doesCommitWait).toBe(standby !== '')
}

/** Whether a commit waits for the standby. */
async function doesCommitWait(): Promise<boolean> {
  const probe = { isOver: false }
  const end = () => {
    probe.isOver = true
  }
  const commit = sql`INSERT INTO probe DEFAULT VALUES`.execute(db).then(end, end)
  let count = 0
  while (!probe.isOver && count === 0) count = await endWaiting('SyncRep', 'pg_cancel_backend')
  await commit
  return count > 0
}

type Act = 'pg_cancel_backend' | 'pg_terminate_backend'

/** Does it to the server processes that wait so, and answers how many they were. */
async function endWaiting(waitEvent: string, act: Act): Promise<number> {
  const { rowCount } = await admin.query(
    `SELECT ${act}(pid) FROM pg_stat_activity WHERE wait_event = $1 AND pid <> pg_backend_pid()`,
    [waitEvent],
  )
  return rowCount ?? 0
}

const once = (waitEvent: string, act: Act) => expect.poll(() => endWaiting(waitEvent, act)).toBeGreaterThan(0)

let tries = 0
const insert = (number: number) => {
  tries = 0
  return inTransaction(db, async (tx) => {
    tries += 1
    await sql`INSERT INTO done VALUES (${number})`.execute(tx)
    return 'done'
  }).catch((error: unknown) => error)
}
const isDone = async (number: number) =>
  (await admin.query('SELECT FROM done WHERE number = $1', [number])).rowCount === 1

test('a COMMIT whose wait for the standby was cancelled is done here, and told to nobody as done', async () => {
  await set('missing')
  const answers: unknown[][] = []
  for (const act of ['pg_cancel_backend', 'pg_terminate_backend'] as const) {
    const number = answers.length + 1
    const answer = insert(number)
    await once('SyncRep', act)
    answers.push([await answer, tries, await isDone(number)])
  }
  const alone = sql`INSERT INTO done VALUES (3)`.execute(db).catch((error: unknown) => error)
  await once('SyncRep', 'pg_cancel_backend')
  answers.push([await alone, 1, await isDone(3)])
  await set('')
  const unknown = (cause: RegExp) =>
    expect.objectContaining({ cause: expect.objectContaining({ message: expect.stringMatching(cause) }) })
  // Which of the branches answered: the warning, the end of the connection, the warning.
  expect(answers).toEqual([
    [unknown(/^canceling wait for synchronous replication/), 1, true],
    [unknown(/^Connection terminated/), 1, true],
    [unknown(/^canceling wait for synchronous replication/), 1, true],
  ])
  for (const [answer] of answers) expect(answer).toBeInstanceOf(UnknownOutcome)
  expect(await insert(4)).toBe('done')
})

test('a COMMIT that is answered by the end of the server process is not tried again', async () => {
  await admin.query('SELECT pg_advisory_lock(7)')
  const answer = insert(-1)
  await once('advisory', 'pg_terminate_backend')
  expect(await answer).toBeInstanceOf(UnknownOutcome)
  // It is the answer itself, not that the connection was gone.
  expect(await answer).toMatchObject({ cause: { code: '57P01' } })
  expect(tries).toBe(1)
  await admin.query('SELECT pg_advisory_unlock(7)')
})

test('a write that failed is no answer of the server', () => {
  expect(['EPIPE', '40P01', 'CN001'].map((code) => sqlState({ code }))).toEqual([undefined, '40P01', 'CN001'])
})
