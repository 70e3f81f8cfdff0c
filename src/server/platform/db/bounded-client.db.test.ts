import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openProxy, type Proxy } from '#tests/harness/proxy.ts'
import type { FreshDatabase } from '#tests/support/databases.ts'
import { freshDatabase, statementsOf } from '#tests/support/postgres.ts'
import { openLog } from '../log/log.ts'
import { openDatabase, type Db } from './database.ts'
import { DatabaseListener } from './notices.ts'
import { asOwner } from './owner.ts'
import { inTransaction, sendWithNext, type Tx } from './transaction.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.drop())

/** A server that is gone without a word: nothing is refused or closed, and nothing ever comes. */
describe('a statement whose server is gone without a word', { timeout: 60_000 }, () => {
  let proxy: Proxy
  let db: Db
  /** It waits for its own time-out, beside the other tests. */
  let listening: Promise<string>
  beforeAll(async () => {
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
  })

  const one = () => sql`SELECT 1`.execute(db)

  test('fails, and the pool has its connections again', async () => {
    await Promise.all([one(), one()])
    expect(proxy.forget()).toBe(2)
    const answers = await Promise.allSettled([one(), one()])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await Promise.all([one(), one(), one()])
  })

  test('may run for longer where its transaction sets so', async () => {
    await inTransaction(db, async (tx) => {
      await sql`SELECT set_config('statement_timeout', '20s', true)`.execute(tx)
      await sql`SELECT pg_sleep(4)`.execute(tx)
    })
    await expect(sql`SELECT pg_sleep(4)`.execute(db)).rejects.toThrow('statement timeout')
  })

  test('does not let a listener wait for ever', async () => {
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

describe('a connection that was made while the database was only read from', () => {
  const setting = 'default_transaction_read_only'
  const administer = (how: string) =>
    asOwner(fresh.ownerUrl, async (client) => {
      const [, name] = new URL(fresh.ownerUrl).pathname.split('/')
      await client.query(`BEGIN READ WRITE; ALTER DATABASE ${name} ${how}; COMMIT`)
    })
  const write = () => sql`UPDATE content_version SET version = version + 1 WHERE kind = 'none'`

  test.each([
    ['a statement', (db: Db) => write().execute(db)],
    ['a transaction', (db: Db) => inTransaction(db, (tx) => write().execute(tx))],
  ])('is left once %s of it was refused: the next one is as the database is then', async (_, act) => {
    await administer(`SET ${setting} = on`)
    const db = openDatabase({ url: fresh.appUrl, log: openLog('fatal'), connectionsMax: 1 })
    try {
      expect((await sql`SHOW ${sql.raw(setting)}`.execute(db)).rows).toEqual([{ [setting]: 'on' }])
      await administer(`RESET ${setting}`)
      await expect(act(db)).rejects.toThrow('read-only transaction')
      await act(db)
    } finally {
      await administer(`RESET ${setting}`)
      await db.destroy()
    }
  })
})

describe('a statement that is sent often', () => {
  let db: Db
  const openPool = () => openDatabase({ url: fresh.appUrl, log: openLog('fatal'), connectionsMax: 1 })
  beforeAll(() => {
    db = openPool()
  })
  afterAll(() => db.destroy())

  /** The prepared statements of the server behind the pool's connection. */
  async function preparedOn(pool: Db): Promise<string[]> {
    const { rows } = await sql<{ statement: string }>`SELECT statement FROM pg_prepared_statements`.execute(
      pool,
    )
    return rows.map(({ statement }) => statement)
  }

  async function often(act: (time: number) => Promise<unknown>): Promise<void> {
    for (let time = 0; time < 20; time++) await act(time)
  }

  test('is prepared by the server, and one that is sent seldom is not', async () => {
    await sql`SELECT ${1}::int AS seldom`.execute(db)
    await often((time) => sql`SELECT ${time}::int AS often`.execute(db))
    const { rows } = await sql<{ often: number }>`SELECT ${7}::int AS often`.execute(db)
    expect(rows).toEqual([{ often: 7 }])
    expect(await preparedOn(db)).toEqual(['SELECT $1::int AS often'])
  })

  test('is prepared whatever other pools of the process have sent', async () => {
    const other = openPool()
    for (let text = 0; text < 200; text++)
      await often((time) => sql`SELECT ${time}::int AS ${sql.ref(`often_${text}`)}`.execute(other))
    expect(await preparedOn(other)).toHaveLength(200)
    await other.destroy()
    const next = openPool()
    await often((time) => sql`SELECT ${time}::int AS next`.execute(next))
    expect(await preparedOn(next)).toEqual(['SELECT $1::int AS next'])
    await next.destroy()
  })

  test('is not prepared where a star may come to stand for other columns', async () => {
    await often(() => db.selectFrom('servers').selectAll().where('id', '=', 'none').execute())
    expect((await preparedOn(db)).filter((statement) => statement.includes('servers'))).toEqual([])
  })

  test('is not prepared where it searches for a pattern', async () => {
    await often((time) =>
      db.selectFrom('servers').select('id').where('name', 'ilike', `%máy ${time}%`).execute(),
    )
    await often((time) => sql`SELECT id FROM servers WHERE id ~ ${`^s${time}$`}`.execute(db))
    expect((await preparedOn(db)).filter((statement) => statement.includes('servers'))).toEqual([])
  })

  test('is prepared again after a migration changed its columns', async () => {
    const change = (text: string) => asOwner(fresh.ownerUrl, (client) => client.query(text))
    await change('CREATE TABLE changing (id int, word int); GRANT SELECT ON changing TO PUBLIC')
    const read = () =>
      inTransaction(
        db,
        async (tx) => (await sql`SELECT word FROM changing WHERE id = ${1}::int`.execute(tx)).rows,
      )
    await often(read)
    await change(`ALTER TABLE changing ALTER word TYPE text; INSERT INTO changing VALUES (1, 'một')`)
    expect(await read()).toEqual([{ word: 'một' }])
  })
})

describe('a statement that goes with the next one', () => {
  let db: Db
  beforeAll(async () => {
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
  afterAll(() => db.destroy())

  const add = (tx: Tx, number: number) =>
    sendWithNext(tx, sql`INSERT INTO numbered VALUES (${number}::int)`.compile(tx))
  const numbers = async (of: Db | Tx = db) =>
    (await sql<{ number: number }>`SELECT number FROM numbered ORDER BY 1`.execute(of)).rows.map(
      ({ number }) => number,
    )
  const isTwice = { code: '23505' }

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

  const query = (tx: Tx, number: number) =>
    sendWithNext(tx, sql<{ number: number }>`SELECT ${number}::int AS number`.compile(tx))
  const isTooEarly = /read before their statement was answered/

  test('has its rows once that one was answered, and throws when they are read earlier', async () => {
    const answers = await inTransaction(db, async (tx) => {
      const [first, second] = [await query(tx, 1), await query(tx, 2)]
      for (const rows of [first, second]) expect(rows).toThrow(isTooEarly)
      await numbers(tx)
      expect([first(), second()]).toEqual([[{ number: 1 }], [{ number: 2 }]])
      const last = await query(tx, 3)
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
      rows = await query(tx, 1)
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

  test('a transaction without statements sends nothing', async () => {
    const done = () => inTransaction(db, () => Promise.resolve('done'))
    const undone = () => inTransaction(db, () => Promise.reject(new Error('undone'))).catch(() => {})
    expect(await statementsOf(done)).toEqual([])
    expect(await statementsOf(undone)).toEqual([])
    expect(await inTransaction(db, (tx) => numbers(tx))).toEqual([])
  })
})
