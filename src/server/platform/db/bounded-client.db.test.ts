import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FreshDatabase } from '#tests/support/databases.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { openProxy, type Proxy } from '#tests/harness/proxy.ts'
import { openLog } from '../log/log.ts'
import { openDatabase, type Db } from './database.ts'
import { DatabaseListener } from './notices.ts'
import { inTransaction } from './transaction.ts'

/** A server that is gone without a word: nothing is refused or closed, and nothing ever comes. */
let fresh: FreshDatabase
let proxy: Proxy
let db: Db
/** It waits for its own time-out, beside the other tests. */
let listening: Promise<string>
beforeAll(async () => {
  fresh = await freshDatabase()
  listening = listenUntilReconnected()
  proxy = await openProxy(Number(new URL(fresh.appUrl).port), 'postgres')
  db = openDatabase({
    url: proxy.through(fresh.appUrl),
    log: openLog('fatal'),
    connectionsMax: 2,
    statementTimeoutMs: 500,
  })
})
afterAll(async () => {
  await db.destroy()
  await proxy.close()
  await fresh.drop()
})

const one = () => sql`SELECT 1`.execute(db)

describe('a statement whose server is gone without a word', { timeout: 60_000 }, () => {
  test('fails, and the pool has its connections again', async () => {
    await Promise.all([one(), one()])
    expect(proxy.forget()).toBe(2)
    const answers = await Promise.allSettled([one(), one()])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await Promise.all([one(), one(), one()])
  })

  test('may run for longer where its transaction says so', async () => {
    await inTransaction(db, async (tx) => {
      await sql`SELECT set_config('statement_timeout', '20s', true)`.execute(tx)
      await sql`SELECT pg_sleep(4)`.execute(tx)
    })
    await expect(sql`SELECT pg_sleep(4)`.execute(db)).rejects.toThrow('statement timeout')
  })

  test('does not keep a listener waiting for ever', async () => {
    expect(await listening).toBe('reconnected')
  })
})

async function listenUntilReconnected(): Promise<string> {
  const own = await openProxy(Number(new URL(fresh.appUrl).port), 'postgres')
  const listener = new DatabaseListener(own.through(fresh.appUrl), openLog('fatal'))
  await listener.open()
  const reconnected = new Promise<string>((resolve) => listener.onReconnect(() => resolve('reconnected')))
  own.forget()
  try {
    return await reconnected
  } finally {
    await listener.close()
    await own.close()
  }
}
