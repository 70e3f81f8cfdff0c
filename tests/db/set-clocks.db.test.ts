import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { openLog } from '#server/platform/log/log.ts'
import { upsertChange } from '#server/modules/game-accounts/account-changes.queries.ts'
import { clockEnvironment, clockProblem, setClock } from '#tests/harness/faults.ts'
import { prepareAttempts } from '#tests/mutation/database/guard.ts'
import { cloneTemplate, createTemplate } from '#tests/support/databases.ts'
import { useFolder } from '#tests/support/folder.ts'
import { isSystemPostgresThere, SystemPostgres } from '#tests/support/system-postgres.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import { waitingColumns, type WaitingColumn } from '#tests/support/waiting-columns.ts'

/*
 * A PostgreSQL whose clock is set ahead and back again, by libfaketime: what it wrote meanwhile is due at once afterwards, and
 * what was due before it is so at every time.
 */

const isThere = hasAllCases && isSystemPostgresThere() && clockProblem() === null
const folder = useFolder()
let server: SystemPostgres
let clock: string
let owner: Client
let db: Db

beforeAll(async () => {
  if (!isThere) return
  const { file, environment } = await clockEnvironment(folder)
  clock = file
  server = await SystemPostgres.open(folder, 'database', { environment })
  await server.create()
  const database = await cloneTemplate(server.adminUrl, await createTemplate(server.adminUrl))
  owner = new Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await prepareAttempts(owner)
  db = openDatabase({ url: database.appUrl, log: openLog('fatal'), connectionsMax: 2 })
}, 120_000)
afterAll(async () => {
  if (!isThere) return
  await db.destroy()
  await owner.end()
  await server.stop()
}, 60_000)

/** How far the database's clock is ahead of this machine's, in seconds. */
async function ahead(): Promise<number> {
  const { rows } = await owner.query<{ now: Date }>('SELECT clock_timestamp() AS now')
  return Math.round(((rows[0] as { now: Date }).now.getTime() - Date.now()) / 10_000) * 10
}

async function setDatabaseClock(seconds: number): Promise<void> {
  await setClock(clock, seconds)
  await expect.poll(ahead, { timeout: 10_000 }).toBe(seconds)
}

const write = async (name: string, { longest, arranged = '', where = 'true' }: WaitingColumn) => {
  const [table, field] = name.split('.')
  await owner.query(arranged)
  await owner.query(
    `UPDATE ${table} SET ${field} = clock_timestamp() + make_interval(secs => ${longest}) WHERE ${where}`,
  )
}

/** Columns of different tables, so that none is arranged anew by another one. */
function inTurns(columns: Record<string, WaitingColumn>): [string, WaitingColumn][][] {
  const turns: [string, WaitingColumn][][] = []
  for (const column of Object.entries(columns)) {
    const table = (name: string) => name.split('.')[0]?.replace(/_(groups|snapshots)$/, '')
    const turn = turns.find((others) => others.every(([name]) => table(name) !== table(column[0])))
    if (turn === undefined) turns.push([column])
    else turn.push(column)
  }
  return turns
}

test.runIf(isThere).each([600, 87_000])(
  'a clock that was %i s ahead leaves nothing asleep when it is set right',
  { timeout: 120_000 },
  async (seconds) => {
    const asleep: string[] = []
    for (const turn of inTurns(waitingColumns(db))) {
      await setDatabaseClock(seconds)
      for (const [name, column] of turn) await write(name, column)
      await setDatabaseClock(0)
      for (const [name, { isTaken }] of turn) if (!(await isTaken())) asleep.push(name)
    }
    expect(asleep).toEqual([])
  },
)

test.runIf(isThere)(
  'what the game is told about an account has a later version after a clock that was a day ahead',
  { timeout: 60_000 },
  async () => {
    const versionOf = async () => {
      await owner.query('DELETE FROM account_change')
      await inTransaction(db, (tx) => upsertChange(tx, { userId: '1', isPasswordNew: false }))
      return Number(
        (await owner.query<{ version: string }>('SELECT version FROM account_change')).rows[0]?.version,
      )
    }
    await setDatabaseClock(87_000)
    const ahead = await versionOf()
    await setDatabaseClock(0)
    expect(ahead).toBeGreaterThan(Date.now() + 80_000_000)
    expect(await versionOf()).toBe(ahead + 1)
  },
)

test.runIf(isThere)(
  'a clock that was a day and ten minutes behind leaves nothing asleep either',
  { timeout: 120_000 },
  async () => {
    const asleep: string[] = []
    for (const turn of inTurns(waitingColumns(db))) {
      // What was written before is far ahead for a clock that is behind.
      for (const [name, column] of turn) await write(name, column)
      await setDatabaseClock(-87_000)
      for (const [name, { isTaken }] of turn) if (!(await isTaken())) asleep.push(name)
      await setDatabaseClock(0)
    }
    expect(asleep).toEqual([])
  },
)
