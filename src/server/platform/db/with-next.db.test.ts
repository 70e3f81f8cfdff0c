import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FreshDatabase } from '#tests/support/databases.ts'
import { freshDatabase, statementsOf } from '#tests/support/postgres.ts'
import { openLog } from '../log/log.ts'
import { openDatabase, type Db } from './database.ts'
import { asOwner } from './owner.ts'
import { inTransaction, sendWithNext, type Tx } from './transaction.ts'

let fresh: FreshDatabase
let db: Db
beforeAll(async () => {
  fresh = await freshDatabase()
  await asOwner(fresh.ownerUrl, (client) =>
    client.query(`
      CREATE TABLE numbered (number int PRIMARY KEY);
      CREATE SEQUENCE failures;
      CREATE FUNCTION fail_once() RETURNS void LANGUAGE plpgsql AS $$
        BEGIN IF nextval('failures') = 1 THEN RAISE EXCEPTION 'once' USING ERRCODE = '40001'; END IF; END $$;
      GRANT ALL ON numbered, failures TO PUBLIC`),
  )
  db = openDatabase({ url: fresh.appUrl, log: openLog('fatal'), connectionsMax: 1 })
})
beforeEach(() => sql`DELETE FROM numbered`.execute(db))
afterAll(async () => {
  await db.destroy()
  await fresh.drop()
})

const add = (tx: Tx, number: number) =>
  sendWithNext(tx, sql`INSERT INTO numbered VALUES (${number}::int)`.compile(tx))
const numbers = async (of: Db | Tx = db) =>
  (await sql<{ number: number }>`SELECT number FROM numbered ORDER BY 1`.execute(of)).rows.map(
    ({ number }) => number,
  )
const isTwice = { code: '23505' }

describe('a statement that goes with the next one', () => {
  test('is done before that one, and in the order in which they came', async () => {
    const sent = await statementsOf(() =>
      inTransaction(db, async (tx) => {
        await add(tx, 1)
        await add(tx, 2)
        expect(await numbers(tx)).toEqual([1, 2])
        await add(tx, 3)
      }),
    )
    expect(sent.map((text) => text.split(' ')[0])).toEqual([
      'begin',
      'INSERT',
      'INSERT',
      'SELECT',
      'INSERT',
      'commit',
    ])
    expect(await numbers()).toEqual([1, 2, 3])
  })

  const ask = (tx: Tx, number: number) =>
    sendWithNext(tx, sql<{ number: number }>`SELECT ${number}::int AS number`.compile(tx))
  const isTooEarly = /read before their statement was answered/

  test('has its rows once that one was answered, and throws when they are read earlier', async () => {
    const answers = await inTransaction(db, async (tx) => {
      const [first, second] = [await ask(tx, 1), await ask(tx, 2)]
      for (const rows of [first, second]) expect(rows).toThrow(isTooEarly)
      await numbers(tx)
      expect([first(), second()]).toEqual([[{ number: 1 }], [{ number: 2 }]])
      const last = await ask(tx, 3)
      expect(last).toThrow(isTooEarly)
      return [first, last]
    })
    expect(answers.map((rows) => rows())).toEqual([[{ number: 1 }], [{ number: 3 }]])
  })

  test('without a row answers no row once it is answered', async () => {
    const rows = await inTransaction(db, (tx) =>
      sendWithNext(tx, sql`SELECT number FROM numbered WHERE number = 404`.compile(tx)),
    )
    expect(rows()).toEqual([])
  })

  test('has no rows to read when its transaction was undone', async () => {
    let rows: () => readonly unknown[] = () => []
    const work = async (tx: Tx) => {
      await numbers(tx)
      rows = await ask(tx, 1)
      throw new Error('changed its mind')
    }
    await inTransaction(db, work).catch(() => {})
    expect(rows).toThrow(isTooEarly)
  })

  test('that fails fails that one, with its own error, and everything is undone', async () => {
    const done = inTransaction(db, async (tx) => {
      await add(tx, 1)
      await add(tx, 1)
      await numbers(tx)
    })
    await expect(done).rejects.toMatchObject(isTwice)
    expect(await numbers()).toEqual([])
  })

  test('that fails at the very end fails the commit', async () => {
    const done = inTransaction(db, async (tx) => {
      await sql`INSERT INTO numbered VALUES (1)`.execute(tx)
      await add(tx, 1)
    })
    await expect(done).rejects.toMatchObject(isTwice)
    expect(await numbers()).toEqual([])
  })

  test('is not sent when the transaction is undone before', async () => {
    const sent = await statementsOf(() =>
      inTransaction(db, async (tx) => {
        await numbers(tx)
        await add(tx, 1)
        throw new Error('changed its mind')
      }).catch(() => {}),
    )
    expect(sent).toEqual(['begin', expect.stringContaining('SELECT'), 'rollback'])
    expect(await numbers()).toEqual([])
  })

  test('is tried again with its transaction', async () => {
    await inTransaction(db, async (tx) => {
      await add(tx, 1)
      await sendWithNext(tx, sql`SELECT fail_once()`.compile(tx))
    })
    expect(await numbers()).toEqual([1])
  })
})

test('a transaction that asks for nothing sends nothing', async () => {
  const done = () => inTransaction(db, () => Promise.resolve('done'))
  const undone = () => inTransaction(db, () => Promise.reject(new Error('undone'))).catch(() => {})
  expect(await statementsOf(done)).toEqual([])
  expect(await statementsOf(undone)).toEqual([])
  expect(await inTransaction(db, (tx) => numbers(tx))).toEqual([])
})
